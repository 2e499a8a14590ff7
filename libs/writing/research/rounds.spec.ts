import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { CitedPassage } from '../citations.js';
import {
  assessmentSchema,
  addQuestions,
  applyAssessment,
  endOfResearch,
  noteSearch,
  plannedSearches,
  publicQuestions,
} from './rounds.js';

const passage = (label: string, text: string, start = 0): CitedPassage => ({
  label,
  text,
  source_id: `src-${label}`,
  source_title: 'Notes',
  span: { start, end: start + text.length },
  heading_path: [],
});
const PASSAGES = [
  passage('s1', 'The frost held for\nnine days, the minutes say.', 100),
  passage('s2', 'Olsen remembered a fortnight of ice.'),
];
const proposed = (question: string, ...queries: string[]) => ({ perspective: 'sceptic', question, queries });
const QUESTIONS = addQuestions(
  [],
  [proposed('How long?', 'frost days', 'ice'), proposed('Who paid?', 'bread')],
);

describe('A6 rounds of research', () => {
  it('asks no question twice, and gives each an ID', () => {
    const all = addQuestions(QUESTIONS, [proposed('how LONG'), proposed('Why?', 'cause')]);
    expect(all.map(({ id, question }) => [id, question])).toEqual([
      ['q1', 'How long?'],
      ['q2', 'Who paid?'],
      ['q3', 'Why?'],
    ]);
    expect(publicQuestions(all)[0]).not.toHaveProperty('next');
  });

  it('searches for each open question in turn, within the limit, and never repeats a search', () => {
    expect(plannedSearches(QUESTIONS, 8).map(({ query }) => query)).toEqual(['frost days', 'bread', 'ice']);
    expect(plannedSearches(QUESTIONS, 2)).toHaveLength(2);
    const searched = noteSearch(QUESTIONS, { question: 'q1', query: 'frost days' }, ['s1', 's1']);
    expect(searched[0]).toMatchObject({ queries: ['frost days'], labels: ['s1'], status: 'open' });
    expect(plannedSearches(searched, 8).map(({ query }) => query)).toEqual(['bread', 'ice']);
    const repeated = applyAssessment(
      { questions: searched, conflicts: [] },
      assessmentSchema.parse({ open: [{ id: 'q1', queries: ['Frost, days!', 'thaw'] }] }),
      PASSAGES,
    );
    expect(plannedSearches(repeated.questions, 8).map(({ query }) => query)).toEqual(['thaw']);
  });

  it('accepts an answer only with an existing passage, and adds new questions', () => {
    const answer = assessmentSchema.parse({
      answered: [
        { id: 'q1', passages: ['s1', 's9'] },
        { id: 'q2', passages: ['s9'] },
        { id: 'q7', passages: ['s1'] },
      ],
      new: [proposed('Which winter?', 'winter')],
    });
    const { questions } = applyAssessment({ questions: QUESTIONS, conflicts: [] }, answer, PASSAGES);
    expect(questions.map(({ id, status, labels }) => [id, status, labels])).toEqual([
      ['q1', 'answered', ['s1']],
      ['q2', 'open', []],
      ['q3', 'open', []],
    ]);
  });

  it('quotes the passages of a conflict, with their places in the sources', () => {
    const sides = [
      { passage: 's1', quote: 'held for nine days' },
      { passage: 's2', quote: 'a fortnight' },
    ];
    const invented = { about: 'the ice', sides: [sides[0]!, { passage: 's2', quote: 'a month' }] };
    const answer = assessmentSchema.parse({ conflicts: [{ about: 'length', sides }, invented] });
    const once = applyAssessment({ questions: [], conflicts: [] }, answer, PASSAGES);
    expect(once.conflicts).toEqual([
      {
        about: 'length',
        sides: [
          { label: 's1', quote: 'held for\nnine days', span: { start: 110, end: 128 } },
          { label: 's2', quote: 'a fortnight', span: { start: 17, end: 28 } },
        ],
      },
    ]);
    expect(applyAssessment(once, answer, PASSAGES).conflicts).toHaveLength(1);
  });

  it('ends when everything is answered, nothing new can be searched, or the rounds are used up', () => {
    expect(endOfResearch(QUESTIONS, 1, 3)).toBeNull();
    expect(endOfResearch(QUESTIONS, 3, 3)).toBe('rounds');
    expect(
      endOfResearch(
        QUESTIONS.map((one) => ({ ...one, next: [] })),
        1,
        3,
      ),
    ).toBe('no_more_queries');
    expect(
      endOfResearch(
        QUESTIONS.map((one) => ({ ...one, status: 'answered' as const })),
        1,
        3,
      ),
    ).toBe('answered');
  });

  it('keeps its questions whatever an assessment returns, and quotes only words of the passages', () => {
    const text = fc.oneof(fc.string(), fc.constantFrom('s1', 's2', 'q1', 'nine days', 'ice', 'a fortnight'));
    const label = fc.constantFrom('s1', 's2', 's3', '');
    const assessment = fc.record({
      answered: fc.array(fc.record({ id: text, passages: fc.array(label, { maxLength: 4 }) })),
      open: fc.array(fc.record({ id: text, queries: fc.array(text, { maxLength: 4 }) })),
      new: fc.array(
        fc.record({ perspective: text, question: text, queries: fc.array(text, { maxLength: 4 }) }),
      ),
      conflicts: fc.array(
        fc.record({
          about: text,
          sides: fc.array(fc.record({ passage: label, quote: text }), { maxLength: 5 }),
        }),
      ),
    });
    fc.assert(
      fc.property(assessment, (answer) => {
        const { questions, conflicts } = applyAssessment(
          { questions: QUESTIONS, conflicts: [] },
          answer,
          PASSAGES,
        );
        expect(questions.slice(0, 2).map(({ id }) => id)).toEqual(['q1', 'q2']);
        expect(questions.length).toBeLessThanOrEqual(20);
        for (const { label: of, quote, span } of conflicts.flatMap(({ sides }) => sides)) {
          const { text: words, span: at } = PASSAGES.find((one) => one.label === of)!;
          expect(words.slice(span.start - at.start, span.end - at.start)).toBe(quote);
        }
      }),
    );
  });
});
