import { OFFLINE_WRITER_LABEL } from '#contracts/model-facts.js';
import type { InThread, RunModel } from '#kit/graph/ports.js';
import type { NewRunEvent } from '#catalogue/events.js';
import { Command, MemorySaver } from '@langchain/langgraph';
import { revisionChanges } from '#writing/paragraph-decisions.js';
import { splitParagraphs } from '#writing/paragraphs.js';
import { articleFacts } from '../facts.js';
import { buildArticleGraph } from './definition.js';
import type { ArticlePorts, FoundPassage } from './ports.js';
import { ArticleRules } from './rules.js';
import type { RulesWork } from '#kit/graph/rules-by-name.js';
import applyRules from './rules.worker.js';
import { buildInitialState, type ArticleState } from './state.js';

const A2 = [
  ...['mode', 'topic', 'keywords', 'user_text', 'research_report', 'research_sources', 'style_fragments'],
  ...['raw_draft', 'styled_draft', 'human_feedback', 'approved', 'iteration_count', 'messages', 'session_id'],
  ...['duplicate_detected', 'duplicate_article'],
];
const FOUND: FoundPassage = {
  id: 'chk_1',
  source_id: 'src_1',
  source_title: 'Log',
  author: null,
  text: 'The lamp burns 40 litres of oil a week. It is lit at dusk.',
  span: { start: 0, end: 57 },
  heading_path: ['Log', 'The lamp'],
  url: '/api/log',
  kind: 'collection',
  collection_id: 'col_1',
  fetched_at: null,
  date: null,
  summary: null,
};
const CORPUS = [{ title: 'One', text: 'We write short sentences. We say what we did.\n' }];
const inThread = ((_module, input) => Promise.resolve(applyRules(input as RulesWork))) as InThread;

/** Drives the graph of articles without a model, a step of a person at a time. */
class Desk {
  readonly queries: string[] = [];
  readonly saved: object[] = [];
  readonly kept: string[] = [];
  readonly events: NewRunEvent[] = [];
  private readonly graph;
  private readonly config = { configurable: { thread_id: 'run_1' } };

  constructor(private readonly found: FoundPassage[] = [FOUND]) {
    const ports: ArticlePorts = {
      research: {
        find: (query) => {
          this.queries.push(query);
          return Promise.resolve(this.found);
        },
      },
      style: { fragments: () => Promise.resolve([]), texts: () => Promise.resolve(CORPUS) },
      log: {
        resembling: () => Promise.resolve(null),
        save: (entry) => Promise.resolve(void this.saved.push(entry)),
      },
      proposals: {
        add: () => Promise.resolve(),
        rejected: () => Promise.resolve([]),
        decide: () => Promise.resolve(),
      },
      overruled: () => Promise.resolve([]),
      approved: () => Promise.resolve(null),
      read: () => Promise.resolve(''),
      keep: (text) => Promise.resolve(`key-${this.kept.push(text)}`),
      model: { label: OFFLINE_WRITER_LABEL } as RunModel,
      rules: new ArticleRules(inThread),
      offline: true,
      emit: (event) => void this.events.push(event),
      settings: { decisionDeadlineSeconds: 60 },
    };
    this.graph = buildArticleGraph(ports).compile({ checkpointer: new MemorySaver() });
  }

  async start(mode: ArticleState['mode'], inputs: ArticleState['inputs']): Promise<void> {
    await this.graph.invoke(buildInitialState('ses_1', mode, inputs), this.config);
  }

  async answer(output: object): Promise<void> {
    await this.graph.invoke(new Command({ resume: { ok: true, output } }), this.config);
  }

  async state(): Promise<ArticleState> {
    return (await this.graph.getState(this.config)).values as ArticleState;
  }
}

