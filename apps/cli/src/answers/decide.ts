import type { ApiClient } from '../client/api-client.js';
import { CliError } from '../cli-error.js';
import { askPerson } from './ask.js';
import { defaultChoices, fieldsOf, sendAnswer, type Choices, type Decision } from './choices.js';
import type { GivenAnswers } from './given-answers.js';

/**
 * Answers an open decision with what the command line says, and asks the person at the terminal for the rest.
 *
 * @returns the decision as it stands now, also when someone else was faster
 * @throws CliError when an answer is missing and nobody can be asked; the run keeps waiting then
 */
export async function decide(
  client: ApiClient,
  decision: Decision,
  given: GivenAnswers,
  signal: AbortSignal,
): Promise<Decision> {
  const choices = choicesFrom(decision, given);
  const open = fieldsOf(decision).filter((field) => !choices.has(field));
  if (open.length > 0) {
    if (!process.stdin.isTTY) throw nobodyToAsk(decision, open);
    for (const [field, choice] of await askPerson(decision, open, signal)) choices.set(field, choice);
  }
  try {
    return await sendAnswer(client, decision, choices);
  } catch (error) {
    const isLate =
      error instanceof CliError && ['decision_answered', 'decision_stale'].includes(error.code ?? '');
    if (!isLate) throw error;
    return client.call('getDecision', { params: { decision_id: decision.id } });
  }
}

/** What the command line says to this decision. */
export function choicesFrom(decision: Decision, { byReference, skipTheRest }: GivenAnswers): Choices {
  const choices: Choices = skipTheRest ? defaultChoices(decision) : new Map();
  for (const field of fieldsOf(decision)) {
    const answer = byReference.get(field);
    if (answer !== undefined) choices.set(field, answer);
  }
  return choices;
}

function nobodyToAsk(decision: Decision, open: string[]): CliError {
  const example = decision.decision_type === 'missing_references' ? 'PATH (or =skip)' : helpValue(decision);
  const options = open.map((field) => `--answer '${field.replaceAll('=', '%3D')}=${example}'`).join(' ');
  return new CliError(
    `The run waits for an answer and there is no terminal to ask at (${decision.question.trim()}): give it with ${options}, ` +
      `or answer later with "scriptorium answer ${decision.id} …" and "scriptorium follow ${decision.run_id} -o FILE".`,
  );
}

function helpValue({ decision_type }: Decision): string {
  return decision_type === 'question' ? 'YOUR ANSWER' : 'accept|retry|abort';
}
