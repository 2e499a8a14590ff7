import {
  type Collection,
  endBar,
  listCollections,
  renderSources,
  requireCollection,
  showBar,
} from './describe-source.js';
import { translate } from '#cli/language.js';
import { phrase } from '#contracts/phrases/phrase.js';
import type { Schemas } from '#catalogue/named-schemas.js';
import { unwrap } from '#contracts/api/responses.js';
import { Option, type Command } from 'commander';
import { searchModes, sourcePriorities } from '../contract.js';
import { CliError } from '#cli/cli-error.js';
import { type ApiClient, OPEN_ENDED } from '#cli/client/api-client.js';
import { collectSources, reportSkipped } from '#cli/inputs/collect-files.js';
import { type AboutSources, listSources, untilIndexed, uploadSources } from './upload-sources.js';
import { createProgress } from '#cli/progress/progress.js';
import type { Work } from '#cli/stack/with-service.js';
import {
  createPrinter,
  type PrintOptions,
  printRead,
  renderLines,
  withPrintOptions,
} from '#cli/commands/print-result.js';
import { readNames } from '#contracts/bibliography-names.js';
import type { Reference, ReferenceChange } from '#contracts/bibliography.js';
import { readFile } from 'node:fs/promises';

/** Fields of a reference that are a line of text, by their options. */
const LINES = {
  title: 'title',
  date: 'issued',
  publisher: 'publisher',
  place: 'place',
  in: 'container',
  volume: 'volume',
  issue: 'issue',
  edition: 'edition',
  pages: 'pages',
  url: 'url',
  doi: 'doi',
} as const satisfies Record<string, keyof Reference>;

type Options = PrintOptions & { collection: string; author: string[] } & Partial<
    Record<keyof typeof LINES, string>
  >;

const printed = createPrinter(createProgress(), phrase('cli_error.indexed_later'));

/** `scriptorium knowledge cite` and `import-references`: what notes and bibliographies say about sources. */
function registerReferences(sub: (usage: string, description: string) => Command): void {
  sub('cite <source>', 'Show or change what notes and bibliographies say about a source; "" removes a field')
    .option('--author <name>', 'author, as "Nowak, Ada" (repeatable)', collect, [])
    .option('--title <text>')
    .option('--date <date>', 'date of publication: 2019, 2019-04 or 2019-04-30')
    .option('--publisher <name>')
    .option('--place <name>', 'place of publication')
    .option('--in <title>', 'journal, book or website that contains the work')
    .option('--volume <text>')
    .option('--issue <text>')
    .option('--edition <text>')
    .option('--pages <range>', 'pages of the work in its journal or book')
    .option('--url <address>')
    .option('--doi <doi>')
    .action(cite);
  sub('import-references <file>', 'Import references of sources from a BibTeX or CSL-JSON file').action(
    importReferences,
  );
}

const collect = (value: string, before: string[]): string[] => [...before, value];

async function cite(name: string, { collection, json, dataDir, ...given }: Options): Promise<void> {
  const change = changeOf(given);
  const work = async ({ client }: { client: ApiClient }) => {
    const { id: collection_id } = await requireCollection(client, collection);
    const source = (await listSources(client, collection_id)).find(
      (one) => one.id === name || one.name === name,
    );
    if (!source) throw new CliError(phrase('cli_error.no_such_source', { name }));
    if (Object.keys(change).length === 0) return source;
    return unwrap(
      client.PATCH('/api/knowledge/collections/{collection_id}/sources/{source_id}', {
        params: { path: { collection_id, source_id: source.id } },
        body: { reference: change },
      }),
    );
  };
  await printed({ json, dataDir }, work, ({ reference }) => render(reference));
}

function changeOf({ author, ...given }: Omit<Options, 'collection' | 'json' | 'dataDir'>): ReferenceChange {
  const names = author.flatMap(readNames);
  const lines = Object.entries(LINES).flatMap(([option, field]) => {
    const value = given[option as keyof typeof LINES];
    return value === undefined ? [] : [[field, value.trim() === '' ? null : value]];
  });
  return {
    ...(Object.fromEntries(lines) as ReferenceChange),
    ...(author.length > 0 && { authors: names.length > 0 ? names : null }),
  };
}

const render = (reference: Reference): string =>
  Object.entries(reference)
    .map(
      ([field, value]) =>
        `${field.padEnd(10)} ${typeof value === 'string' ? value : JSON.stringify(value)}\n`,
    )
    .join('');

async function importReferences(file: string, { collection, json, dataDir }: Options): Promise<void> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new CliError(phrase('cli_error.cannot_read', { file, code: String(error.code) }));
  });
  const work = async ({ client }: { client: ApiClient }) => {
    const { id: collection_id } = await requireCollection(client, collection);
    const params = { path: { collection_id } };
    return unwrap(
      client.POST('/api/knowledge/collections/{collection_id}/references', { params, body: { text } }),
    );
  };
  await printed({ json, dataDir }, work, renderImported);
}

const renderImported = ({ applied, unmatched }: Schemas['ImportedReferences']): string =>
  [
    ...applied.map(({ key, source_name: name }) => `${key}  ${name}`),
    ...unmatched.map(({ key, title }) =>
      translate(phrase('out.reference_unmatched', { key, title: title ?? '' })),
    ),
  ]
    .map((line) => `${line}\n`)
    .join('');

interface Common extends PrintOptions {
  collection: string;
}

/** Runs work with the service, which is started if none runs, and prints its result. */

const ITEM = '/api/knowledge/collections/{collection_id}/sources/{source_id}';

