import { translate } from '#cli/language.js';
import { phrase } from '#contracts/phrases/phrase.js';
import { unwrap } from '#contracts/api/responses.js';
import { isCarriedName } from '#contracts/file-kinds.js';
import { FIRST_PAGE_PARTS, type FirstPagePart } from '#contracts/manuscript.js';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { resolve } from 'node:path';
import { checkAnswers, readAnswers } from '#cli/answers/given-answers.js';
import type { ApiClient } from '#cli/client/api-client.js';
import { CliError } from '#cli/cli-error.js';
import { collectFiles, type InputFile, reportSkipped } from '#cli/inputs/collect-files.js';
import { folderTitle } from '#cli/inputs/folder-title.js';
import { EarlierSessions } from '#cli/inputs/earlier-session.js';
import { uploadInputs } from '#cli/inputs/upload-inputs.js';
import { changesBelow, repeatAt } from '#cli/inputs/watch-paths.js';
import { createProgress, type Progress } from '#cli/progress/progress.js';
import { aborted, failureOf, interruptible } from '#cli/stack/signals.js';
import { type Work, withService } from '#cli/stack/with-service.js';
import { CONVERSION } from '../contract.js';
import { type DeliveryOptions, checkOutputs, withDeliveryOptions } from '#cli/commands/shared-options.js';

export interface WriteOptions extends DeliveryOptions {
  title?: string;
  policy?: 'verbatim' | 'narrative';
  language?: string;
  summary?: boolean;
  firstPage?: FirstPagePart[];
  withoutModel?: boolean;
  sourceAppendix?: boolean;
  codeColors?: boolean;
  lineNumbers?: boolean;
  listOfFigures?: boolean;
  wordTemplate?: string;
  encoding: string[];
  keepRunning: boolean;
  update?: boolean;
  watch?: boolean;
  discardChanges?: boolean;
  /** Whether files are only converted: by rules, and each question gets its default answer, which is not remembered. */
  isConversion?: boolean;
}

/** `scriptorium write notes/ -o report.docx`: writes a document from raw files (X). */
export function registerWrite(command: Command): void {
  command.argument(
    '<paths...>',
    'files or folders; folders are read recursively, without hidden files and symbolic links; in each folder README and overview come first, then files and folders in the natural order of their names',
  );
  withDeliveryOptions(command)
    .option('--title <text>', "title of the document, before its first chapter (default: the folder's name)")
    .addOption(
      new Option('--policy <policy>', 'verbatim: keep prose as it is; narrative: rewrite it').choices([
        'verbatim',
        'narrative',
      ]),
    )
    .option('--language <tag>', 'language of the document, such as en or pl')
    .option('--summary', 'let a model begin with a chapter "In short", whose sentences are checked')
    .option(
      '--first-page <parts>',
      `begin with a page of lines that rules find, each with a link: ${FIRST_PAGE_PARTS.join(',')}`,
      readParts,
    )
    .option('--without-model', 'let rules write and call no model: the same files give the same result')
    .option('--source-appendix', 'append the unchanged sources to the Word file')
    .option('--code-colors', 'highlight the syntax of code')
    .option('--line-numbers', 'number the lines of code')
    .option(
      '--list-of-figures',
      'list figures and tables after the contents (default: if there are five of a kind)',
    )
    .option('--no-list-of-figures', 'omit these lists')
    .option('--word-template <name>', 'take styles, headers, footers and page setup from this Word template')
    .option(
      '--encoding <name>',
      'encoding of text that is not UTF-8, such as windows-1250, or PATTERN=NAME for files whose name matches (repeatable)',
      (rule: string, rules: string[]) => [...rules, rule],
      [],
    )
    .option(
      '--update',
      'write again only what has changed since the last --update of the same paths; answers and accepted changes stay',
    )
    .option('--watch', 'as --update, now and after each change of the files, until Ctrl-C')
    .option('--discard-changes', 'write changed sources again although their chapters were edited')
    .option('--keep-running', 'keep the stack running afterwards, until Ctrl-C', false)
    .action(write);
}

/** @throws InvalidArgumentError for a part that does not exist */
function readParts(list: string): FirstPagePart[] {
  return list.split(',').map((name) => {
    const part = FIRST_PAGE_PARTS.find((own) => own === name.trim());
    if (part === undefined) throw new InvalidArgumentError(FIRST_PAGE_PARTS.join(', '));
    return part;
  });
}

/** Writes a document from files and folders with a service, and delivers it. */
export async function write(paths: string[], options: WriteOptions): Promise<void> {
  const progress = createProgress();
  const first = await prepare(paths, options, progress);
  await withService(options.dataDir, progress, async (work) => {
    const { signal } = work;
    let next: Prepared | null = first;
    const writeOnce = async () => {
      await writeAndDeliver(work, next ?? (await prepare(paths, options, progress)), paths, options);
      next = null;
    };
    const report = (error: unknown) => {
      if (!(error instanceof CliError)) throw error;
      progress.say(error.message);
    };
    await (options.watch
      ? repeatAt(changesBelow(paths, outputPaths(options), signal), writeOnce, report)
      : writeOnce());
    if (options.keepRunning) await keepRunning(work);
  });
}

