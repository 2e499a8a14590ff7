import { phrase } from '#contracts/phrases/phrase.js';
import { fingerprintOf } from '#writing/style/fingerprint.js';
import { reviewGenerally, reviewStyle } from '#writing/style/review.js';
import type { Fingerprint } from '#contracts/style.js';
import { Option, type Command } from 'commander';
import { readdir, readFile } from 'node:fs/promises';
import { extname, join, parse, resolve } from 'node:path';
import { CliError, failedRun } from '#cli/cli-error.js';
import { sayOnTerminal, LineProgress } from '#cli/progress/line-progress.js';
import { requireWritable, writeOutput, continueHint, withRecoveryHint } from '#cli/outputs/output-file.js';
import { registerArticleExport } from './export.js';
import { registerArticleWrite } from './write.js';
import { renderFingerprint, renderReview } from './view.js';
import {
  createPrinter,
  print,
  type PrintOptions,
  printRead,
  renderLines,
  withPrintOptions,
} from '#cli/commands/print-result.js';
import { renderSideBySide } from '#cli/commands/side-by-side.js';
import { describeState, withProblem } from '#knowledge/commands/describe-source.js';
import { translate } from '#cli/language.js';
import type { Schemas } from '#catalogue/named-schemas.js';
import { everyItem, unwrap } from '#contracts/api/responses.js';
import { styleSourceTypes, type StyleSourceType } from '../contract/corpus-schemas.js';
import type { ApiClient } from '#cli/client/api-client.js';
import { upload } from '#cli/client/multipart.js';
import { batchesOf } from '#cli/inputs/upload-inputs.js';
import { collectSources, reportSkipped } from '#cli/inputs/collect-files.js';
import { untilIndexed } from '#knowledge/commands/upload-sources.js';
import { createProgress } from '#cli/progress/progress.js';
import type { Work } from '#cli/stack/with-service.js';
import { findingText } from '#cli/outputs/finding-text.js';
import { changesOf, type OverruleOptions, withOverruleOptions } from '#cli/commands/shared-options.js';
import type { Finding } from '#contracts/findings.js';
import { articleKind } from '../contract.js';
import { platforms, type Platform } from '../contract/repurpose.js';
import { downloadResult } from '#cli/client/download-result.js';
import type { Place } from '#cli/stack/data-dir.js';
import { runToEnd } from '#cli/commands/run-to-end.js';

interface ShadowOptions {
  corpus?: string;
  rules?: 'general';
  output?: string;
  sideBySide: boolean;
  json: boolean;
}

/** Width of a terminal that does not report one, in columns. */
const WIDTH = 100;
/** File extensions of corpus texts. */
const TEXTS = new Set(['.md', '.markdown', '.txt']);

/** `scriptorium article …`. `shadow` and `fingerprint` use rules and need neither the stack nor a model. */
export function registerArticle(article: Command): void {
  registerArticleWrite(article);
  registerArticleCorpus(article);
  registerArticleRepurpose(article);
  registerArticleExport(article);
  registerArticleOverrule(article);
  article
    .command('shadow')
    .description(
      'Report where a draft deviates from the style of a corpus, and write a corrected version (no stack needed)',
    )
    .argument('<draft>', 'Markdown or text file')
    .option('--corpus <folder>', 'folder of texts that set the style (.md, .txt)')
    .addOption(
      new Option('--rules <rules>', 'general: review the text without a corpus')
        .choices(['general'])
        .conflicts('corpus'),
    )
    .option(
      '-o, --output <file>',
      'file for the corrected text (default: DRAFT.corrected.md next to the draft)',
    )
    .option('--side-by-side', 'show the changed paragraphs side by side, before and after', false)
    .option('--json', 'print the whole report as one JSON object', false)
    .action(shadow);
  article
    .command('fingerprint')
    .description('Describe the style of a corpus (no stack needed)')
    .argument('<folder>', 'folder of texts (.md, .txt)')
    .option('--json', 'print one JSON object', false)
    .action(async (folder: string, { json }: { json: boolean }) => {
      print(json, await readCorpus(folder), renderFingerprint);
    });
}

async function shadow(draft: string, options: ShadowOptions): Promise<void> {
  const { dir, name, ext } = parse(draft);
  const output = options.output ?? join(dir, `${name}.corrected${ext || '.md'}`);
  const { corpus: folder, rules } = options;
  if (folder === undefined && rules === undefined) throw new CliError(phrase('cli_error.corpus_needed'));
  const [text, corpus] = await Promise.all([
    readText(draft),
    folder === undefined ? null : readCorpus(folder),
  ]);
  await requireWritable(output);
  sayOnTerminal(phrase('cli.reviewing_file', { file: draft }));
  const report = corpus ? reviewStyle(text, corpus) : reviewGenerally(text);
  await writeOutput(output, report.corrected);
  print(
    options.json,
    { ...report, output },
    () =>
      renderReview(text, report, corpus, draft, output) +
      (options.sideBySide
        ? `\n${renderSideBySide(text, report.corrected, process.stdout.columns || WIDTH)}`
        : ''),
  );
}

/** @throws CliError for a file that cannot be read or is not UTF-8 */
async function readText(path: string): Promise<string> {
  const bytes = await readFile(path).catch((error: NodeJS.ErrnoException) => {
    throw new CliError(phrase('cli_error.cannot_read', { file: path, code: String(error.code) }));
  });
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new CliError(phrase('cli_error.not_utf8', { file: path }));
  }
}

