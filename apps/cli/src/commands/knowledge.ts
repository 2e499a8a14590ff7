import { Option, type Command } from 'commander';
import { searchModes, sourcePriorities } from '#contracts/knowledge.js';
import { printable } from '../progress/printable.js';
import { CliError } from '../cli-error.js';
import type { ApiClient } from '../client/api-client.js';
import { listAll } from '../client/list-all.js';
import type { Schema } from '../client/operation-types.js';
import { collectSources, tellLeftOut } from '../inputs/collect-files.js';
import {
  type AboutSources,
  type Source,
  listSources,
  untilIndexed,
  uploadSources,
} from '../knowledge/upload-sources.js';
import { connect } from '../stack/connect.js';
import { dataDirOption } from '../stack/data-dir.js';

interface Common {
  collection: string;
  json: boolean;
  dataDir: string;
}
type Collection = Schema<'KnowledgeCollection'>;

const ITEM = '/api/knowledge/collections/{collection_id}/sources/{source_id}';

/** `scriptorium knowledge …`: collections of sources, and the search in them. */
export function registerKnowledge(program: Command): void {
  const knowledge = program
    .command('knowledge')
    .description('What there is to know: add, list, search, remove');
  const common = (command: Command) =>
    command
      .option('-c, --collection <name>', 'the collection, by name or id', 'default')
      .option('--json', 'as JSON', false)
      .addOption(dataDirOption());
  common(
    knowledge
      .command('add <paths...>')
      .description('Add files or folders; the collection is made when missing'),
  )
    .option('--author <name>')
    .addOption(new Option('--priority <label>').choices([...sourcePriorities]))
    .option('--language <code>', 'ISO 639-1, such as pl; detected otherwise')
    .action(add);
  common(
    knowledge.command('list').description('List the sources of a collection, or with --all the collections'),
  )
    .option('--all', 'list collections', false)
    .action(list);
  common(knowledge.command('search <query...>').description('Find passages'))
    .option('-k, --limit <number>', 'at most so many', '5')
    .addOption(new Option('--mode <mode>').choices([...searchModes]).default('hybrid'))
    .action(searchPassages);
  common(
    knowledge
      .command('remove [sources...]')
      .description('Remove sources by name or id; with --all the collection'),
  )
    .option('--all', 'the collection with everything in it', false)
    .action(remove);
  program
    .command('reindex')
    .description(
      'Index sources anew, as after a change of the embedding model; the old index serves until then',
    )
    .option('-c, --collection <name>', 'only this collection, by name or id')
    .option('--dry-run', 'only count', false)
    .option('--json', 'as JSON', false)
    .addOption(dataDirOption())
    .action(reindex);
}

const collections = (client: ApiClient) =>
  listAll((query) => client.call('GET', '/api/knowledge/collections', { query }));

/** @throws CliError when there is none */
async function requireCollection(client: ApiClient, name: string): Promise<Collection> {
  const found = (await collections(client)).find((one) => one.id === name || one.name === name);
  if (!found) throw new CliError(`There is no collection "${name}".`);
  return found;
}

async function add(
  paths: string[],
  { collection, json, dataDir, ...about }: Common & AboutSources,
): Promise<void> {
  const { files, leftOut } = await collectSources(paths);
  tellLeftOut(leftOut, (line) => process.stderr.write(`${line}\n`));
  const { client } = await connect(dataDir);
  const found = (await collections(client)).find((one) => one.id === collection || one.name === collection);
  const { id } =
    found ??
    (await client.call('POST', '/api/knowledge/collections', {
      json: { name: collection, purpose: 'knowledge' },
    }));
  const ids = await uploadSources(client, id, files, about);
  const settled = await untilIndexed(client, id, ids, showBar);
  if (process.stderr.isTTY) process.stderr.write('\n');
  process.stdout.write(json ? `${JSON.stringify(settled)}\n` : printable(settled.map(sourceLine).join('')));
  if (settled.some(({ state }) => state === 'failed')) process.exitCode = 1;
}

