import { describeState, withProblem } from '#knowledge/commands/describe-source.js';
import { translate } from '#cli/language.js';
import { phrase } from '#contracts/phrases/phrase.js';
import type { Schemas } from '#contracts/api/named-schemas.js';
import { everyItem, unwrap } from '#contracts/api/responses.js';
import { Option, type Command } from 'commander';
import { styleSourceTypes, type StyleSourceType } from '../contract/corpus-schemas.js';
import type { ApiClient } from '#cli/client/api-client.js';
import { upload } from '#cli/client/multipart.js';
import { batchesOf } from '#cli/inputs/batches.js';
import { collectSources, reportSkipped } from '#cli/inputs/collect-files.js';
import { untilIndexed } from '#knowledge/commands/upload-sources.js';
import { sayOnTerminal } from '#cli/progress/say-on-terminal.js';
import { createProgress } from '#cli/progress/progress.js';
import type { Work } from '#cli/stack/with-service.js';
import { renderFingerprint } from './view.js';
import { renderLines } from '#cli/commands/print.js';
import { createPrinter, type PrintOptions, printRead, withPrintOptions } from '#cli/commands/print-result.js';

interface Common extends PrintOptions {
  sourceType?: StyleSourceType;
  author?: string;
}
type CorpusText = Schemas['CorpusText'];

/** `scriptorium article corpus add|list|fingerprint`: the style corpus of the running service (A9). */
export function registerArticleCorpus(article: Command): void {
  const corpus = article.command('corpus').description("Manage the service's style corpus");
  const common = (command: Command) =>
    withPrintOptions(
      command
        .addOption(
          new Option('--source-type <type>', 'own: your texts; external: examples by others').choices([
            ...styleSourceTypes,
          ]),
        )
        .option('--author <name>', 'author of the texts'),
      'print JSON',
    );
  common(
    corpus
      .command('add <paths...>')
      .description('Add files or folders; as your own texts unless --source-type says otherwise'),
  ).action(add);
  common(corpus.command('list').description('List the texts of the corpus')).action(list);
  common(corpus.command('fingerprint').description('Describe the style of the corpus'))
    .addOption(
      new Option(
        '--language <code>',
        'language of the texts to describe (default: the most common one)',
      ).choices(['en', 'pl']),
    )
    .action(fingerprint);
}

const queryOf = ({ sourceType, author }: Common) => ({
  ...(sourceType && { source_type: sourceType }),
  ...(author !== undefined && { author_id: author }),
});

async function add(paths: string[], options: Common): Promise<void> {
  const { files, leftOut } = await collectSources(paths);
  reportSkipped(leftOut, (line) => process.stderr.write(`${line}\n`));
  const ingest = async ({ client, signal }: Work) => {
    sayOnTerminal(phrase('cli.indexing_files', { count: files.length }));
    const added: Schemas['AddedCorpusText'][] = [];
    for (const parts of batchesOf(files)) {
      const query = { source_type: 'own' as const, ...queryOf(options) };
      added.push(...(await upload(client, '/api/corpus/ingest', { params: { query }, parts, signal })).items);
    }
    const ids = added.map(({ id }) => id);
    if (added[0]) await untilIndexed(client, added[0].collection_id, ids, () => undefined, signal);
    const settled = (await texts(client, {})).filter(({ id }) => ids.includes(id));
    if (settled.some(({ state }) => state === 'failed')) process.exitCode = 1;
    return settled;
  };
  const printed = createPrinter(createProgress(), phrase('cli_error.indexed_later'));
  await printed(options, ingest, renderTexts);
}

const list = (options: Common): Promise<void> =>
  printRead(options, (client) => texts(client, queryOf(options)), renderTexts);

async function fingerprint({ language, ...options }: Common & { language?: 'en' | 'pl' }): Promise<void> {
  const query = { ...queryOf(options), ...(language && { language }) };
  await printRead(
    options,
    (client) => unwrap(client.GET('/api/corpus/fingerprint', { params: { query } })),
    renderFingerprint,
  );
}

const texts = (client: ApiClient, query: ReturnType<typeof queryOf>): Promise<CorpusText[]> =>
  everyItem((page) => unwrap(client.GET('/api/corpus/texts', { params: { query: { ...page, ...query } } })));

const renderTexts = renderLines(
  (text: CorpusText) =>
    `${text.id}  ${translate(phrase(`style_type.${text.source_type}`)).padEnd(8)} ${describeState(text)} ${text.language ?? '--'}  ${withProblem(titleOf(text), text)}`,
);

function titleOf({ title, name, author_id: author }: CorpusText): string {
  const shown = title ?? name;
  return author === null ? shown : translate(phrase('out.by_author', { title: shown, author }));
}
