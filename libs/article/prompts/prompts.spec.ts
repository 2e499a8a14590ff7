import { sharedPrefix } from '#testing/shared-prefix.js';
import { buildInitialState, type ArticleState, type ResearchPassage } from '../graph/state.js';
import * as operations from './operations.js';

const passage = (index: number): ResearchPassage => ({
  id: `chk_${index}`,
  label: `s${index}`,
  source_id: `src_${index}`,
  source_title: 'Minutes',
  author: null,
  text: `Passage ${index} says what the council decided. `.repeat(50),
  span: { start: 0, end: 2_400 },
  heading_path: [],
  headings: [],
});

describe('prompts of an article', () => {
  it('have a common beginning: each further call shares at least 4,000 tokens of long passages', () => {
    const labels = Array.from({ length: 8 }, (_, index) => `s${index + 1}`);
    const state = {
      ...buildInitialState('ses_1', 'author', { topic: 'The winter of 1893' } as never),
      passages: Array.from({ length: 10 }, (_, index) => passage(index + 1)),
      headings: [{ level: 1, title: 'Ice' }],
      sections: [{ heading: { level: 2, title: 'The harbour' }, points: ['It froze.'], labels }],
      research_questions: [],
      research_conflicts: [],
      research_report: 'The harbour froze.[^s1]',
      human_feedback: 'Shorter, please.',
      rejected_paragraphs: [],
      draft_findings: [],
    } as unknown as ArticleState;
    const draft = '## The harbour\n\nIt froze.[^s1]';
    const prompts = (all: { system: string; prompt: string }[]) =>
      all.map(({ system, prompt }) => `${system}\n${prompt}`);
    const { writeReport, planArticle, reviseDraft, writeDraft, correctDraft } = operations;
    const research = prompts([writeReport(state), planArticle(state), reviseDraft(state, draft)]);
    const writing = prompts([writeDraft(state), correctDraft(state, draft, [])]);
    for (const [first = '', ...others] of [research, writing])
      for (const prompt of others) expect(sharedPrefix(first, prompt) / 4).toBeGreaterThanOrEqual(4_000);
    expect(writing[0]).toContain('Passage 8 says');
    expect(writing[0]).not.toContain('Passage 9 says');
  });
});
