import { phrase } from '#contracts/phrases/phrase.js';
import { unwrap } from '#contracts/api/responses.js';
import type { ApiClient } from '../client/api-client.js';
import { CliError } from '../cli-error.js';
import {
  allFieldsOf,
  type Choices,
  type Decision,
  defaultChoices,
  fieldsOf,
  findField,
  isReference,
  sendAnswer,
  readAmount,
} from './choices.js';
import type { GivenAnswers } from './given-answers.js';
import { dataDirArgument, DEFAULT_PLACE, followCommand, type Place } from '../stack/data-dir.js';
import { renderText, translate } from '../language.js';
import { existsSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { type Ask, askAtTerminal, type Terminal } from './terminal.js';

type Asked = Pick<Decision, 'question' | 'context'> & Partial<Pick<Decision, 'phrase' | 'context_phrases'>>;

/** Returns a question and, indented, its facts in the terminal's language. The phrases of an older service are missing. */
export function describeQuestion({
  question,
  phrase,
  context,
  context_phrases: phrases = [],
}: Asked): string[] {
  return [
    renderText(phrase, question),
    ...context.map((fact, index) => `  ${renderText(phrases[index], fact)}`),
  ];
}

/**
 * Answers an open decision from the command line; asks the person at the terminal for missing fields.
 *
 * @param place output and data directory of the command, for the commands that an error suggests
 * @returns the current decision, even if another client answered it first
 * @throws CliError when an answer is missing and no person at a terminal gives it; the run continues to wait
 */
export async function decide(
  client: ApiClient,
  decision: Decision,
  given: GivenAnswers,
  signal: AbortSignal,
  place: Place = DEFAULT_PLACE,
): Promise<Decision> {
  const choices = choicesFrom(decision, given);
  const open = fieldsOf(decision).filter((field) => !choices.has(field));
  if (open.length > 0) {
    const answers = process.stdin.isTTY ? await askPerson(decision, open, signal) : undefined;
    if (answers === undefined) throw missingAnswerError(decision, open, place);
    for (const [field, choice] of answers) choices.set(field, choice);
  }
  try {
    return await sendAnswer(client, decision, choices);
  } catch (error) {
    const isLate =
      error instanceof CliError && ['decision_answered', 'decision_stale'].includes(error.code ?? '');
    if (!isLate) throw error;
    return unwrap(
      client.GET('/api/decisions/{decision_id}', { params: { path: { decision_id: decision.id } } }),
    );
  }
}

/** Returns the answers of the command line that apply to this decision. */
export function choicesFrom(decision: Decision, { byReference, skipTheRest }: GivenAnswers): Choices {
  const choices: Choices = skipTheRest ? defaultChoices(decision) : new Map();
  for (const field of allFieldsOf(decision)) {
    const answer = byReference.get(field);
    if (answer !== undefined) choices.set(field, answer);
  }
  return choices;
}

function missingAnswerError(decision: Decision, open: string[], place: Place): CliError {
  const isForm = open.length > 1 && isReference(decision, open[0]!);
  const answers = open.map((field) => `'${field.replaceAll('=', '%3D')}=${exampleFor(decision, field)}'`);
  if (isForm) answers.unshift("'*=skip'");
  const options = (isForm ? answers.slice(0, 1) : answers).map((answer) => `--answer ${answer}`).join(' ');
  return new CliError(
    translate(
      phrase('cli.answer_missing', {
        question: renderText(decision.phrase, decision.question).trim(),
        options,
        follow: `${followCommand(decision.run_id, place)} ${options}`,
        answer: `scriptorium answer ${decision.id} ${answers.join(' ')}${dataDirArgument(place.dataDir)}`,
      }),
    ),
  );
}

function exampleFor(decision: Decision, field: string): string {
  if (decision.budget?.scope === 'run') return 'AMOUNT|stop';
  if (isReference(decision, field)) return 'PATH|skip';
  return findField(decision, field).schema?.enum?.map(String).join('|') ?? 'YOUR ANSWER';
}

/**
 * Asks the person at the terminal until each field of the decision has an answer.
 *
 * @returns undefined when the person closes the terminal's input (Ctrl-D) instead
 */
export function askPerson(
  decision: Decision,
  fields: string[],
  signal: AbortSignal,
  terminal?: Terminal,
): Promise<Choices | undefined> {
  const isForm = fields.length > 1 && isReference(decision, fields[0]!);
  // List all references before the first prompt.
  const list = isForm ? fields.map((field) => `  - ${field}${whereOf(decision, field)}`) : [];
  const question = [...describeQuestion(decision), ...list].join('\n');
  const askFields = async (ask: Ask) => {
    const choices: Choices = new Map();
    for (const field of fields) {
      const { prompt, help, read } = describeField(decision, field);
      const answer = await ask(prompt, help, read);
      if (answer === SKIP_ALL) for (const rest of fields) if (!choices.has(rest)) choices.set(rest, 'skip');
      if (answer === SKIP_ALL) break;
      choices.set(field, answer);
    }
    return choices;
  };
  return askAtTerminal(question, signal, askFields, terminal);
}

/** Skips the current reference and all later ones. */
const SKIP_ALL = 'skip all';

/** Prompt and parser for a field of an answer. */
interface FieldQuestion {
  prompt: string;
  /** Describes the accepted input. */
  help: string;
  /** Returns the answer as the API expects it; undefined for invalid input. */
  read: (typed: string) => string | undefined;
}

function describeField(decision: Decision, field: string): FieldQuestion {
  const { budget } = decision;
  if (budget?.scope === 'run') {
    const help = translate(phrase(`cli.add_${budget.unit}`));
    const read = (typed: string) => (readAmount(budget.unit, typed) ? typed : findChoice(['stop'], typed));
    return { prompt: help, help, read };
  }
  if (isReference(decision, field)) {
    const help = translate(phrase('cli.reference_help'));
    const hint = decision.references.find(({ ref }) => ref === field)?.hint;
    const subject = `${field}${whereOf(decision, field)}${hint ? ` – ${translate(phrase('cli.did_you_mean', { hint }))}` : ''}`;
    return { prompt: `${subject}: ${help}`, help, read: readReference };
  }
  const { schema, offered } = findField(decision, field);
  const choices = (schema?.enum ?? []).map(String);
  const help =
    choices.length > 0
      ? listChoices(choices)
      : field === 'text'
        ? translate(phrase('cli.your_answer'))
        : field;
  const read = (typed: string) =>
    typed === '' ? offered : choices.length > 0 ? findChoice(choices, typed) : typed;
  return { prompt: offered === undefined ? help : `${field}: ${help} [${offered}]`, help, read };
}

function whereOf({ references }: Decision, field: string): string {
  const { source, line } = references.find(({ ref }) => ref === field) ?? {};
  if (!source) return '';
  return ` (${line ? translate(phrase('cli.source_line', { source, line })) : source})`;
}

/** Joins choices with commas, the last one with "or". */
const listChoices = (choices: string[]) =>
  choices.length < 2
    ? choices.join('')
    : translate(phrase('cli.or', { first: choices.slice(0, -1).join(', '), last: choices.at(-1)! }));

const findChoice = (choices: string[], typed: string) =>
  choices.find((choice) => choice.toLowerCase() === typed.toLowerCase());

function readReference(typed: string): string | undefined {
  if (/^(?:skip all|\*=skip)$/i.test(typed)) return SKIP_ALL;
  if (/^s(kip)?$/i.test(typed)) return 'skip';
  if (typed.startsWith('use:')) return typed;
  const path = typed.replace(/^(['"])(.*)\1$/, '$2').replace(/^~(?=\/)/, homedir());
  return existsSync(path) && statSync(path).isFile() ? path : undefined;
}
