import { BudgetExceededError, type RunModel } from '#kit/graph/ports.js';
import type { NewRunEvent } from '#catalogue/events.js';
import { AIMessage } from '@langchain/core/messages';
import type { RunnableConfig } from '@langchain/core/runnables';
import { describe, expect, it } from '@jest/globals';
import { draftChapter } from '../../prompts/chapter.js';
import { freshChapter, buildInitialState } from '../initial-state.js';
import { openWords } from '../checks.js';
import type { BookPorts, OutlinedChapter } from '../ports.js';
import type { Passage } from '../texts.js';
import type { BookState } from '../state.js';
import { contextOf } from './chapter-context.js';
import { planNode } from './chapter.js';
import { researchNode } from './research.js';

const passage = (id: string, text: string): Passage => ({
  id,
  source_id: `src_${id}`,
  source_title: 'Log',
  author: null,
  text,
  span: { start: 0, end: text.length },
  heading_path: [],
  weight: 3,
});
const LAMP = passage('a', 'The lamp burns oil.');
const NINE = passage('b', 'The frost held for nine days.');
const FORTNIGHT = passage('c', 'The frost held for a fortnight.');
const CHAPTER: OutlinedChapter = {
  id: 'cha_1',
  number: 1,
  title: 'Frost',
  status: 'planned',
  version: 0,
  summary: '',
  outline: { summary: '', sections: [], terms: [] },
};
const QUESTIONS = {
  questions: [
    { perspective: 'sceptic', question: 'How long was the frost?', queries: ['frost days'] },
    { perspective: 'newcomer', question: 'Who paid?', queries: ['money'] },
  ],
};
const PLANNED = {
  intent: 'What the frost was like.',
  sections: [{ title: 'Frost', points: ['how long'], passages: ['s2', 's3'] }],
  answered: [{ id: 'q1', passages: ['s2'] }],
  conflicts: [
    {
      about: 'the frost',
      sides: [
        { passage: 's2', quote: 'nine days' },
        { passage: 's3', quote: 'a fortnight' },
      ],
    },
  ],
};
const config = { configurable: { checkpoint_ns: 'chapter_research:1' } } as RunnableConfig;
const shortfall = { scope: 'run', unit: 'tokens', spent: 1, reserved: 0, needed: 2, limit: 2 } as const;

function portsOf(answers: (object | Error)[], { offline = false, genre = 'History' } = {}) {
  const events: NewRunEvent[] = [];
  const queries: string[] = [];
  const prompts: string[] = [];
  const call = ({ messages }: Parameters<RunModel['call']>[0]) => {
    prompts.push(messages.map(({ text }) => text).join('\n'));
    const answer = answers.shift() ?? new Error('no answer');
    return answer instanceof Error
      ? Promise.reject(answer)
      : Promise.resolve(new AIMessage(JSON.stringify(answer)));
  };
  const book = { title: 'Ice', profile: { genre }, synopsis: '', chapters: [CHAPTER], isStopping: false };
  const ports = {
    book: { load: () => Promise.resolve({ id: 'bok_1', ...book }) },
    knowledge: {
      search: (query: string) => {
        queries.push(query);
        return Promise.resolve(query === 'frost days' ? [NINE, FORTNIGHT, LAMP] : []);
      },
      toneSamples: () => Promise.resolve([]),
    },
    model: { label: 'model', call } as unknown as RunModel,
    offline,
    emit: (event: NewRunEvent) => void events.push(event),
  } as unknown as BookPorts;
  return { ports, events, queries, prompts };
}

/** Repeats the node until it plans no further search. */
async function research(ports: BookPorts, changes: Partial<BookState> = {}): Promise<BookState> {
  const given = { session_id: 's', project_id: 'p', trace_id: 't', mode: 'chapter' as const, inputs: {} };
  let state = {
    ...buildInitialState(given),
    ...freshChapter('cha_1', 1),
    knowledge_context: [{ ...LAMP, label: 's1' }],
    ...changes,
  };
  do state = { ...state, ...(await researchNode(ports)(state, config)) } as BookState;
  while (state.research?.end === null);
  return state;
}

describe('B14 research of a chapter', () => {
  it('B14 searches for answers, and passes open questions and conflicts to planner and author', async () => {
    const { ports, events, queries, prompts } = portsOf([QUESTIONS, PLANNED]);
    const searched = await research(ports);
    const state = { ...searched, ...(await planNode(ports)(searched, config)) } as BookState;
    expect(queries).toEqual(['frost days', 'money']);
    expect(state.knowledge_context.map(({ id, label }) => [id, label])).toEqual([
      ['a', 's1'],
      ['b', 's2'],
      ['c', 's3'],
    ]);
    expect(state.research).toMatchObject({ rounds: 1, end: 'no_more_queries' });
    expect(openWords(state.research!)).toEqual([
      'Open: Who paid?',
      'Sources disagree on the frost: [s2] "nine days", [s3] "a fortnight"',
    ]);
    expect(prompts.at(-1)).toContain('q2 (open, newcomer): Who paid? Searched: money.');
    const context = await contextOf(ports, state);
    expect(context.passages.map(({ label }) => label)).toEqual(['s2', 's3']);
    const { prompt } = draftChapter(context, []);
    expect(prompt).toContain('the frost: s2 says "nine days"; s3 says "a fortnight"');
    expect(events.map(({ type, data }) => [type, data['open']])).toEqual([['chapter_researched', 1]]);
  });

  it('B14 searches once for each question, however many there are', async () => {
    const questions = Array.from({ length: 12 }, (_, n) => ({
      perspective: 'keeper',
      question: `What happened on day ${n}?`,
      queries: [`day ${n}`, `log of day ${n}`],
    }));
    const { ports, queries } = portsOf([{ questions }]);
    await research(ports);
    expect(queries).toEqual(questions.map((asked) => asked.queries[0]));
  });

  it('B14 asks no questions for fiction, without passages, for a revision, or without rounds', async () => {
    const nothing = { questions: [], rounds: 0 };
    expect((await research(portsOf([], { genre: 'Novel' }).ports)).research).toMatchObject(nothing);
    const { ports } = portsOf([]);
    const steering = { present: 'x', feedback: 'y', rejections: [], kept: [] };
    const cases = [{ knowledge_context: [] }, { steering }, { inputs: { research_rounds: 0 } }];
    for (const changes of cases) expect((await research(ports, changes)).research).toMatchObject(nothing);
  });

  it('B14 X7 continues with partial results when the budget is used up, and reports that rules ask no questions', async () => {
    const { ports } = portsOf([QUESTIONS, new BudgetExceededError(shortfall)]);
    const short = await research(ports, { inputs: { research_rounds: 2 } });
    expect(short.research).toMatchObject({ end: 'budget' });
    const offline = await research(portsOf([], { offline: true }).ports);
    expect(offline.research).toMatchObject({ questions: [], end: 'rules' });
    expect(offline.fallback_stages).toEqual(['research_questions']);
  });
});
