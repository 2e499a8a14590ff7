import { describe, expect, it } from '@jest/globals';
import { finding } from '#writing/findings.js';
import { splitParagraphs } from '#writing/paragraphs.js';
import type { ArticleState, ResearchPassage } from '../graph/state.js';
import { reviseDraft, styleDraft, writeDraft, writeReport } from './operations.js';

const passage: ResearchPassage = {
  id: 'chk_1',
  label: 's1',
  source_id: 'src_1',
  source_title: 'Log',
  author: null,
  text: 'The lamp burns 40 litres of oil a week. It is lit at dusk. Two keepers watch it.',
  span: { start: 0, end: 80 },
  heading_path: ['Log'],
  headings: [],
};
const state = {
  topic: 'The lamp',
  keywords: [],
  inputs: {},
  headings: [],
  passages: [passage],
  research_questions: [],
  research_conflicts: [],
  sections: [],
  rejected_paragraphs: [],
  draft_findings: [],
  research_report: '',
} as unknown as ArticleState;
const SOUND =
  'The lamp burns 40 litres of oil a week.[^s1] It is lit at dusk.[^s1] Two keepers watch it.[^s1]\n';
const UNCITED = SOUND.replace('[^s1]\n', '\n');

describe('A6 answers of the model on articles', () => {
  it('a report in which one sentence lacks a citation twice is corrected once, then used', () => {
    const operation = writeReport(state);
    expect(() => operation.read(UNCITED)).toThrow('No source is cited in: Two keepers watch it.');
    expect(operation.read(UNCITED)).toBe(UNCITED);
  });

  it('a report of which half is cited is used', () => {
    const half = 'It is lit at dusk.[^s1] It burns 41 litres.\n';
    const operation = writeReport(state);
    expect(() => operation.read(half)).toThrow('41');
    expect(operation.read(half)).toBe(half);
  });

  it('a report without sources is rejected both times, so that a person decides', () => {
    const operation = writeReport(state);
    for (const attempt of ['A lamp burns. It is tall.\n', 'It is tall. It is old.\n'])
      expect(() => operation.read(attempt)).toThrow('No source is cited in');
  });

  it('a revision sees what the review of the draft found, in its words', () => {
    const draft = 'It burns 41 litres.[^s1]\n\nIt is lit at dusk.[^s1]\n';
    const [first] = splitParagraphs(draft);
    const found = finding(draft, splitParagraphs(draft), {
      rule: 'review-contradiction',
      severity: 'warning',
      message: 'The passage says 40.',
      span: { start: 9, end: 18 },
      suggestion: '40 litres',
    });
    const { prompt } = reviseDraft({ ...state, human_feedback: 'Shorter.', draft_findings: [found] }, draft);
    expect(prompt).toContain(
      `<review>\n- warning in <<${first?.id}>> "41 litres": The passage says 40. Fix: 40 litres\n</review>`,
    );
  });

  it('A9 a rewording sees only the paragraphs that it may change, and removes none', () => {
    const draft = '# The lamp\n\nIt is lit at dusk.[^s1]\n\nTwo keepers watch it.[^s1]\n';
    const [, kept, fresh] = splitParagraphs(draft).map(({ id }) => id);
    const operation = styleDraft({ ...state, style_fragments: [] }, draft, new Set([fresh!]));
    expect(operation.prompt).toContain(`<<${fresh}>>\nTwo keepers`);
    expect(operation.prompt).not.toContain(`<<${kept}>>`);
    const answer = {
      edits: [
        { paragraph_id: `<<${fresh}>>`, text: 'Two men watch it.[^s1]' },
        { paragraph_id: fresh, text: ' ' },
      ],
    };
    expect(operation.read(JSON.stringify(answer))).toEqual([
      { op: 'replace', paragraph_id: fresh, text: 'Two men watch it.[^s1]' },
    ]);
  });

  it('citations in other forms are converted to notes', () => {
    const forms = 'It burns 40 litres.[s1] It is lit at dusk (s1). Two keepers watch it.[^S1, s1]\n';
    const notes = 'It burns 40 litres.[^s1] It is lit at dusk [^s1]. Two keepers watch it.[^s1]\n';
    expect(writeReport(state).read(forms)).toBe(notes);
    expect(writeDraft(state).read(`# A\n\n${forms}`)).toBe(`# A\n\n${notes}`);
  });
});
