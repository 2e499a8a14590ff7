/** Converts clones of public sets of tools and requests for `npm run eval:tools`; see README.md beside it. */
import { parse } from 'csv-parse/sync';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const [set, clone, out] = process.argv.slice(2);
const read = (...path) => readFileSync(join(clone, ...path), 'utf8');
const lines = (text) =>
  text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => JSON.parse(line));
const write = (name, rows) =>
  writeFileSync(join(out, `${set}.${name}.jsonl`), rows.map((row) => `${JSON.stringify(row)}\n`).join(''));

function sealTools() {
  const folder = 'Seal-Tools_Dataset';
  const tools = lines(read(folder, 'tool.jsonl')).map(({ api_name, api_description, parameters }) => ({
    name: api_name,
    description: api_description,
    parameters: Object.fromEntries(
      Object.entries(parameters).map(([name, { description }]) => [name, description ?? '']),
    ),
  }));
  const requests = ['test_in_domain.jsonl', 'test_out_domain.jsonl'].flatMap((file) =>
    lines(read(folder, file)).map(({ query, calling }) => ({
      text: query,
      tools: [...new Set(calling.map(({ api }) => api))],
    })),
  );
  write('tools', tools);
  write('queries', requests);
}

function metaTool() {
  const descriptions = JSON.parse(read('dataset', 'plugin_des.json'));
  write(
    'tools',
    Object.entries(descriptions).map(([name, description]) => ({ name, description, parameters: {} })),
  );
  const byTool = new Map();
  for (const { Query, Tool } of parse(read('dataset', 'data', 'all_clean_data.csv'), {
    columns: true,
    bom: true,
  }))
    byTool.set(Tool, (byTool.get(Tool) ?? new Set()).add(Query));
  const hash = (text) => createHash('sha256').update(text).digest('hex');
  const train = [];
  const test = [];
  for (const [tool, texts] of byTool) {
    const requests = [...texts]
      .sort((a, b) => (hash(a) < hash(b) ? -1 : 1))
      .map((text) => ({ text, tools: [tool] }));
    const uses = Math.min(20, Math.floor(requests.length / 2));
    train.push(...requests.slice(0, uses));
    test.push(...requests.slice(uses));
  }
  write('train', train);
  write('queries', test);
}

const converters = { 'seal-tools': sealTools, metatool: metaTool };
if (!converters[set] || !out) {
  console.error('usage: node test/eval/convert-sets.js seal-tools|metatool CLONE OUT');
  process.exit(2);
}
mkdirSync(out, { recursive: true });
converters[set]();
