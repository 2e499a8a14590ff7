import { translate } from '../language.js';
import { phrase, type Phrase } from '#contracts/phrases/phrase.js';
import { unwrap } from '#contracts/api/responses.js';
import type { Command } from 'commander';
import { type Decision, fieldsOf, sendAnswer } from '../answers/choices.js';
import { choicesFrom } from '../answers/decide.js';
import { type GivenAnswers, readAnswers } from '../answers/given-answers.js';
import type { ApiClient } from '../client/api-client.js';
import { CliError } from '../cli-error.js';
import { createProgress } from '../progress/progress.js';
import { dataDirOption } from '../stack/data-dir.js';
import { withService } from '../stack/with-service.js';

/** `scriptorium answer tsk_… diagram.png=skip`: answers an open decision. */
export function registerAnswer(command: Command): void {
  command
    .argument('<decision>', 'ID of the decision; "scriptorium decisions" lists them')
    .argument(
      '<answers...>',
      "REF=PATH, REF=skip, REF=use:NAME or '*=skip'; text=… or action=… for other decisions",
    )
    .addOption(dataDirOption())
    .action(answer);
}

async function answer(id: string, answers: string[], { dataDir }: { dataDir: string }): Promise<void> {
  const given = readAnswers(answers);
  const confirmation = await withService(dataDir, createProgress(), async ({ client, connection }) => {
    const { status, run_id } = await sendAnswers(client, id, given);
    const next = connection.ownStack
      ? phrase('out.answer_next.follow', { command: `scriptorium follow ${run_id}` })
      : phrase('out.answer_next.continues');
    return `${translate(phrase('out.answer_given', { id, status: statusOf(status), run: run_id, next }))}\n`;
  });
  process.stdout.write(confirmation);
}

const statusOf = (status: string): Phrase | string =>
  status === 'answered' ? phrase('out.answer_status.answered') : status;

async function sendAnswers(client: ApiClient, id: string, given: GivenAnswers) {
  const decision = await unwrap(
    client.GET('/api/decisions/{decision_id}', { params: { path: { decision_id: id } } }),
  );
  refuseUnknown(decision, [...given.byReference.keys()]);
  const choices = choicesFrom(decision, given);
  const open = fieldsOf(decision).filter((field) => !choices.has(field));
  if (open.length > 0) throw new CliError(phrase('cli_error.answer_all', { fields: open.join(', ') }));
  return sendAnswer(client, decision, choices);
}

function refuseUnknown(decision: Decision, names: string[]): void {
  const known = [...new Set([...fieldsOf(decision), ...decision.references.map(({ ref }) => ref)])];
  const unknown = names.filter((name) => !known.includes(name));
  if (unknown.length > 0)
    throw new CliError(
      phrase('cli_error.answer_fields', { unknown: unknown.join(', '), known: known.join(', ') }),
    );
}
