import { phrase } from '#contracts/phrases/phrase.js';
import { unwrap } from '#contracts/api/responses.js';
import type { ApiClient } from '../client/api-client.js';
import { CliError } from '../cli-error.js';
import { askPerson } from './ask.js';
import {
  type Choices,
  type Decision,
  defaultChoices,
  fieldsOf,
  findField,
  isReference,
  sendAnswer,
} from './choices.js';
import type { GivenAnswers } from './given-answers.js';
import { dataDirArgument, DEFAULT_PLACE, followCommand, type Place } from '../stack/data-dir.js';
import { renderText, translate } from '../language.js';

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
  for (const field of fieldsOf(decision)) {
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
