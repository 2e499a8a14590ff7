/**
 * Measures the retrieval of tools on labelled requests: by words, by meaning, and with what was learned from other requests.
 *
 *   npm run eval:tools -- [--tools FILE] [--queries FILE] [--train FILE] [--json FILE]
 *
 * Without files, the platform's tools among those of common MCP servers, and the sets of `test/eval/tools`: `queries.jsonl` has the tools that
 * a phrase asks for, `plans.jsonl` all tools of a plan, from which `learned` learns (of plans, from the other four fifths). With
 * `OPENAI_EMBED_MODEL` and `OPENAI_EMBED_BASE_URL`, by meaning too.
 * A tool is `{ "name", "description", "parameters": { name: description } }`, a request `{ "text", "tools": [names] }`, one a line.
 */
import { embeddingOf, type AgentRunnerSettings } from '#config/settings.js';
import { dot } from '#knowledge/vectors/scan.js';
import { OpenAiEmbedder } from '#llm/embeddings.js';
import { platformCatalogue } from '#plan/tools/catalogue.js';
import { CoUseGraph } from '#plan/tools/retrieval/tool-index.js';
import { ToolIndex, type Learnt, type SearchableTool } from '#plan/tools/retrieval/tool-index.js';
import { searchable, textToEmbed } from '#plan/tools/toolbox.js';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

interface Request {
  text: string;
  tools: string[];
}

type Similarities = (request: string) => ReadonlyMap<string, number> | null;

const FOLDER = join(process.cwd(), 'test/eval/tools');
const LIMITS = [1, 5, 10, 20];
const FOLDS = 5;
/** Texts of one request to the embedding server: small servers are slow. */
const EMBEDDED_TOGETHER = 8;

const readLines = <T>(file: string): T[] =>
  readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => JSON.parse(line) as T);

/** Returns recall at each limit, and the share of requests all of whose tools are among the first five. */
function measure(found: { wanted: string[]; names: string[] }[]): Record<string, number> {
  const recall = (limit: number) =>
    found.map(({ wanted, names }) => {
      const first = new Set(names.slice(0, limit));
      return wanted.filter((name) => first.has(name)).length / wanted.length;
    });
  const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  return {
    ...Object.fromEntries(LIMITS.map((limit) => [`recall@${limit}`, mean(recall(limit))])),
    'complete@5': mean(recall(5).map((share) => (share === 1 ? 1 : 0))),
  };
}

/** Learns from requests that were served by these tools; their order is not known, so each pair counts once. */
function learn(requests: readonly Request[]): Learnt {
  const texts = new Map<string, string[]>();
  const coUse = new CoUseGraph();
  for (const request of requests) {
    for (const [position, name] of request.tools.entries()) {
      texts.set(name, [...(texts.get(name) ?? []), request.text]);
      for (const later of request.tools.slice(position + 1)) coUse.observe(name, later);
    }
  }
  return { requests: texts, edges: coUse.all() };
}

const NOTHING: Learnt = { requests: new Map(), edges: [] };
/** Parts of the learned data that a search uses. */
const PARTS: Record<string, (learnt: Learnt) => Learnt> = {
  cold: () => NOTHING,
  'past requests': ({ requests }) => ({ ...NOTHING, requests }),
  'co-use': ({ edges }) => ({ ...NOTHING, edges }),
  both: (learnt) => learnt,
};

/** Measures requests in folds: each is searched with the data learned from the training requests of its fold. */
function rowsOf(
  tools: readonly SearchableTool[],
  folds: readonly { requests: Request[]; train: Request[] }[],
  meaning: Similarities | null,
) {
  const rows: Record<string, Record<string, number>> = {};
  for (const [method, similarities] of [
    ['words', () => null],
    ['words and meaning', meaning],
  ] as const) {
    if (!similarities) continue;
    for (const [part, of] of Object.entries(PARTS)) {
      const found = folds.flatMap(({ requests, train }) => {
        const index = new ToolIndex(tools, of(learn(train)));
        const names = ({ text }: Request) =>
          index.search(text, LIMITS.at(-1)!, similarities(text)).map(({ name }) => name);
        return requests.map((request) => ({ wanted: request.tools, names: names(request) }));
      });
      rows[`${method}, ${part}`] = measure(found);
    }
  }
  return rows;
}

/** Embeds tools and requests once; null without an embedding endpoint. */
async function meaningOf(
  tools: readonly SearchableTool[],
  requests: readonly Request[],
): Promise<Similarities | null> {
  const config = embeddingOf(process.env as unknown as AgentRunnerSettings);
  if (!config) return null;
  const embedder = new OpenAiEmbedder(config);
  const texts = [...tools.map(textToEmbed), ...requests.map(({ text }) => text)];
  const vectors: Float32Array[] = [];
  for (let at = 0; at < texts.length; at += EMBEDDED_TOGETHER)
    vectors.push(...(await embedder.embed(texts.slice(at, at + EMBEDDED_TOGETHER))).vectors);
  const queries = new Map(requests.map(({ text }, place) => [text, vectors[tools.length + place]!]));
  return (text) => new Map(tools.map(({ name }, tool) => [name, dot(vectors[tool]!, 0, queries.get(text)!)]));
}

function foldsOf(requests: readonly Request[]) {
  return Array.from({ length: FOLDS }, (_, fold) => ({
    requests: requests.filter((_, place) => place % FOLDS === fold),
    train: requests.filter((_, place) => place % FOLDS !== fold),
  }));
}

const { values } = parseArgs({
  options: {
    tools: { type: 'string' },
    queries: { type: 'string' },
    train: { type: 'string' },
    json: { type: 'string' },
  },
});
const tools = values.tools
  ? readLines<SearchableTool>(values.tools)
  : [...platformCatalogue.map(searchable), ...readLines<SearchableTool>(join(FOLDER, 'servers.jsonl'))];
const plans = readLines<Request>(values.train ?? join(FOLDER, 'plans.jsonl'));
const queries = readLines<Request>(values.queries ?? join(FOLDER, 'queries.jsonl'));
const sets = {
  queries: [{ requests: queries, train: values.queries && !values.train ? [] : plans }],
  ...(values.queries ? {} : { plans: foldsOf(plans) }),
};
const meaning = await meaningOf(tools, [...queries, ...plans]);
const result: Record<string, ReturnType<typeof rowsOf>> = {};
for (const [name, folds] of Object.entries(sets)) {
  result[name] = rowsOf(tools, folds, meaning);
  console.log(`${name}: ${folds.flatMap(({ requests }) => requests).length} requests, ${tools.length} tools`);
  console.table(
    Object.fromEntries(
      Object.entries(result[name]).map(([row, figures]) => [
        row,
        Object.fromEntries(Object.entries(figures).map(([key, value]) => [key, Number(value.toFixed(3))])),
      ]),
    ),
  );
}
if (values.json) writeFileSync(values.json, `${JSON.stringify(result, null, 2)}\n`);
