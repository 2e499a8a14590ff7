import { existsSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { createInterface, type Interface } from 'node:readline/promises';
import { printable } from '../progress/printable.js';
import { offeredFor, schemaOf, type Choices, type Decision } from './choices.js';

/** Where questions are shown and answers typed; standard output belongs to the result. */
export interface Terminal {
  input: NodeJS.ReadableStream;
  output: NodeJS.WritableStream;
}

/**
 * Asks the person at the terminal until each field of the decision has an answer.
 *
 * @returns undefined when the person closes the terminal's input (Ctrl-D) instead
 */
export async function askPerson(
  decision: Decision,
  fields: string[],
  signal: AbortSignal,
  { input, output }: Terminal = { input: process.stdin, output: process.stderr },
): Promise<Choices | undefined> {
  const terminal = createInterface({ input, output });
  const closed = new AbortController();
  terminal.once('close', () => closed.abort());
  // At a terminal in raw mode Ctrl-C is a key; it means the same as everywhere.
  terminal.on('SIGINT', () => process.kill(process.pid, 'SIGINT'));
  const either = AbortSignal.any([signal, closed.signal]);
  try {
    output.write(printable(`\n${decision.question}\n`));
    for (const fact of decision.context) output.write(printable(`  ${fact}\n`));
    const isForm = decision.decision_type === 'missing_references' && fields.length > 1;
    if (isForm) output.write(printable(`${listOf(decision, fields)}\n`));
    const choices: Choices = new Map();
    for (const field of fields) {
      const answer = await askField(terminal, output, decision, field, either);
      if (answer === SKIP_ALL) for (const rest of fields) if (!choices.has(rest)) choices.set(rest, 'skip');
      if (answer === SKIP_ALL) break;
      choices.set(field, answer);
    }
    return choices;
  } catch (error) {
    if (closed.signal.aborted && !signal.aborted) return undefined;
    throw error;
  } finally {
    terminal.close();
  }
}

/** Skips the reference that is asked about and all behind it. */
const SKIP_ALL = 'skip all';

/** What is asked for, at a glance, before the first question. */
function listOf(decision: Decision, fields: string[]): string {
  return fields.map((field) => `  - ${field}${whereOf(decision, field)}`).join('\n');
}

function whereOf({ references }: Decision, field: string): string {
  const { source, line } = references.find(({ ref }) => ref === field) ?? {};
  return source ? ` (${source}${line ? `, line ${line}` : ''})` : '';
}

async function askField(
  terminal: Interface,
  output: NodeJS.WritableStream,
  decision: Decision,
  field: string,
  signal: AbortSignal,
): Promise<string> {
  for (;;) {
    const answer = (await terminal.question(printable(promptFor(decision, field)), { signal })).trim();
    const accepted = accept(decision, field, answer);
    if (accepted !== undefined) return accepted;
    output.write(
      `  ${answer === '' ? 'Please answer' : `"${answer}" cannot be used`}: ${helpFor(decision, field)}\n`,
    );
  }
}

const isReference = ({ references, budget }: Decision, field: string) =>
  !budget && references.some(({ ref }) => ref === field);

function promptFor(decision: Decision, field: string): string {
  const offered = offeredFor(decision, field);
  if (offered !== undefined) return `  ${field}: ${helpFor(decision, field)} [${offered}] > `;
  if (!isReference(decision, field)) return `  ${helpFor(decision, field)} > `;
  const reference = decision.references.find(({ ref }) => ref === field);
  const where = whereOf(decision, field);
  const hint = reference?.hint ? ` – did you mean ${reference.hint}?` : '';
  return `  ${field}${where}${hint}: ${helpFor(decision, field)} > `;
}

/** The last of several is set off by "or". */
const alternatives = (values: string[]) =>
  values.length < 2 ? values.join('') : `${values.slice(0, -1).join(', ')} or ${values.at(-1)}`;

const valuesOf = (decision: Decision, field: string) =>
  (schemaOf(decision, field)?.enum ?? []).filter((value) => typeof value === 'string');

function helpFor(decision: Decision, field: string): string {
  const { budget } = decision;
  if (budget) return budget.scope === 'run' ? `${budget.unit} to add, or stop` : 'retry or stop';
  if (isReference(decision, field)) return 'path of the file, use:NAME for an input, skip, or skip all';
  const values = valuesOf(decision, field);
  if (values.length > 0) return alternatives(values);
  return field === 'text' ? 'your answer' : field;
}

/** The answer in the form the service takes; undefined when it is none. */
function accept(decision: Decision, field: string, answer: string): string | undefined {
  const { budget } = decision;
  if (budget) {
    const isAmount = budget.scope === 'run' && /^[1-9]\d*$/.test(answer);
    const actions = budget.scope === 'run' ? ['stop'] : ['retry', 'stop'];
    return isAmount ? answer : actions.find((action) => action === answer.toLowerCase());
  }
  if (isReference(decision, field)) return acceptReference(answer);
  if (answer === '') return offeredFor(decision, field);
  const values = valuesOf(decision, field);
  if (values.length > 0) return values.find((value) => value.toLowerCase() === answer.toLowerCase());
  return answer;
}

function acceptReference(answer: string): string | undefined {
  if (/^(?:skip all|\*=skip)$/i.test(answer)) return SKIP_ALL;
  if (/^s(kip)?$/i.test(answer)) return 'skip';
  if (answer.startsWith('use:')) return answer;
  const path = answer.replace(/^(['"])(.*)\1$/, '$2').replace(/^~(?=\/)/, homedir());
  return existsSync(path) && statSync(path).isFile() ? path : undefined;
}
