import { Option, type Command } from 'commander';
import { styleSourceTypes, type StyleSourceType } from '#contracts/api/corpus-schemas.js';
import { printable } from '../progress/printable.js';
import type { ApiClient } from '../client/api-client.js';
import { listAll } from '../client/list-all.js';
import type { Schema } from '../client/operation-types.js';
import { batchesOf } from '../inputs/batches.js';
import { collectSources, tellLeftOut } from '../inputs/collect-files.js';
import { untilIndexed } from '../knowledge/upload-sources.js';
import { connect } from '../stack/connect.js';
import { dataDirOption } from '../stack/data-dir.js';
import { renderFingerprint } from './article-view.js';

interface Common {
  sourceType?: StyleSourceType;
  author?: string;
  json: boolean;
  dataDir: string;
}
type CorpusText = Schema<'CorpusText'>;

/** `scriptorium article corpus add|list|fingerprint`: the style corpus of the running service (A9). */
export function registerArticleCorpus(article: Command): void {
  const corpus = article.command('corpus').description('The texts whose style counts, kept in the service');
  const common = (command: Command) =>
    command
      .addOption(
        new Option('--source-type <type>', 'your own texts, or examples by others').choices([
          ...styleSourceTypes,
        ]),
      )
      .option('--author <name>', 'who wrote them')
      .option('--json', 'as JSON', false)
      .addOption(dataDirOption());
  common(corpus.command('add <paths...>').description('Add files or folders; own ones by default')).action(
    add,
  );
  common(corpus.command('list').description('List the texts')).action(list);
  common(corpus.command('fingerprint').description('Show how the texts are written'))
    .addOption(new Option('--language <code>', 'that of most texts by default').choices(['en', 'pl']))
    .action(fingerprint);
}

const queryOf = ({ sourceType, author }: Common) => ({
  ...(sourceType && { source_type: sourceType }),
  ...(author !== undefined && { author_id: author }),
});

async function add(paths: string[], options: Common): Promise<void> {
  const { files, leftOut } = await collectSources(paths);
  tellLeftOut(leftOut, (line) => process.stderr.write(`${line}\n`));
  const { client } = await connect(options.dataDir);
  const added: Schema<'AddedCorpusText'>[] = [];
  for (const parts of batchesOf(files)) {
    const query = { source_type: 'own' as const, ...queryOf(options) };
    added.push(...(await client.call('POST', '/api/corpus/ingest', { query, parts })).items);
  }
  const ids = added.map(({ id }) => id);
  if (added[0]) await untilIndexed(client, added[0].collection_id, ids, () => undefined);
  const settled = (await texts(client, {})).filter(({ id }) => ids.includes(id));
  process.stdout.write(
    options.json ? `${JSON.stringify(settled)}\n` : printable(settled.map(lineOf).join('')),
  );
  if (settled.some(({ state }) => state === 'failed')) process.exitCode = 1;
}

async function list(options: Common): Promise<void> {
  const { client } = await connect(options.dataDir);
  const items = await texts(client, queryOf(options));
  process.stdout.write(options.json ? `${JSON.stringify(items)}\n` : printable(items.map(lineOf).join('')));
}

async function fingerprint({ language, ...options }: Common & { language?: 'en' | 'pl' }): Promise<void> {
  const { client } = await connect(options.dataDir);
  const query = { ...queryOf(options), ...(language && { language }) };
  const made = await client.call('GET', '/api/corpus/fingerprint', { query });
  process.stdout.write(options.json ? `${JSON.stringify(made)}\n` : renderFingerprint(made));
}

const texts = (client: ApiClient, query: ReturnType<typeof queryOf>): Promise<CorpusText[]> =>
  listAll((page) => client.call('GET', '/api/corpus/texts', { query: { ...page, ...query } }));

const lineOf = ({ id, source_type, author_id, language, state, title, name, problem }: CorpusText): string =>
  `${id}  ${source_type.padEnd(8)} ${state.padEnd(8)} ${language ?? '--'}  ${title ?? name}${author_id === null ? '' : ` by ${author_id}`}${problem ? `  (${problem})` : ''}\n`;