function showBar(done: number, all: number, share: number): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\x1b[2K${bar(share)} ${done}/${all} indexed`);
}

const WIDTH = 30;
function bar(share: number): string {
  const filled = Math.floor(share * WIDTH);
  return '█'.repeat(filled) + '░'.repeat(WIDTH - filled);
}

const sourceLine = ({ id, name, state, chunks, problem }: Source) =>
  `${id}  ${state.padEnd(8)} ${String(chunks).padStart(6)} passages  ${name}${problem ? `  (${problem})` : ''}\n`;

async function list({ collection, json, dataDir, all }: Common & { all: boolean }): Promise<void> {
  const { client } = await connect(dataDir);
  if (all) {
    const items = await collections(client);
    const line = ({ id, name, sources, chunks }: Collection) =>
      `${id}  ${name}: ${sources} sources, ${chunks} passages\n`;
    process.stdout.write(json ? `${JSON.stringify(items)}\n` : printable(items.map(line).join('')));
    return;
  }
  const { id } = await requireCollection(client, collection);
  const items = await listSources(client, id);
  process.stdout.write(json ? `${JSON.stringify(items)}\n` : printable(items.map(sourceLine).join('')));
}

async function searchPassages(
  words: string[],
  { collection, json, dataDir, limit, mode }: Common & { limit: string; mode: (typeof searchModes)[number] },
): Promise<void> {
  const { client } = await connect(dataDir);
  const { id } = await requireCollection(client, collection);
  const request = { collections: [id], query: words.join(' '), k: Number(limit), mode };
  const result = await client.call('POST', '/api/knowledge/search', { json: request });
  if (json) return void process.stdout.write(`${JSON.stringify(result)}\n`);
  for (const name of result.degraded) process.stderr.write(`The ${name} list could not be made this time.\n`);
  for (const hit of result.hits) {
    const path = hit.heading_path.length > 0 ? `  ${hit.heading_path.join(' › ')}` : '';
    process.stdout.write(
      `${hit.score.toFixed(3)}  ${hit.source_name}:${hit.start}-${hit.end}${path}\n${hit.text.replace(/^/gm, '    ')}\n\n`,
    );
  }
}

async function remove(
  names: string[],
  { collection, json, dataDir, all }: Common & { all: boolean },
): Promise<void> {
  if (all === names.length > 0)
    throw new CliError('Name the sources to remove, or --all for the collection.');
  const { client } = await connect(dataDir);
  const { id: collection_id } = await requireCollection(client, collection);
  if (all)
    await client.open('DELETE', '/api/knowledge/collections/{collection_id}', { params: { collection_id } });
  const items = all ? [] : await listSources(client, collection_id);
  const missing = names.find((name) => !items.some((source) => source.id === name || source.name === name));
  if (missing !== undefined) throw new CliError(`The collection has no source "${missing}".`);
  const gone = items.filter(({ id, name }) => names.includes(id) || names.includes(name));
  for (const { id: source_id } of gone)
    await client.open('DELETE', ITEM, { params: { collection_id, source_id } });
  const removed = all ? [collection_id] : gone.map(({ id }) => id);
  process.stdout.write(json ? `${JSON.stringify({ removed })}\n` : `Removed: ${removed.join(', ')}\n`);
}

async function reindex({
  collection,
  dryRun,
  json,
  dataDir,
}: {
  collection?: string;
  dryRun: boolean;
  json: boolean;
  dataDir: string;
}): Promise<void> {
  const { client } = await connect(dataDir);
  const only =
    collection === undefined ? {} : { collections: [(await requireCollection(client, collection)).id] };
  const { sources } = await client.call('POST', '/api/knowledge/reindex', {
    json: { ...only, dry_run: dryRun },
  });
  if (json) return void process.stdout.write(`${JSON.stringify({ sources, dry_run: dryRun })}\n`);
  process.stdout.write(`${sources} sources ${dryRun ? 'would be' : 'are being'} indexed anew.\n`);
}
