/**
 * Measures the cost of a book without its model: `npm run bench:book [-- --chapters 30] [--words 3000] [--json file]`.
 * The whole embedded stack writes a book with a model that answers immediately, so that only our own work remains.
 */
import { ensureFirstKey } from '#embedded/first-key.js';
import { startStack } from '#embedded/stack.js';
import { tokensOf } from '#llm/tokens.js';
import { ApiClient } from '#testing/api-client.js';
import { BookModel } from '#testing/book-model.js';
import { startModelStub } from '#testing/model-stub.js';
import { until } from '#testing/until.js';
import { mkdtemp, rm } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { percentiles } from './engine/figures.js';
import { benchOptions } from './options.js';
import { sourceText } from './knowledge/texts.js';

const { sizes, save } = benchOptions({ chapters: [30, 4], words: [3_000, 300] });
const { chapters, words } = sizes;
const SOURCES = 4;
/**
 * Chapters whose prompts are compared: from the third on, prompts contain everything that they say about earlier
 * chapters.
 */
const EARLY = 3;

/** Writes all chapters, and returns how long each searched for passages, in milliseconds. */
async function write(
  client: ApiClient,
  project: string,
): Promise<{ seconds: number; retrievalMs: number[] }> {
  const { json: run } = await client.post('/api/agents/runs', { project_id: project, mode: 'book' });
  const from = performance.now();
  const events = await client.events(String(run.id));
  const seconds = (performance.now() - from) / 1_000;
  await client.completed(String(run.id));
  const children = new Set(
    events.flatMap(({ type, data }) => (type === 'child_run' ? [String(data['run_id'])] : [])),
  );
  const told = await Promise.all([...children].map((id) => client.events(id)));
  const retrieved = told.flat().filter(({ data }) => data['node'] === 'chapter_retrieve_context');
  return { seconds, retrievalMs: retrieved.map(({ data }) => Number(data['ms'])) };
}

async function prepare(client: ApiClient): Promise<string> {
  const { json } = await client.post('/api/books/projects', {
    title: 'A long book',
    language: 'en',
    chapter_length: 'long',
    chapter_count: chapters,
  });
  const sources = `/api/books/projects/${String(json.id)}/sources`;
  for (let n = 0; n < SOURCES; n++)
    await client.post(sources, { title: `Source ${n}`, content: sourceText(n) });
  await until(
    'every source of the book is ready',
    async () => (await client.get(sources)).json.items as { metadata_json: { state: string } }[],
    (items) => items.every(({ metadata_json: { state } }) => state === 'ready'),
  );
  const { json: outline } = await client.post('/api/agents/runs/?sync=1', {
    project_id: json.id,
    mode: 'toc',
  });
  if (outline.status !== 'completed') throw new Error(JSON.stringify(outline.error));
  return String(json.id);
}

/** Tokens of all prompts of a chapter. */
function promptTokens(model: BookModel, chapter: number): number {
  const texts = model.requests.flatMap(({ request: { messages } }) => {
    const text = messages.map(({ content }) => (typeof content === 'string' ? content : '')).join('\n');
    return new RegExp(`^Chapter ${chapter}: `, 'm').test(text) ? [text] : [];
  });
  return texts.reduce((sum, text) => sum + tokensOf(text), 0);
}

const dataDir = await mkdtemp(join(tmpdir(), 'scriptorium-bench-book-'));
const model = new BookModel(words + 50);
const stub = await startModelStub({ respond: model.respond });
const env = { OPENAI_API_KEY: 'sk-bench', OPENAI_BASE_URL: stub.baseUrl, OPENAI_MODEL: 'stub' };
const { PATH, HOME } = process.env;
const stack = await startStack({ dataDir, env: { PATH, HOME, LOG_LEVEL: 'error', ...env } });
try {
  const { key } = await ensureFirstKey(String(stack.env['DATABASE_URL']), dataDir);
  const client = new ApiClient(stack.url, key);
  const project = await prepare(client);
  const { seconds, retrievalMs } = await write(client, project);
  const [early, last] = [promptTokens(model, EARLY), promptTokens(model, chapters)];
  const figures = {
    chapters,
    wordsPerChapter: words,
    seconds: Math.round(seconds * 10) / 10,
    ownMsPerChapter: Math.round((seconds * 1_000) / chapters),
    [`promptTokensChapter${EARLY}`]: early,
    [`promptTokensChapter${chapters}`]: last,
    promptGrowth: Math.round((last / early) * 100) / 100,
    retrievalMs: percentiles(retrievalMs),
    loadAverage: loadavg()[0],
  };
  console.log(figures);
  save(figures);
} finally {
  await stack.stop();
  await stub.stop();
  await rm(dataDir, { recursive: true, force: true });
}
