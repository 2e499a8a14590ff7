import { isDigits } from '#contracts/text.js';
import { phrase } from '#contracts/phrases/phrase.js';
import { extname } from 'node:path';
import { type Command, InvalidArgumentError } from 'commander';
import { CliError } from '../cli-error.js';
import { requireWritable } from '../outputs/output-file.js';
import { dataDirOption } from '../stack/data-dir.js';
import type { Outputs } from './results.js';
import type { FindingChanges } from '#contracts/findings.js';
import { translate } from '../language.js';

/** Returns a parser of options for whole numbers. @param digits maximum number of digits */
export const wholeNumber =
  (digits: number) =>
  (text: string): number => {
    if (text.length <= digits && isDigits(text)) return Number(text);
    throw new InvalidArgumentError(translate(phrase('usage.whole_number')));
  };

export interface OverruleOptions {
  reason?: string;
  undo: boolean;
}

/** Adds the options of a command that says that a finding is wrong. */
export const withOverruleOptions = (command: Command): Command =>
  command
    .option('--reason <text>', 'why the finding is wrong')
    .option('--undo', 'let the finding count again', false);

export const changesOf = ({ reason, undo }: OverruleOptions): FindingChanges => ({
  overruled: undo ? null : { reason: reason ?? null },
});

/** Options of the commands that deliver a document. */
export interface DeliveryOptions extends Outputs {
  answer: string[];
  json: boolean;
  dataDir: string;
}

/** Adds the options that `write` and `follow` share. */
export function withDeliveryOptions(command: Command): Command {
  return command
    .requiredOption('-o, --output <file>', 'the Word file to write')
    .option('--md <file>', 'also write the manuscript as Markdown')
    .option(
      '--ledger <file>',
      'also write the verbatim ledger, which traces each source line; HTML if the name ends in .html, otherwise JSON',
    )
    .option(
      '--answer <ref=answer>',
      "answer a question in advance: REF=PATH, REF=skip, REF=use:NAME or FILE=ENCODING; '*=skip' for all others (repeatable)",
      (value: string, list: string[]) => [...list, value],
      [],
    )
    .option('--json', 'print one JSON object on standard output, and progress on standard error', false)
    .addOption(dataDirOption());
}

/**
 * Checks before the work that its results can be written.
 *
 * @throws CliError when the Word file's name does not end in .docx, or an output cannot be written
 */
export async function checkOutputs({ output, md, ledger }: Outputs): Promise<void> {
  for (const file of [output, md, ledger]) {
    if (file === undefined) continue;
    await requireWritable(file);
  }
  if (extname(output).toLowerCase() !== '.docx')
    throw new CliError(phrase('cli_error.docx_name', { output }));
}
