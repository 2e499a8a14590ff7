import { existsSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { createInterface, type Interface } from 'node:readline/promises';
import type { Choices, Decision } from './choices.js';

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
    output.write(`\n${decision.question}\n`);
    for (const fact of decision.context) output.write(`  ${fact}\n`);
    const choices: Choices = new Map();
    for (const field of fields) choices.set(field, await askField(terminal, output, decision, field, either));
    return choices;
  } catch (error) {
    if (closed.signal.aborted && !signal.aborted) return undefined;
    throw error;
  } finally {
    terminal.close();
  }
}

async function askField(
  terminal: Interface,
  output: NodeJS.WritableStream,
  decision: Decision,
  field: string,
  signal: AbortSignal,
): Promise<string> {
  for (;;) {
    const answer = (await terminal.question(promptFor(decision, field), { signal })).trim();
    const accepted = accept(decision, answer);
    if (accepted !== undefined) return accepted;
    output.write(
      `  ${answer === '' ? 'Please answer' : `"${answer}" cannot be used`}: ${helpFor(decision)}\n`,
    );
  }
}

function promptFor(decision: Decision, field: string): string {
  if (decision.decision_type !== 'missing_references') return `  ${helpFor(decision)} > `;
  const reference = decision.references.find(({ ref }) => ref === field);
  const where = reference?.source
    ? ` (${reference.source}${reference.line ? `, line ${reference.line}` : ''})`
    : '';
  const hint = reference?.hint ? ` – did you mean ${reference.hint}?` : '';
  return `  ${field}${where}${hint}: ${helpFor(decision)} > `;
}

function helpFor({ decision_type, budget }: Decision): string {
  if (budget) return budget.scope === 'run' ? `${budget.unit} to add, or stop` : 'retry or stop';
  if (decision_type === 'missing_references') return 'path of the file, or skip';
  return decision_type === 'question' ? 'your answer' : 'accept, retry or abort';
}

/** The answer in the form the service takes; undefined when it is none. */
function accept({ decision_type, budget }: Decision, answer: string): string | undefined {
  if (budget) {
    const isAmount = budget.scope === 'run' && /^[1-9]\d*$/.test(answer);
    const actions = budget.scope === 'run' ? ['stop'] : ['retry', 'stop'];
    return isAmount ? answer : actions.find((action) => action === answer.toLowerCase());
  }
  if (decision_type === 'question') return answer === '' ? undefined : answer;
  if (decision_type === 'fix_exhausted')
    return ['accept', 'retry', 'abort'].find((action) => action === answer.toLowerCase());
  if (/^s(kip)?$/i.test(answer)) return 'skip';
  if (answer.startsWith('use:')) return answer;
  const path = answer.replace(/^(['"])(.*)\1$/, '$2').replace(/^~(?=\/)/, homedir());
  return existsSync(path) && statSync(path).isFile() ? path : undefined;
}
