import { logPassage } from '#testing/log-passage.js';
import { describe, expect, it } from '@jest/globals';
import type { ChapterReview } from '../contract/review.js';
import { END } from '@langchain/langgraph';
import { auditOf, failedGuardrails, reviewByRules, withReviewer } from './checks.js';
import { bookFacts } from '../facts.js';
import { buildBookGraph } from './definition.js';
import type { BookPorts } from './ports.js';
import { firstNode, nextNode } from './routing.js';
import { buildInitialState } from './initial-state.js';
import type { BookState } from './state.js';

const given = { session_id: 's', project_id: 'p', trace_id: 't', inputs: {} };
const stateOf = (changes: Partial<BookState> = {}): BookState => ({
  ...buildInitialState({ ...given, mode: 'chapter' }),
  ...changes,
});
const LONG = `## One\n\n${'Plain words stand here. '.repeat(240)}\n`;

const reviewOf = (score: number, should_revise = false, content = LONG): ChapterReview =>
  auditOf(
    { score, should_revise, comments: '', reviewer: 'm', findings: [] },
    reviewByRules(content, [], [], { profile: {}, minimum: 900, known: '', headings: null }),
    {
      minimum: 900,
      revision: 0,
      fallbackStages: [],
    },
  );
const after = (review: ChapterReview, revisions = 0) =>
  nextNode('chapter_review', stateOf({ review_result: review, revision_count: revisions }));

describe('the graph of books', () => {
  it('B7 compiles as one graph, routed by mode', () => {
    expect(() => buildBookGraph({} as BookPorts).compile()).not.toThrow();
    const modes = ['toc', 'refine_toc', 'chapter', 'export', 'book'] as const;
    expect(modes.map((mode) => firstNode(stateOf({ mode })))).toEqual([
      'run_toc',
      'run_refine_toc',
      'next_chapter',
      'run_export',
      'next_chapter',
    ]);
  });

  it('B12 writes a whole book with one run per chapter, and a single chapter in the same run', () => {
    const to = (mode: BookState['mode']) => nextNode('next_chapter', stateOf({ mode }));
    expect([to('book'), to('chapter')]).toEqual(['write_chapter', 'chapter_retrieve_context']);
    expect(nextNode('write_chapter', stateOf({ mode: 'book' }))).toBe('next_chapter');
    expect(nextNode('write_chapter', stateOf({ mode: 'book', status: 'failed' }))).toBe(END);
  });

  it('B6 reports the node that is running, not the one that has ended', () => {
    const phase = (changes: Partial<BookState>) => bookFacts.describe(stateOf(changes)).phase;
    expect([
      phase({}),
      phase({ current_node: 'chapter_plan' }),
      phase({ current_node: 'next_chapter', mode: 'book', chapter_number: 2 }),
      phase({ current_node: 'chapter_persist', status: 'completed' }),
    ]).toEqual(['next_chapter', 'chapter_draft', 'write_chapter', 'chapter_persist']);
    expect(bookFacts.describe({ status: 'running' })).toMatchObject({
      phase: 'run_toc',
      done: 0,
      total: null,
    });
  });

  it('B9 revises below a score of 80, but not at 80', () => {
    expect([after(reviewOf(79)), after(reviewOf(80))]).toEqual(['chapter_draft', 'chapter_persist']);
  });

  it('B9 revises when the reviewer requests it, and when a guardrail fails although the reviewer does not', () => {
    expect(after(reviewOf(95, true))).toBe('chapter_draft');
    expect(after(reviewOf(95, false, '## One\n\nToo short.\n'))).toBe('chapter_draft');
  });

  it('B9 has three guardrails: empty text, no section heading, fewer words than the requested length', () => {
    expect(failedGuardrails('', 900)).toEqual(['empty_content', 'no_section_heading', 'too_short']);
    expect(failedGuardrails('## One\n\n## Two\n', 900)).toEqual(['empty_content', 'too_short']);
    expect(failedGuardrails(LONG, 900)).toEqual([]);
    expect(failedGuardrails(LONG.replace('## One', '# One'), 900)).toEqual(['no_section_heading']);
    expect(failedGuardrails(LONG, 1_800)).toEqual(['too_short']);
  });

  it('B26 revises a text with proved errors, however high the reviewer scores', () => {
    const wrong = LONG.replace(
      '## One',
      '## One\n\nIt cost 1, 2, 3 and 4 crowns [^s9]. Then 5 [^s8]. Then 6 [^s7]. Then 7 [^s6].',
    );
    expect(reviewOf(95, false, wrong).score).toBeLessThan(80);
    expect(reviewOf(95).score).toBe(95);
  });

  it('B10 does not review a revision again that changed nothing', () => {
    const best_draft = { content: LONG, review: reviewOf(79) };
    const next = (draft: string, revision_count: number) =>
      nextNode('chapter_draft', stateOf({ draft, revision_count, best_draft }));
    expect([next(LONG, 1), next(`${LONG}More.`, 1)]).toEqual(['chapter_persist', 'chapter_review']);
    expect(nextNode('chapter_draft', stateOf({ draft: LONG, best_draft: null }))).toBe('chapter_review');
  });

  it('B10 revises at most twice, then keeps the best draft', () => {
    expect([0, 1, 2].map((count) => after(reviewOf(10), count))).toEqual([
      'chapter_draft',
      'chapter_draft',
      'chapter_persist',
    ]);
  });

  it('X7 routes to the budget decision and back to the node that asked', () => {
    const short = { scope: 'run', unit: 'tokens', spent: 1, reserved: 0, needed: 2, limit: 2 } as const;
    expect(nextNode('chapter_plan', stateOf({ budget_shortfall: short }))).toBe('budget_decision');
    expect(nextNode('budget_decision', stateOf({ current_node: 'chapter_plan' }))).toBe('chapter_plan');
    expect(nextNode('budget_decision', stateOf({ status: 'failed' }))).toBe(END);
  });

  describe('B26 statements and their sources', () => {
    const lamp = 'The lamp was lit in March 1871 by Ada Finch.';
    const passage = logPassage(lamp);
    const reviewed = (sentence: string, profile = {}) => {
      const text = `${LONG}\n${sentence}\n`;
      const asked = { profile, minimum: 900, known: 'Rotterdam', headings: null };
      const rules = reviewByRules(text, [passage], [], asked);
      return auditOf(
        { score: 95, should_revise: false, comments: '', reviewer: 'm', findings: [] },
        withReviewer(text, rules, [], [passage]),
        { minimum: 900, revision: 0, fallbackStages: [] },
      );
    };

    it('B26 an uncited invention lowers the score and is revised, however high the reviewer scores', () => {
      const invented = reviewed('The tower was 93 metres high. Queen Beatrix opened it on 5 June 1999.');
      expect(invented).toMatchObject({ score: 88, effective_should_revise: true });
      const contradicted = reviewed('Ada Finch lit it in March 1872.[^s1]');
      expect(contradicted).toMatchObject({ score: 94, effective_should_revise: true });
    });

    it('B26 a supported statement, a name from the brief and fiction need no revision', () => {
      for (const sentence of ['Ada Finch lit it in 1871.[^s1]', 'Who would sail to Rotterdam?'])
        expect(reviewed(sentence)).toMatchObject({ score: 95, effective_should_revise: false });
      expect(reviewed('Queen Beatrix was 93.', { genre: 'Novel' })).toMatchObject({ findings: [] });
      expect(reviewed('Queen Beatrix was 93.', { genre: 'Non-fiction' }).findings).toHaveLength(1);
    });
  });
});
