/**
 * Measures the retrieval of tools: recall and completeness on labelled requests, cold and after learning from other requests.
 *
 *   npm run eval:tools -- --tools tools.jsonl --queries queries.jsonl [--train train.jsonl] [--json out.json]
 *
 * A tool is `{ "name", "description", "parameters": { name: description } }`, a request `{ "text", "tools": [names] }`, one a line.
 */
import { CoUseGraph } from '#plan/tools/retrieval/co-use.js';
import { ToolIndex, type SearchableTool } from '#plan/tools/retrieval/tool-index.js';
import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';

interface Request {
  text: string;
  tools: string[];
}

interface Measures {
  recallAt1: number;
  recallAt5: number;
  recallAt10: number;
  completeAt5: number;
}

const readLines = <T>(file: string): T[] =>
  readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => JSON.parse(line) as T);

function measure(index: ToolIndex, requests: Request[]): Measures {
  const totals: Measures = { recallAt1: 0, recallAt5: 0, recallAt10: 0, completeAt5: 0 };
  for (const { text, tools } of requests) {
    const found = index.search(text, 10).map(({ name }) => name);
    const recallAt = (limit: number) => {
      const first = new Set(found.slice(0, limit));
      return tools.filter((name) => first.has(name)).length / tools.length;
    };
    totals.recallAt1 += recallAt(1);
    totals.recallAt5 += recallAt(5);
    totals.recallAt10 += recallAt(10);
    totals.completeAt5 += recallAt(5) === 1 ? 1 : 0;
  }
  const mean = (total: number) => total / requests.length;
  return {
    recallAt1: mean(totals.recallAt1),
    recallAt5: mean(totals.recallAt5),
    recallAt10: mean(totals.recallAt10),
    completeAt5: mean(totals.completeAt5),
  };
}

/** Learns from requests that were served by these tools; their order is not known, so each pair counts once. */
function learn(tools: SearchableTool[], requests: Request[]): ToolIndex {
  const texts = new Map<string, string[]>();
  const coUse = new CoUseGraph();
  for (const request of requests) {
    for (const [position, name] of request.tools.entries()) {
      texts.set(name, [...(texts.get(name) ?? []), request.text]);
      for (const later of request.tools.slice(position + 1)) coUse.observe(name, later);
    }
  }
  return new ToolIndex(tools, { requests: texts, edges: coUse.all() });
}

const { values } = parseArgs({
  options: {
    tools: { type: 'string' },
    queries: { type: 'string' },
    train: { type: 'string' },
    json: { type: 'string' },
  },
});
if (!values.tools || !values.queries) {
  console.error('usage: npm run eval:tools -- --tools FILE --queries FILE [--train FILE] [--json FILE]');
  process.exit(2);
}
const tools = readLines<SearchableTool>(values.tools);
const requests = readLines<Request>(values.queries);
const result = {
  tools: tools.length,
  queries: requests.length,
  cold: measure(new ToolIndex(tools), requests),
  learned: values.train ? measure(learn(tools, readLines<Request>(values.train)), requests) : null,
};
console.log(`${result.tools} tools, ${result.queries} requests`);
for (const name of ['cold', 'learned'] as const) {
  const measures = result[name];
  if (!measures) continue;
  const { recallAt1, recallAt5, recallAt10, completeAt5 } = measures;
  const figures = [recallAt1, recallAt5, recallAt10, completeAt5].map((value) => value.toFixed(3));
  console.log(
    `${name}: recall@1 ${figures[0]}  recall@5 ${figures[1]}  recall@10 ${figures[2]}  complete@5 ${figures[3]}`,
  );
}
if (values.json) writeFileSync(values.json, JSON.stringify(result, null, 2));