/** @throws CliError for a folder without texts */
async function readCorpus(folder: string): Promise<Fingerprint> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    throw new CliError(phrase('cli_error.cannot_read_folder', { folder, code: String(error.code) }));
  });
  const texts = names.filter((name) => TEXTS.has(extname(name).toLowerCase())).sort();
  if (texts.length === 0) throw new CliError(phrase('cli_error.corpus_folder_empty', { folder }));
  sayOnTerminal(phrase('cli.measuring_texts', { count: texts.length }));
  return fingerprintOf(
    await Promise.all(texts.map(async (name) => ({ title: name, text: await readText(join(folder, name)) }))),
  );
}

interface Common extends PrintOptions {
  sourceType?: StyleSourceType;
  author?: string;
}
type CorpusText = Schemas['CorpusText'];

/** `scriptorium article corpus add|list|fingerprint`: the style corpus of the running service (A9). */
function registerArticleCorpus(article: Command): void {
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

/** `scriptorium article overrule RUN FINDING`: says that a finding of the open question is wrong. */
function registerArticleOverrule(article: Command): void {
  const command = article
    .command('overrule')
    .description('Say that a finding in the draft or the research of an article is wrong')
    .argument('<run>', 'ID of the run that waits for your decision')
    .argument('<finding>', 'ID of the finding');
  withPrintOptions(withOverruleOptions(command)).action(
    (runId: string, findingId: string, options: PrintOptions & OverruleOptions) =>
      printRead(options, (client) => overrule(client, runId, findingId, options), renderLines(findingText)),
  );
}

/** @returns the findings of the question */
async function overrule(
  client: ApiClient,
  run_id: string,
  finding_id: string,
  options: OverruleOptions,
): Promise<Finding[]> {
  const query = { run_id, status: 'open' as const };
  const { items } = await unwrap(client.GET('/api/decisions', { params: { query } }));
  const asked = items.find(({ details }) => 'findings' in details);
  if (!asked) throw new CliError(phrase('cli_error.no_open_findings', { run: run_id }));
  const params = { path: { decision_id: asked.id, finding_id } };
  const body = changesOf(options);
  const { details } = await unwrap(
    client.PATCH('/api/decisions/{decision_id}/findings/{finding_id}', { params, body }),
  );
  return details['findings'] as Finding[];
}

interface Options extends PrintOptions {
  output: string;
  platform: Platform[];
}
type Repurposed = Awaited<ReturnType<typeof repurpose>>;

/** `scriptorium article repurpose article.md -o folder`: rewrites an approved article per platform (A14). */
function registerArticleRepurpose(article: Command): void {
  const command = article
    .command('repurpose')
    .description('Rewrite an approved article for LinkedIn, X, a newsletter and a short video')
    .argument('<article>', 'Markdown file')
    .requiredOption('-o, --output <folder>', 'output folder: one file per platform')
    .addOption(
      new Option('--platform <name>', 'only this platform (repeatable)')
        .choices([...platforms])
        .argParser((name: string, before: Platform[]) => [...before, platformOf(name)])
        .default([], 'all'),
    );
  withPrintOptions(command).action(async (file: string, options: Options) => {
    const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
      throw new CliError(phrase('cli_error.cannot_read', { file, code: String(error.code) }));
    });
    const wanted = options.platform.length > 0 ? [...new Set(options.platform)] : [...platforms];
    for (const platform of wanted) await requireWritable(fileOf(options.output, platform));
    const printWork = createPrinter(
      new LineProgress(),
      phrase('cli_error.status_saved', { command: 'scriptorium status RUN' }),
    );
    await printWork(options, (work) => repurpose(work, text, wanted, options), render);
  });
}

const render = ({ used_fallback: compiled, files }: Repurposed): string =>
  `${compiled ? 'by rules, without a model' : 'by the model'}\n${Object.values(files)
    .map((path) => `  ${path}\n`)
    .join('')}`;

function platformOf(name: string): Platform {
  const found = platforms.find((platform) => platform === name);
  if (!found) throw new CliError(phrase('cli_error.unknown_platform', { name, names: platforms.join(', ') }));
  return found;
}

const fileOf = (folder: string, platform: Platform): string =>
  resolve(join(folder, articleKind.results[platform].fileName));

async function repurpose({ client, progress, signal }: Work, text: string, wanted: Platform[], place: Place) {
  const session = await unwrap(client.POST('/api/sessions', { body: { title: 'Repurposing' } }));
  const inputs = { user_text: text, platforms: wanted };
  const started = await unwrap(
    client.POST('/api/agents/runs', {
      body: { session_id: session.id, kind: 'article', mode: 'repurpose', inputs },
    }),
  );
  const run = await runToEnd(client, started.id, progress, signal);
  if (run.status !== 'completed') throw failedRun(run);
  const files: Partial<Record<Platform, string>> = {};
  await withRecoveryHint(continueHint(run.id, place), async () => {
    for (const platform of wanted) {
      const file = fileOf(place.output, platform);
      files[platform] = await downloadResult(client, session.id, 'article', platform, file);
    }
  });
  const { used_fallback } = run.progress.details as { used_fallback: boolean };
  return { run_id: run.id, session_id: session.id, used_fallback, files };
}