/** `scriptorium knowledge …`: manages and searches collections of sources. */
export function registerKnowledge(knowledge: Command): void {
  const sub = (usage: string, description: string) =>
    withPrintOptions(
      knowledge
        .command(usage)
        .description(description)
        .option('-c, --collection <name>', 'name or ID of the collection', 'default'),
      'print JSON',
    );
  sub('add <paths...>', 'Add files or folders; creates the collection if it does not exist')
    .option('--author <name>')
    .addOption(new Option('--priority <label>').choices([...sourcePriorities]))
    .option('--language <code>', 'ISO 639-1 code, such as pl (default: detected)')
    .action(add);
  sub('list', 'List the sources of a collection, or all collections (--all)')
    .option('--all', 'list collections', false)
    .action(list);
  sub('search <query...>', 'Search for passages')
    .option('-k, --limit <number>', 'maximum number of passages', '5')
    .addOption(new Option('--mode <mode>').choices([...searchModes]).default('hybrid'))
    .action(searchPassages);
  sub('sync [urls...]', 'Read the pages of a collection again, and add pages by URL').action(sync);
  registerReferences(sub);
  sub('remove [sources...]', 'Remove sources by name or ID, or the whole collection (--all)')
    .option('--all', 'remove the whole collection', false)
    .action(remove);
}

async function add(
  paths: string[],
  { collection, json, dataDir, ...about }: Common & AboutSources,
): Promise<void> {
  const { files, leftOut } = await collectSources(paths);
  reportSkipped(leftOut, (line) => process.stderr.write(`${line}\n`));
  const index = async ({ client, signal }: Work) => {
    const found = (await listCollections(client)).find(
      (one) => one.id === collection || one.name === collection,
    );
    const { id } =
      found ??
      (await unwrap(
        client.POST('/api/knowledge/collections', { body: { name: collection, purpose: 'knowledge' } }),
      ));
    const ids = await uploadSources(client, id, files, about, signal);
    const settled = await untilIndexed(client, id, ids, showBar, signal);
    endBar();
    if (settled.some(({ state }) => state === 'failed')) process.exitCode = 1;
    return settled;
  };
  await printed({ json, dataDir }, index, renderSources);
}

const renderCollections = renderLines(
  ({ id, name, sources, chunks }: Collection) =>
    `${id}  ${translate(
      phrase('out.collection', {
        name,
        sources: phrase('out.article_summary', { count: sources }),
        passages: phrase('out.passages', { count: chunks }),
      }),
    )}`,
);

async function list({ collection, all, ...options }: Common & { all: boolean }): Promise<void> {
  if (all) return printRead(options, listCollections, renderCollections);
  await printRead(
    options,
    async (client) => listSources(client, (await requireCollection(client, collection)).id),
    renderSources,
  );
}

async function searchPassages(
  words: string[],
  { collection, limit, mode, ...options }: Common & { limit: string; mode: (typeof searchModes)[number] },
): Promise<void> {
  const search = async (client: ApiClient) => {
    const { id } = await requireCollection(client, collection);
    const request = { collections: [id], query: words.join(' '), k: Number(limit), mode };
    return unwrap(client.POST('/api/knowledge/search', { body: request }));
  };
  await printRead(options, search, ({ degraded, hits }) => {
    for (const name of degraded)
      process.stderr.write(
        `${translate(phrase('out.search_incomplete', { name: phrase(`search_list.${name}`) }))}\n`,
      );
    return renderHits(hits);
  });
}

const renderHits = renderLines(
  ({ score, source_name, start, end, heading_path: path, text }: Schemas['KnowledgeHit']) =>
    `${score.toFixed(3)}  ${source_name}:${start}-${end}${path.length > 0 ? `  ${path.join(' › ')}` : ''}\n${text.replace(/^/gm, '    ')}\n`,
);

const sync = (urls: string[], { collection, ...options }: Common) =>
  printRead(
    options,
    async (client) => {
      const { id: collection_id } = await requireCollection(client, collection);
      const request = { params: { path: { collection_id } }, body: { urls } };
      return unwrap(client.POST('/api/knowledge/collections/{collection_id}/sync', request));
    },
    ({ schedule_id: id }) =>
      `${translate(phrase('out.sync_started', { command: `scriptorium schedule show ${id}` }))}\n`,
  );

async function remove(
  names: string[],
  { collection, json, dataDir, all }: Common & { all: boolean },
): Promise<void> {
  if (all === names.length > 0) throw new CliError(phrase('cli_error.sources_or_all'));
  const removed = (work: Work) => removeSources(work, names, collection, all);
  await printed(
    { json, dataDir },
    removed,
    ({ removed: ids }) => `${translate(phrase('out.removed', { names: ids.join(', ') }))}\n`,
  );
}

async function removeSources({ client }: Work, names: string[], collection: string, all: boolean) {
  const { id: collection_id } = await requireCollection(client, collection);
  if (all)
    await client.DELETE('/api/knowledge/collections/{collection_id}', {
      params: { path: { collection_id } },
      ...OPEN_ENDED,
    });
  const items = all ? [] : await listSources(client, collection_id);
  const missing = names.find((name) => !items.some((source) => source.id === name || source.name === name));
  if (missing !== undefined) throw new CliError(phrase('cli_error.no_such_source', { name: missing }));
  const sourcesToRemove = items.filter(({ id, name }) => names.includes(id) || names.includes(name));
  for (const { id: source_id } of sourcesToRemove)
    await client.DELETE(ITEM, { params: { path: { collection_id, source_id } }, ...OPEN_ENDED });
  return { removed: all ? [collection_id] : sourcesToRemove.map(({ id }) => id) };
}