describe('the state of articles', () => {
  it('A2 has the required keys, and neither a draft nor a text in messages', async () => {
    const desk = new Desk();
    await desk.start('author', { topic: 'The lamp', keywords: ['oil'] });
    await desk.answer({ action: 'approve' });
    await desk.answer({ action: 'reject', feedback: 'Say more.' });
    await desk.answer({ action: 'edit', text: '# The lamp\n\nEdited words of a person.\n' });
    const state = await desk.state();
    expect(Object.keys(state)).toEqual(expect.arrayContaining(A2));
    expect(state).toMatchObject({ status: 'completed', approved: true, iteration_count: 1 });
    const said = state.messages.map(({ text }) => text).join('\n');
    expect(said).toContain('Say more.');
    for (const text of [
      state.raw_draft,
      state.styled_draft,
      state.research_report,
      state.final_text,
      FOUND.text,
    ])
      expect(said).not.toContain(text.slice(0, 30));
    expect(desk.saved).toEqual([{ topic: 'The lamp', keywords: ['oil'], mode: 'author', word_count: 7 }]);
    expect(articleFacts.results({ ...state, messages: [] })['article']).toBe(`key-${desk.kept.length}`);
  });

  it('A2 keeps the submitted text out of messages in shadow mode', async () => {
    const desk = new Desk();
    await desk.start('shadow', { user_text: 'We wrote the the text.\n' });
    await desk.answer({ action: 'reject', reason: 'Why?' });
    await desk.answer({ action: 'approve' });
    const state = await desk.state();
    expect(state.final_text).toBe('We wrote the text.\n');
    expect(state.messages.map(({ text }) => text).join('\n')).not.toContain('We wrote');
  });

  it('A6 searches for each heading that a person gave or adds at the pause', async () => {
    const desk = new Desk();
    const heading = (title: string) => ({ level: 2, title });
    await desk.start('author', { topic: 'The lamp', headings: [heading('Oil'), heading('Dusk')] });
    expect(desk.queries).toEqual(['The lamp Oil', 'The lamp Dusk']);
    await desk.answer({ action: 'approve', headings: [heading('Oil'), heading('Wick')] });
    expect(desk.queries.slice(2)).toEqual(['The lamp Wick']);
    const { sections, passages, raw_draft } = await desk.state();
    expect(passages).toHaveLength(1);
    expect(sections.map(({ heading: { title }, labels }) => [title, labels])).toEqual([
      ['Oil', ['s1']],
      ['Wick', ['s1']],
    ]);
    expect(raw_draft.match(/40 litres/g)).toHaveLength(1);
  });

  it('A6 searches for an added heading if the research proposed the others', async () => {
    const desk = new Desk();
    await desk.start('author', { topic: 'The lamp' });
    const { headings } = await desk.state();
    expect(desk.queries).toEqual(['The lamp']);
    const added = [...headings, { level: 2, title: 'Wick' }, { level: 3, title: 'Trimming' }];
    await desk.answer({ action: 'approve', headings: added });
    expect(desk.queries.slice(1)).toEqual(['The lamp Wick', 'The lamp Trimming']);
  });

  it('A6 reports that nothing was found', async () => {
    const nothing = new Desk([]);
    await nothing.start('author', { topic: 'Whales' });
    expect(await nothing.state()).toMatchObject({ status: 'failed', error_type: 'no_sources' });
  });

  it('A4 A12 adds no unapproved article to the log', async () => {
    const desk = new Desk();
    await desk.start('author', { topic: 'The lamp' });
    await desk.answer({ action: 'approve' });
    for (const feedback of ['1', '2', '3']) await desk.answer({ action: 'reject', feedback });
    expect(await desk.state()).toMatchObject({
      status: 'rejected',
      error_type: 'rejected',
      iteration_count: 3,
    });
    expect(desk.saved).toEqual([]);
    expect(new Set(desk.events.map(({ effectKey }) => effectKey)).size).toBe(desk.events.length);
  });

  it('A4 X8 goes on after any number of rejected paragraphs, and ends at the third rejection of the whole draft', async () => {
    const desk = new Desk();
    const headings = ['Oil', 'Dusk', 'Wick'].map((title) => ({ level: 2, title }));
    await desk.start('author', { topic: 'The lamp', headings });
    await desk.answer({ action: 'approve' });
    await desk.answer({ action: 'reject', feedback: 'Say more.' });
    for (const round of [1, 2, 3]) {
      const state = await desk.state();
      expect(state).toMatchObject({ status: 'running', iteration_count: round });
      const victim = splitParagraphs(state.styled_draft).at(-1)!;
      const paragraphs = [{ paragraph_id: victim.id, accepted: false }];
      await desk.answer({ action: 'decide', paragraphs });
    }
    await desk.answer({ action: 'reject', feedback: 'Not yet.' });
    expect(await desk.state()).toMatchObject({ status: 'running' });
    await desk.answer({ action: 'reject', feedback: 'No.' });
    expect(await desk.state()).toMatchObject({ status: 'rejected', iteration_count: 6, whole_rejections: 3 });
  });

  it('A4 A7 goes on after any number of unwanted corrections', async () => {
    const desk = new Desk();
    await desk.start('shadow', { user_text: 'We wrote the the text.\n\nIt is is long.\n\nAll of of it.\n' });
    for (let round = 0; round < 3; round++) {
      const { user_text, corrected_version } = await desk.state();
      const [change] = revisionChanges(user_text, corrected_version);
      const changes = [{ change_id: change!.id, accepted: false }];
      await desk.answer({ action: 'reject', reason: 'Leave this one.', changes });
    }
    expect(await desk.state()).toMatchObject({ status: 'running', iteration_count: 3, whole_rejections: 0 });
  });
});
