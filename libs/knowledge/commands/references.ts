import { readNames } from '#contracts/bibliography-names.js';
import type { Reference, ReferenceChange } from '#contracts/bibliography.js';
import type { Schemas } from '#catalogue/named-schemas.js';
import { phrase } from '#contracts/phrases/phrase.js';
import { unwrap } from '#contracts/api/responses.js';
import type { Command } from 'commander';
import { readFile } from 'node:fs/promises';
import { CliError } from '#cli/cli-error.js';
import type { ApiClient } from '#cli/client/api-client.js';
import { createPrinter, type PrintOptions } from '#cli/commands/print-result.js';
import { translate } from '#cli/language.js';
import { createProgress } from '#cli/progress/progress.js';
import { requireCollection } from './describe-source.js';
import { listSources } from './upload-sources.js';

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
export function registerReferences(sub: (usage: string, description: string) => Command): void {
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
