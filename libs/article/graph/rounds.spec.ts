import { BudgetExceededError, type InThread, type RunModel } from '#kit/graph/ports.js';
import { OFFLINE_WRITER_LABEL } from '#contracts/model-facts.js';
import type { NewRunEvent } from '#catalogue/events.js';
import { RunFailure } from '#engine/kind.js';
import { AIMessage } from '@langchain/core/messages';
import { Command, MemorySaver } from '@langchain/langgraph';
import { researchDetailsSchema } from '../contract/values.js';
import { buildArticleGraph } from './definition.js';
import type { ArticlePorts, FoundPassage } from './ports.js';
import { ArticleRules } from './rules.js';
import type { RulesWork } from '#kit/graph/rules-by-name.js';
import applyRules from './rules.worker.js';
import { buildInitialState, type ArticleState } from './state.js';

const found = (id: string, text: string, date: string | null = null): FoundPassage => ({
  id,
  source_id: `src_${id}`,
  source_title: `Source ${id}`,
  author: 'Ada Finch',
  text,
  span: { start: 0, end: text.length },
  heading_path: [],
  url: `/api/${id}`,
  kind: 'collection',
  collection_id: 'col_1',
  fetched_at: null,
  date,
  summary: null,
});
const LAMP = found('a', 'The lamp burns oil.');
const NINE = found('b', 'The frost held for nine days.', '1893-02-01');
const FORTNIGHT = found('c', 'The frost held for a fortnight.');
const inThread = ((_module, input) => Promise.resolve(applyRules(input as RulesWork))) as InThread;

type Answer = object | string | Error;
const QUESTIONS = {
  questions: [
    { perspective: 'sceptic', question: 'How long was the frost?', queries: ['frost days'] },
    { perspective: 'newcomer', question: 'What is a wick?', queries: ['wick'] },
  ],
};
const OPEN = { open: [{ id: 'q2', queries: ['wick trimming'] }], answered: [{ id: 'q1', passages: ['s2'] }] };
const REPORT = '## Frost\n\nThe frost held for nine days.[^s2]\n';
const SECOND = '## Frost\n\nThe frost held for a fortnight.[^s2]\n';
const HEADINGS = {
  headings: [
    { level: 1, title: 'Ice' },
    { level: 2, title: 'Frost' },
  ],
};

/** Drives the research of an article with a scripted model and search. */
class Researcher {
  readonly queries: string[] = [];
  readonly asked: string[] = [];
  readonly prompts: string[] = [];
  readonly events: NewRunEvent[] = [];
  private readonly graph;
  private readonly config = { configurable: { thread_id: 'run_1' } };

  constructor(
    answers: Record<string, Answer[]>,
    results: Record<string, FoundPassage[] | Error>,
    { offline = false } = {},
  ) {
    const call: RunModel['call'] = ({ operation = '', messages }) => {
      if (operation === 'review_claims')
        return Promise.resolve(new AIMessage('{"findings": [], "proofs": []}'));
      this.asked.push(operation);
      this.prompts.push(messages.map(({ text }) => text).join('\n'));
      const answer = answers[operation]?.shift() ?? new Error(`no answer to ${operation}`);
      if (answer instanceof Error) return Promise.reject(answer);
      return Promise.resolve(new AIMessage(typeof answer === 'string' ? answer : JSON.stringify(answer)));
    };
    const find = (query: string) => {
      this.queries.push(query);
      const result = results[query] ?? [];
      return result instanceof Error ? Promise.reject(result) : Promise.resolve(result);
    };
    const ports: ArticlePorts = {
      research: { find },
      style: { fragments: () => Promise.resolve([]), texts: () => Promise.resolve([]) },
      log: { resembling: () => Promise.resolve(null), save: () => Promise.resolve() },
      proposals: {
        add: () => Promise.resolve(),
        rejected: () => Promise.resolve([]),
        decide: () => Promise.resolve(),
      },
      overruled: () => Promise.resolve([]),
      approved: () => Promise.resolve(null),
      read: () => Promise.resolve(''),
      keep: () => Promise.resolve('key'),
      model: { label: offline ? OFFLINE_WRITER_LABEL : 'model', call } as RunModel,
      rules: new ArticleRules(inThread),
      offline,
      emit: (event) => void this.events.push(event),
      settings: { decisionDeadlineSeconds: 60 },
    };
    this.graph = buildArticleGraph(ports).compile({ checkpointer: new MemorySaver() });
  }

