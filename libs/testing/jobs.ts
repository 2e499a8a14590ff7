import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '#embedded/project-root.js';
import type { ApiClient, DecisionView, RunView } from './api-client.js';
import { ArticleDesk } from './article-desk.js';
import { exampleFiles } from './examples.js';
import { until } from './until.js';

type Json = Record<string, unknown>;

/** A job with fixed sources, for the evaluation of models and for recordings. */
interface Job {
  kind: 'document' | 'book' | 'article' | 'plan';
  /** Creates what the job needs and starts its run. */
  start(client: ApiClient): Promise<Pick<RunView, 'id'>>;
  /** Returns the answer of a person; by default a decision's default answer. */
  answer?(decision: DecisionView): Json;
}

const EXAMPLES = join(projectRoot(), 'examples');
/** Sources of jobs that are not in `examples/`. */
const SOURCES = join(projectRoot(), 'test/fixtures/jobs');
const textsOf = (folder: string, names = readdirSync(folder)) =>
  Object.fromEntries(names.map((name) => [name, readFileSync(join(folder, name), 'utf8')]));
const bookNotes = () => textsOf(join(EXAMPLES, 'book'));

async function created(client: ApiClient, path: string, body: Json): Promise<Json> {
  const { status, json, text } = await client.post(path, body);
  if (status >= 300) throw new Error(`${path}: ${status} ${text}`);
  return json;
}

/** Posts a run or a plan. */
const started = async (client: ApiClient, path: string, body: Json) =>
  (await created(client, path, body)) as unknown as RunView;

/** A short note, a log, a table and a piece of code. */
const MIXED = {
  'note.md':
    '# Handover of the label service\n\nThe label service prints up to 40 labels a minute. Restart it with `systemctl restart labels`.\n',
  'labels.log': Array.from(
    { length: 40 },
    (_, n) =>
      `2026-03-04 09:${String(n).padStart(2, '0')}:07 INFO label ${1_000 + n} printed in ${(n * 37) % 90} ms`,
  ).join('\n'),
  'zones.csv': 'zone,surcharge\nA,1.10\nB,2.50\nC,4.00\n',
  'retry.py':
    'def retry(job, limit=3):\n    for attempt in range(limit):\n        if job():\n            return attempt\n    raise RuntimeError("gave up")\n',
};

/** @param rounds of research; by default, as many as the product does */
const article =
  (rounds: { research_rounds?: number } = {}) =>
  async (client: ApiClient): Promise<RunView> => {
    const desk = new ArticleDesk(client);
    await desk.collection('knowledge', bookNotes());
    return desk.start('author', { topic: 'How the light was lit', ...rounds });
  };

const articleAnswer: Job['answer'] = ({ decision_type }) => ({
  action: decision_type.includes('research') ? 'approve' : 'accept',
});

/** @param rounds of research; by default, as many as the product does */
const chapter =
  (rounds: { research_rounds?: number } = {}) =>
  async (client: ApiClient): Promise<RunView> => {
    const profile = { title: 'The Keeper of the Light', language: 'en', chapter_length: 'short' };
    const { id } = await created(client, '/api/books/projects', profile);
    const sources = `/api/books/projects/${String(id)}/sources`;
    for (const [title, content] of Object.entries(bookNotes()))
      await created(client, sources, { title, content });
    await client.request('PATCH', `/api/books/projects/${String(id)}`, {
      outline_json: { chapters: [{ title: 'How the light was lit' }] },
    });
    await until(
      'the sources of the book are ready',
      async () => (await client.get(sources)).json.items as { metadata_json: { state: string } }[],
      (items) => items.every(({ metadata_json }) => metadata_json.state === 'ready'),
    );
    return started(client, '/api/agents/runs', {
      project_id: id,
      mode: 'chapter',
      inputs: { chapter_number: 1, ...rounds },
    });
  };

const CODE = ['04-rate-engine.ts', '05-import_rates.py', '06-schema.sql'];

type SessionFiles = Parameters<ApiClient['sessionWith']>[0];
const document = (files: () => SessionFiles): Job => ({
  kind: 'document',
  start: async (client) => client.startRun(await client.sessionWith(files())),
});
const plan = (files: () => SessionFiles, intent: string): Job => ({
  kind: 'plan',
  start: async (client) =>
    started(client, '/api/plans', { session_id: await client.sessionWith(files()), intent }),
});

export const JOBS: Readonly<Record<string, Job>> = {
  'document-mixed': document(() => MIXED),
  'document-handover': document(() => exampleFiles('handover')),
  'document-pump': document(() => textsOf(join(SOURCES, 'pump'))),
  'document-log': document(() => textsOf(join(SOURCES, 'pump'), ['pump.log'])),
  'document-code': document(() => textsOf(join(EXAMPLES, 'handover'), CODE)),
  'document-mail': document(() => textsOf(join(SOURCES, 'mail'))),
  chapter: { kind: 'book', start: chapter() },
  'chapter-one-search': { kind: 'book', start: chapter({ research_rounds: 0 }) },
  article: { kind: 'article', start: article(), answer: articleAnswer },
  'article-one-search': {
    kind: 'article',
    start: article({ research_rounds: 0 }),
    answer: articleAnswer,
  },
  'plan-average': plan(
    () => ({ 'zones.csv': MIXED['zones.csv'] }),
    'Read zones.csv and compute the average surcharge.',
  ),
  'plan-note': plan(
    () => textsOf(join(SOURCES, 'mail')),
    'Write a note of three sentences about these mails for the shift leader, as note.md.',
  ),
};

/** Result of a job. */
interface JobResult {
  run: RunView;
  /** Types of the decisions, in the order in which they were asked for. */
  decisions: string[];
}

/** Runs a job to its end and answers its decisions. */
export async function runJob(client: ApiClient, job: Job): Promise<JobResult> {
  const { id } = await job.start(client);
  const decisions: string[] = [];
  let after = 0;
  for (;;) {
    const last = (await client.events(id, ({ type }) => type === 'decision_required', after)).at(-1)!;
    if (last.type === 'done') return { run: await client.run(id), decisions };
    after = last.seq;
    const decision = (await client.get(`/api/decisions/${String(last.data['decision_id'])}`))
      .json as unknown as DecisionView;
    if (decision.status !== 'open') continue;
    decisions.push(decision.decision_type);
    await created(
      client,
      `/api/decisions/${decision.id}/answer`,
      job.answer?.(decision) ?? decision.default_answer,
    );
  }
}

/** Returns how a job ended: status, error code, decisions and the figures of its progress. */
export function endOf({ run, decisions }: JobResult): Json {
  return {
    status: run.status,
    error: run.error?.code ?? null,
    decisions,
    ...figuresOf(run.progress.details as Json),
  };
}

/** Returns the plain values of a progress, and the length of each list; times and IDs are left out. */
function figuresOf(details: Json): Json {
  const entries = Object.entries(details).flatMap(([name, value]): [string, unknown][] => {
    if (name === 'output_payload') return Object.entries(figuresOf(value as Json));
    if (/_id$|_json$/.test(name)) return [];
    if (Array.isArray(value)) return [[name, value.length]];
    return typeof value === 'object' && value !== null ? [] : [[name, value]];
  });
  return Object.fromEntries(entries);
}
