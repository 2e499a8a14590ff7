import { renderText, translate } from '#cli/language.js';
import { phrase } from '#contracts/phrases/phrase.js';
import { unwrap } from '#contracts/api/responses.js';
import { acceptAtTerminal } from '#cli/answers/terminal.js';
import { CliError } from '#cli/cli-error.js';
import { type PrintOptions, createPrinter, withPrintOptions } from '#cli/commands/print-result.js';
import { runToEnd } from '#cli/commands/run-to-end.js';
import { requireWritable, writeOutput } from '#cli/outputs/output-file.js';
import { LineProgress } from '#cli/progress/line-progress.js';
import { printable } from '#cli/progress/printable.js';
import { percent } from '#cli/progress/run-view.js';
import type { Work } from '#cli/stack/with-service.js';
import { replaceSpan } from '#writing/selection.js';
import type { Command } from 'commander';
import type { NewChange, SelectionChange } from '../contract/schemas.js';
import pc from 'picocolors';
import { readFile } from 'node:fs/promises';

interface Options extends PrintOptions {
  select?: string;
  occurrence?: number;
  lines?: { first_line: number; last_line: number };
  instruction?: string;
  words?: string;
  of?: 'document' | 'article';
  accept: boolean;
}

interface Changed {
  change: SelectionChange;
  /** The changed file; null if the service stores the text. */
  file: string | null;
}

/** `scriptorium change FILE|ID --select "…" --instruction "…"` or `--words "…"`: changes a part of a text, everything else stays byte-identical. */
export function registerChange(command: Command): void {
  command
    .argument(
      '<target>',
      'Markdown file, ID of a chapter (cha_…), or session of a document or article (ses_…)',
    )
    .option('--select <words>', 'the words to change, exactly as in the Markdown')
    .option('--occurrence <n>', 'which one, if the words occur several times, counted from 1', wholeNumber)
    .option('--lines <range>', 'lines to change instead, such as 10-14', lineRange)
    .option('--instruction <text>', 'what a model should change')
    .option('--words <text>', 'your own words instead, without a model')
    .option('--of <text>', 'document or article, if the session has both', textOfSession)
    .option('--accept', 'accept the new words without asking', false);
  withPrintOptions(command).action(async (given: string, options: Options) => {
    const selection = selectionOf(options);
    const target = await readTarget(given, options.of);
    if (target.file !== null) await requireWritable(target.file);
    const request = { ...target.request, selection, ...wordsOf(options) };
    const printWork = createPrinter(new LineProgress(), phrase('cli_error.proposal_saved'));
    await printWork(options, (work) => change(work, target, request, options.accept), render);
  });
}

async function change(
  { client, progress, signal }: Work,
  target: Target,
  body: Omit<NewChange, 'budget'>,
  accepts: boolean,
): Promise<Changed> {
  const { run_id } = await unwrap(client.POST('/api/changes', { body }));
  await runToEnd(client, run_id, progress, signal);
  const params = { path: { run_id } };
  const proposed = await unwrap(client.GET('/api/changes/{run_id}', { params }));
  if (proposed.state !== 'proposed')
    throw new CliError(
      proposed.error
        ? `${renderText(proposed.error.phrase, proposed.error.message)} (${proposed.error.code})`
        : phrase('cli_error.no_proposal'),
    );
  if (!(await mayReplace(proposed, accepts, signal)))
    return { change: await unwrap(client.POST('/api/changes/{run_id}/reject', { params })), file: null };
  if (target.file !== null && (await readText(target.file)) !== target.request.text)
    throw new CliError(phrase('cli_error.file_changed', { file: target.file }));
  const accepted = await unwrap(client.POST('/api/changes/{run_id}/accept', { params }));
  if (target.file !== null)
    await writeOutput(target.file, replaceSpan(target.request.text!, accepted.span, accepted.after!));
  return { change: accepted, file: target.file };
}

/** Shows a proposal with its findings and asks about it. */
async function mayReplace(
  proposed: SelectionChange,
  accepts: boolean,
  signal: AbortSignal,
): Promise<boolean> {
  const shown = renderChange(proposed);
  process.stderr.write(printable(shown));
  if (accepts) return true;
  const isAccepted = await acceptAtTerminal(translate(phrase('cli.replace_selection')), signal);
  if (isAccepted === undefined) throw new CliError(phrase('cli_error.no_answer_change'));
  return isAccepted;
}

