/**
 * Quality of retrieval on a set in BEIR's format, loaded through the REST API: nDCG@10, recall@5 and @10, MRR and ms per query, beside a plain
 * BM25 over Snowball stems. Starts a stack of its own unless SCRIPTORIUM_URL and SCRIPTORIUM_API_KEY name a running one.
 * Usage: npm run eval:retrieval -- --corpus corpus.jsonl --queries queries.jsonl --qrels test.tsv [--language pl] [--mode hybrid] [--json out.json]
 * Several `--mode` are measured over the same index; the file has the figures of the last.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { ensureFirstKey } from '#embedded/first-key.js';
import { startStack } from '#embedded/stack.js';
import { ApiClient } from '#testing/api-client.js';
import { PlainBm25 } from './plain-bm25.js';
import { readBeir, textOf, type BeirDocument } from './retrieval/beir.js';
import { retrievalFigures, type Judgements, type RetrievalFigures } from './retrieval/figures.js';

const { values: options } = parseArgs({
  options: {
    corpus: { type: 'string' },
    queries: { type: 'string' },
    qrels: { type: 'string' },
    language: { type: 'string' },
    mode: { type: 'string', multiple: true, default: ['hybrid'] },
    json: { type: 'string' },
  },
});
const POLL_MS = 500;
/** Number of requested passages: a document may have several. */
const PASSAGES = 40;

interface Connection {
  client: ApiClient;
  stop(): Promise<void>;
}

async function connect(): Promise<Connection> {
  const { SCRIPTORIUM_URL: url, SCRIPTORIUM_API_KEY: key } = process.env;
  if (url && key) return { client: new ApiClient(url, key), stop: () => Promise.resolve() };
  const dataDir = await mkdtemp(join(tmpdir(), 'scriptorium-eval-'));
  const workers = { 'agent-runner': 0, validator: 0, converter: 0 };
  const stack = await startStack({
    dataDir,
    workers,
    env: { ...process.env, LOG_LEVEL: 'error', RATE_LIMIT_PER_MINUTE: '1000000' },
  });
  const { key: firstKey } = await ensureFirstKey(String(stack.env['DATABASE_URL']), dataDir);
  const client = new ApiClient(stack.url, firstKey);
  return {
    client,
    stop: async () => {
      await stack.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** @returns the id of each source's document */
async function load(
  client: ApiClient,
  path: string,
  documents: BeirDocument[],
): Promise<Map<string, string>> {
  const ids = new Map<string, string>();
  for (const document of documents) {
    const { _id: name, title, text: body } = document;
    // A document of a title alone is its title.
    const content = title && body ? { title, text: body } : { text: textOf(document) };
    const note = { name, ...content, language: options.language };
    const { status, json, text } = await client.post(`${path}/sources`, note);
    if (status !== 202) throw new Error(`${name} was not taken: ${text}`);
    // The first of several documents with the same text represents all of them.
    const [{ id }] = json.items as [{ id: string }];
    if (!ids.has(id)) ids.set(id, name);
  }
  for (;;) {
    const states = (await client.get(path)).json.sources_by_state as Record<string, number>;
    if (!states['queued'] && !states['indexing']) break;
    await delay(POLL_MS);
  }
  return ids;
}

const rounded = (figures: object) =>
  Object.fromEntries(
    Object.entries(figures).map(([name, value]) => [name, Number((value as number).toFixed(4))]),
  );

function plainFigures(
  documents: BeirDocument[],
  queries: { _id: string; text: string }[],
  judged: Judgements,
): RetrievalFigures {
  const plain = new PlainBm25(documents.map(textOf), options.language ?? 'en');
  const runs = new Map(
    queries.map(({ _id, text }) => [
      _id,
      plain
        .rank(text)
        .slice(0, 100)
        .map(({ index }) => documents[index]!._id),
    ]),
  );
  return retrievalFigures(runs, judged);
}

interface Measurement {
  collection: string;
  mode: string;
  queries: { _id: string; text: string }[];
  judgements: Judgements;
  /** The document of each source. */
  ids: Map<string, string>;
}

async function measure(client: ApiClient, { collection, mode, queries, judgements, ids }: Measurement) {
  const runs = new Map<string, string[]>();
  const started = performance.now();
  for (const { _id, text } of queries) {
    const request = { collections: [collection], query: text, k: PASSAGES, mode };
    const { status, json, text: answer } = await client.post('/api/knowledge/search', request);
    if (status !== 200) throw new Error(`query ${_id}: ${answer}`);
    if ((json.degraded as string[]).length > 0)
      throw new Error(`query ${_id}: the embedding server did not answer`);
    const sources = (json.hits as { source_id: string }[]).map(({ source_id }) => ids.get(source_id)!);
    runs.set(_id, [...new Set(sources)]);
  }
  const msPerQuery = (performance.now() - started) / queries.length;
  return rounded({ ...retrievalFigures(runs, judgements), msPerQuery });
}

async function main(): Promise<void> {
  const { corpus, queries: queryFile, qrels } = options;
  if (!corpus || !queryFile || !qrels) throw new Error('name --corpus, --queries and --qrels');
  const { documents, queries, judgements } = readBeir({ corpus, queries: queryFile, qrels });
  const { client, stop } = await connect();
  try {
    const collection = String(
      (await client.post('/api/knowledge/collections', { name: 'evaluation' })).json.id,
    );
    const path = `/api/knowledge/collections/${collection}`;
    const ids = await load(client, path, documents);
    let figures = {};
    for (const mode of options.mode) {
      figures = await measure(client, { collection, mode, queries, judgements, ids });
      console.log(`${documents.length} documents, ${queries.length} queries, ${mode}:`, figures);
    }
    await client.request('DELETE', path);
    console.log('plain BM25 over Snowball stems:', rounded(plainFigures(documents, queries, judgements)));
    if (options.json) writeFileSync(options.json, `${JSON.stringify(figures, null, 2)}\n`);
  } finally {
    await stop();
  }
}

await main();