/** Returns the absolute paths of what the command writes. */
const outputPaths = ({ output, md, ledger, dataDir }: WriteOptions): string[] =>
  [output, md, ledger, dataDir].filter((path) => path !== undefined).map((path) => resolve(path));

interface Prepared {
  given: ReturnType<typeof readAnswers>;
  files: InputFile[];
  title: string | undefined;
}

/** Reads the answers and collects the files, before a service is started. */
async function prepare(paths: string[], options: WriteOptions, progress: Progress): Promise<Prepared> {
  const given = readAnswers(options.answer);
  const { files, leftOut } = await collectFiles(paths, outputPaths(options));
  const title = options.title ?? (await folderTitle(paths, files));
  await Promise.all([checkAnswers(given), checkOutputs(options)]);
  reportSkipped(leftOut, (message) => progress.say(message));
  for (const { name } of files.filter(({ name }) => !isCarriedName(name)))
    progress.say(translate(phrase('cli.not_included', { name })));
  return { given, files, title };
}

async function writeAndDeliver(
  { client, progress, signal }: Work,
  { given, files, title }: Prepared,
  paths: string[],
  options: WriteOptions,
): Promise<void> {
  const startedAt = Date.now();
  const { json, dataDir, update, watch } = options;
  const earlier = update || watch ? new EarlierSessions(dataDir, paths) : null;
  const answered = [...given.byReference.keys()];
  const runId = await interruptible(signal, phrase('cli_error.run_not_started'), () =>
    begin(client, files, { ...options, title }, answered, earlier, progress, signal),
  );
  // Load this module while the run is already active: loading costs as much time as all previous work.
  const { deliver } = await import('#cli/commands/deliver.js');
  const asks = !options.isConversion;
  await deliver({
    ...{ client, runId, outputs: options, given, asks, progress, signal, json, startedAt, dataDir },
  });
}

/**
 * Creates a session, or takes the earlier one of the same paths, uploads the files that it lacks and starts a run.
 *
 * @param answered references with an answer on the command line, which a remembered answer must not replace
 * @returns the ID of the run
 */
async function begin(
  client: ApiClient,
  files: InputFile[],
  options: WriteOptions,
  answered: string[],
  earlier: EarlierSessions | null,
  progress: Progress,
  signal: AbortSignal,
): Promise<string> {
  const { title, policy, language, summary, firstPage: first_page, withoutModel: without_model } = options;
  const { sourceAppendix: source_appendix, codeColors: code_colors } = options;
  const { lineNumbers: line_numbers, listOfFigures: list_of_figures, wordTemplate: word_template } = options;
  const known = await earlier?.prepare(client, files);
  const body = title === undefined ? {} : { title };
  const { id: session_id, fresh } = known ?? {
    ...(await unwrap(client.POST('/api/sessions', { body }))),
    fresh: files,
  };
  await earlier?.remember(session_id);
  const encoding = options.encoding.join(',');
  const items = fresh.length === 0 ? [] : await uploadInputs(client, session_id, fresh, encoding, signal);
  const bytes = items.reduce((sum, { size }) => sum + size, 0);
  progress.say(translate(phrase('cli.uploaded', { count: items.length, size: readableSize(bytes) })));
  const ask_again = answered.length > 0 ? answered : undefined;
  const looks = { source_appendix, code_colors, line_numbers, list_of_figures, word_template };
  const word = { title, language, ...looks };
  const conversion = options.isConversion ? CONVERSION : {};
  const rebuild = { only_changed: earlier ? true : undefined, discard_changes: options.discardChanges };
  const inputs = {
    ...word,
    policy,
    summary,
    first_page,
    without_model,
    ask_again,
    ...rebuild,
    ...conversion,
  };
  return (await unwrap(client.POST('/api/agents/runs', { body: { session_id, inputs } }))).id;
}

async function keepRunning({ client, connection, progress, signal }: Work): Promise<void> {
  if (connection.ownStack === undefined) return;
  progress.say(translate(phrase('cli.stack_keeps_running', { url: client.url })));
  await aborted(signal);
  const failure = failureOf(signal);
  if (failure) throw failure;
}

function readableSize(bytes: number): string {
  if (bytes < 1024) return translate(phrase('out.bytes', { bytes }));
  return bytes < 1024 * 1024 ? `${(bytes / 1024).toFixed(1)} KB` : `${(bytes / 1024 / 1024).toFixed(1)} MB`;
}