function render({ change: { state }, file }: Changed): string {
  if (state === 'accepted')
    return `${translate(phrase('out.changed'))}\n${file === null ? '' : `  ${file}\n`}`;
  return `${translate(phrase('out.change_rejected'))}\n`;
}

function selectionOf({ select, occurrence, lines }: Options): NewChange['selection'] {
  if (select !== undefined && lines === undefined)
    return { quote: select, ...(occurrence === undefined ? {} : { occurrence }) };
  if (lines !== undefined && select === undefined && occurrence === undefined) return lines;
  throw new CliError(phrase('cli_error.name_the_part'));
}

function wordsOf({ instruction, words }: Options): Pick<NewChange, 'instruction' | 'replacement'> {
  if (words !== undefined && instruction === undefined) return { replacement: words };
  if (instruction !== undefined && words === undefined) return { instruction };
  throw new CliError(phrase('cli_error.instruction_or_words'));
}

function wholeNumber(typed: string): number {
  if (/^[1-9]\d{0,5}$/.test(typed)) return Number(typed);
  throw new CliError(phrase('cli_error.not_a_number', { typed }));
}

function lineRange(typed: string): NonNullable<Options['lines']> {
  const [, first, last] = /^([1-9]\d{0,8})(?:-([1-9]\d{0,8}))?$/.exec(typed) ?? [];
  if (first === undefined) throw new CliError(phrase('cli_error.not_a_range', { typed }));
  return { first_line: Number(first), last_line: Number(last ?? first) };
}

function textOfSession(typed: string): 'document' | 'article' {
  if (typed === 'document' || typed === 'article') return typed;
  throw new CliError(phrase('cli_error.unknown_target', { typed }));
}

const prefixed = (text: string, mark: string, paint: (line: string) => string): string =>
  text
    .split('\n')
    .map((line) => paint(`${mark} ${line}`))
    .join('\n');

/** Renders a proposal for the terminal: the old and the new words, and what was found about them. */
function renderChange(change: SelectionChange): string {
  const { before, after, note, findings, ledger } = change;
  const lines = [
    prefixed(before, '-', pc.red),
    after === ''
      ? pc.green(`+ ${translate(phrase('out.selection_removed'))}`)
      : prefixed(after ?? '', '+', pc.green),
    ...(note === null ? [] : [translate(phrase('out.note', { text: note }))]),
    ...findings.map(
      ({ severity, message, phrase: known }) =>
        `${translate(phrase(`out.severity.${severity}`))}: ${renderText(known, message)}`,
    ),
    ...(ledger === null
      ? []
      : [
          translate(
            phrase('out.carried_after_change', {
              share: ledger.coverage === null ? phrase('out.unknown') : percent(ledger.coverage),
            }),
          ),
          ...ledger.issues.map((issue) => `  ${issue}`),
        ]),
  ];
  return `\n${lines.join('\n')}\n`;
}

/** The text to change, as the API expects it; `file` is null if the service stores the text. */
interface Target {
  request: Pick<NewChange, 'chapter_id' | 'session_id' | 'of' | 'text'>;
  file: string | null;
}

/**
 * Returns the text that an argument of the command names: an ID of the service, else a file.
 *
 * @throws CliError if the file cannot be read or is not UTF-8
 */
async function readTarget(given: string, of: 'document' | 'article' | undefined): Promise<Target> {
  if (/^ses_\w+$/.test(given)) return { request: { session_id: given, ...(of ? { of } : {}) }, file: null };
  if (of) throw new CliError(phrase('cli_error.of_session_only'));
  if (/^cha_\w+$/.test(given)) return { request: { chapter_id: given }, file: null };
  return { request: { text: await readText(given) }, file: given };
}

/** @throws CliError if the file cannot be read or is not UTF-8 */
async function readText(path: string): Promise<string> {
  const bytes = await readFile(path).catch((error: NodeJS.ErrnoException) => {
    throw new CliError(phrase('cli_error.cannot_read', { file: path, code: String(error.code) }));
  });
  try {
    // Keeps a byte order mark, so that the file is written with it again.
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new CliError(phrase('cli_error.not_utf8', { file: path }));
  }
}