  /** Runs until the question about the research; returns its details. */
  async start(inputs: ArticleState['inputs'] = {}) {
    const state = buildInitialState('ses_1', 'author', { topic: 'The lamp', ...inputs });
    await this.graph.invoke(state, this.config);
    return this.details();
  }

  async answer(output: object) {
    await this.graph.invoke(new Command({ resume: { ok: true, output } }), this.config);
    return this.details();
  }

  /** Approves the report, with other headings if given, and runs until the draft is asked for. */
  async approve(headings?: object[]): Promise<void> {
    const output = { action: 'approve', ...(headings ? { headings } : {}) };
    await this.graph.invoke(new Command({ resume: { ok: true, output } }), this.config);
  }

  async state(): Promise<ArticleState> {
    return (await this.graph.getState(this.config)).values as ArticleState;
  }

  private async details() {
    const { tasks } = await this.graph.getState(this.config);
    const request = tasks[0]?.interrupts[0]?.value as { input: { details: unknown } };
    return researchDetailsSchema.parse(request.input.details);
  }
}

const shortfall = { scope: 'run', unit: 'tokens', spent: 1, reserved: 0, needed: 2, limit: 2 } as const;

describe('A6 research in rounds', () => {
  it('asks from several perspectives, searches for each question, and searches again for open questions', async () => {
    const conflicts = [
      {
        about: 'the frost',
        sides: [
          { passage: 's2', quote: 'nine days' },
          { passage: 's3', quote: 'a fortnight' },
        ],
      },
    ];
    const researcher = new Researcher(
      {
        research_questions: [QUESTIONS],
        assess_research: [{ ...OPEN, conflicts }, { open: [{ id: 'q2', queries: ['never made'] }] }],
        research_report: [REPORT],
        propose_headings: [HEADINGS],
      },
      {
        'The lamp': [LAMP],
        'frost days': [NINE, FORTNIGHT],
        'wick trimming': [found('d', 'A wick is trimmed.')],
      },
    );
    const details = await researcher.start();
    expect(researcher.queries).toEqual(['The lamp', 'frost days', 'wick', 'wick trimming']);
    const [first, second] = researcher.prompts.filter((_, n) => researcher.asked[n] === 'assess_research');
    expect(first).toContain('The lamp burns oil.');
    expect(second).toMatch(
      /<passages>\n<passage id="s4"[^>]*>\nA wick is trimmed\.\n<\/passage>\n<\/passages>/,
    );
    expect(details.questions).toEqual([
      {
        id: 'q1',
        perspective: 'sceptic',
        question: 'How long was the frost?',
        status: 'answered',
        labels: ['s2'],
        queries: ['frost days'],
      },
      expect.objectContaining({ id: 'q2', status: 'open', queries: ['wick', 'wick trimming'] }),
    ]);
    expect(details.conflicts[0]!.sides.map(({ label, quote }) => [label, quote])).toEqual([
      ['s2', 'nine days'],
      ['s3', 'a fortnight'],
    ]);
    expect([details.rounds, details.end]).toEqual([2, 'rounds']);
    expect(details.sources[1]).toMatchObject({
      author: 'Ada Finch',
      date: '1893-02-01',
      kind: 'collection',
      span: { start: 0, end: 29 },
    });
    const report = researcher.prompts[researcher.asked.indexOf('research_report')]!;
    expect(report).toContain('q2 (open, newcomer): What is a wick? Searched: wick; wick trimming.');
    expect(report).toContain('the frost: s2 says "nine days"; s3 says "a fortnight"');
    expect(report).toContain('source="Source b" author="Ada Finch" date="1893-02-01"');
    const rounds = researcher.events.filter(({ type }) => type === 'research_round');
    expect(rounds.map(({ data }) => [data['round'], data['open'], data['end']])).toEqual([
      [1, 1, null],
      [2, 1, 'rounds'],
    ]);
  });

  it('asks the model nothing after a further round that found nothing', async () => {
    const researcher = new Researcher(
      {
        research_questions: [QUESTIONS],
        assess_research: [OPEN],
        research_report: [REPORT],
        propose_headings: [HEADINGS],
      },
      { 'The lamp': [LAMP], 'frost days': [NINE] },
    );
    expect(await researcher.start()).toMatchObject({ rounds: 2, end: 'no_more_queries' });
    expect(researcher.asked.filter((operation) => operation === 'assess_research')).toHaveLength(1);
  });

  it('plans the article together with its headings, and again only if a person changes them', async () => {
    const [title, frost] = HEADINGS.headings;
    const planned = { headings: [title, { ...frost, points: ['It held.'], labels: ['s2', 's9'] }] };
    const answers = () => ({
      research_report: [REPORT],
      propose_headings: [planned],
      plan_article: [{ sections: [{ title: 'Ice in March', labels: ['s1'] }] }],
      author_draft: [`# Ice\n\n${REPORT}`, `# Ice\n\n${REPORT.replace('Frost', 'Ice in March')}`],
    });
    const results = { 'The lamp': [LAMP, NINE] };
    const researcher = new Researcher(answers(), results);
    const { headings } = await researcher.start({ research_rounds: 0 });
    expect(headings).toEqual(HEADINGS.headings);
    await researcher.approve();
    expect(researcher.asked).toEqual(['research_report', 'propose_headings', 'author_draft']);
    expect((await researcher.state()).sections).toEqual([
      { heading: frost, points: ['It held.'], labels: ['s2'] },
    ]);
    expect(researcher.prompts.at(-1)).toContain('The frost held for nine days.');
    expect(researcher.prompts.at(-1)).not.toContain('The lamp burns oil.');
    const changed = new Researcher(answers(), results);
    await changed.start({ research_rounds: 0 });
    await changed.approve([title!, { level: 2, title: 'Ice in March' }]);
    expect(changed.asked).toContain('plan_article');
  });

  it('ends early when everything is answered, and skips rounds if none is requested', async () => {
    const answers = () => ({
      research_questions: [QUESTIONS],
      assess_research: [{ answered: ['q1', 'q2'].map((id) => ({ id, passages: ['s1'] })) }],
      research_report: [REPORT.replace('s2', 's1')],
      propose_headings: [HEADINGS],
    });
    const results = { 'The lamp': [NINE] };
    const researcher = new Researcher(answers(), results);
    expect(await researcher.start()).toMatchObject({ rounds: 1, end: 'answered' });
    const plain = new Researcher(answers(), results);
    expect(await plain.start({ research_rounds: 0 })).toMatchObject({ rounds: 0, questions: [] });
    expect(plain.asked).toEqual(['research_report', 'propose_headings']);
  });

  it.each([
    ['budget', { assess_research: [new BudgetExceededError(shortfall)] }, {}],
    ['searches', {}, { 'frost days': new RunFailure('research_quota', 'No more.') }],
  ])('reports partial results when its %s is used up', async (end, answers, results) => {
    const researcher = new Researcher(
      {
        research_questions: [QUESTIONS],
        assess_research: [OPEN],
        research_report: [REPORT.replace('s2', 's1')],
        propose_headings: [HEADINGS],
        ...answers,
      },
      { 'The lamp': [NINE], ...results },
    );
    const details = await researcher.start();
    expect(details).toMatchObject({ end, rounds: 1 });
    expect(details.questions.map(({ status }) => status)).toContain('open');
  });

  it('searches for the questions of a person, and rewrites the report', async () => {
    const researcher = new Researcher(
      {
        research_questions: [QUESTIONS],
        assess_research: [
          { answered: ['q1', 'q2'].map((id) => ({ id, passages: ['s1'] })) },
          { answered: [{ id: 'q3', passages: ['s2'] }] },
        ],
        research_report: [REPORT.replace('s2', 's1'), SECOND],
        propose_headings: [HEADINGS],
      },
      { 'The lamp': [NINE], 'Who measured it?': [FORTNIGHT] },
    );
    const first = await researcher.start();
    const again = await researcher.answer({
      action: 'search',
      questions: ['Who measured it?'],
      headings: [...first.headings, { level: 2, title: 'Measures' }],
    });
    expect(again).toMatchObject({ report: SECOND, rounds: 1, end: 'answered' });
    expect(again.questions[2]).toMatchObject({ perspective: 'editor', status: 'answered', labels: ['s2'] });
    expect(again.headings.at(-1)).toEqual({ level: 2, title: 'Measures' });
  });

  it('searches for a heading that a person adds together with a question', async () => {
    const answers = {
      research_questions: [QUESTIONS],
      assess_research: [{ answered: ['q1', 'q2'].map((id) => ({ id, passages: ['s1'] })) }, {}],
      research_report: [REPORT.replace('s2', 's1'), REPORT.replace('s2', 's1')],
      propose_headings: [HEADINGS],
      plan_article: [{ sections: [{ title: 'Measures' }] }],
      author_draft: [`# Ice\n\n${REPORT.replace('s2', 's1')}\n## Measures\n`],
    };
    const researcher = new Researcher(answers, { 'The lamp': [NINE], 'The lamp Measures': [FORTNIGHT] });
    const { headings } = await researcher.start();
    const added = [...headings, { level: 2, title: 'Measures' }];
    await researcher.answer({ action: 'search', questions: ['Who paid?'], headings: added });
    expect(researcher.queries).not.toContain('The lamp Measures');
    await researcher.approve();
    expect(researcher.queries).toContain('The lamp Measures');
    expect(researcher.queries).not.toContain('The lamp Frost');
    expect((await researcher.state()).passages.map(({ source_id: id }) => id)).toEqual(['src_b', 'src_c']);
  });

  it('continues with what was found when the searches are used up, also for headings', async () => {
    const used = new RunFailure('research_quota', 'No more.');
    const answers = {
      research_questions: [QUESTIONS],
      research_report: [REPORT.replace('s2', 's1')],
      plan_article: [{ sections: [{ title: 'Frost', labels: ['s1'] }] }],
      author_draft: [`# Ice\n\n${REPORT.replace('s2', 's1')}\n## Wicks\n`],
    };
    const inputs = { headings: ['Frost', 'Wicks'].map((title) => ({ level: 2, title })) };
    const researcher = new Researcher(answers, { 'The lamp Frost': [NINE], 'The lamp Wicks': used });
    expect(await researcher.start(inputs)).toMatchObject({ end: 'searches', rounds: 0 });
    await researcher.approve();
    expect(await researcher.state()).toMatchObject({ sections: [{ labels: ['s1'] }, { labels: [] }] });
    expect(researcher.asked).toContain('author_draft');
    const none = new Researcher(answers, { 'The lamp': used });
    await expect(none.start()).rejects.toMatchObject({ code: 'research_quota' });
  });

  it('finds passages for a heading that a person adds, however many were found before', async () => {
    const many = Array.from({ length: 60 }, (_, n) => found(`m${n}`, `Lamp number ${n} burns.`));
    const answers = {
      research_report: ['## Frost\n\nThe lamp burns.[^s1]\n'],
      propose_headings: [HEADINGS],
      plan_article: [{ sections: [{ title: 'Measures', labels: ['s49'] }] }],
      author_draft: ['# Ice\n\n## Frost\n\nThe lamp burns.[^s1]\n\n## Measures\n'],
    };
    const researcher = new Researcher(answers, { 'The lamp': many, 'The lamp Measures': [FORTNIGHT] });
    const { headings } = await researcher.start({ research_rounds: 0 });
    const added = [...headings, { level: 2, title: 'Measures' }];
    await researcher.approve(added);
    const { sections } = await researcher.state();
    expect(sections.at(-1)).toMatchObject({ heading: { title: 'Measures' }, labels: ['s49'] });
  });

  it('without a model, searches once for each heading, asks no questions and reports it', async () => {
    const researcher = new Researcher({}, { 'The lamp': [LAMP], 'Who paid?': [NINE] }, { offline: true });
    expect(await researcher.start()).toMatchObject({ questions: [], rounds: 0, end: 'rules' });
    expect((await researcher.state()).fallback_stages).toContain('research_questions');
    const again = await researcher.answer({ action: 'search', questions: ['Who paid?'] });
    expect(again.questions).toMatchObject([{ status: 'open', labels: ['s2'] }]);
    expect(again.report).toContain('nine days');
    expect((await researcher.state()).fallback_stages).toContain('assess_research');
  });
});
