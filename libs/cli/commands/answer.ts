import { unwrap } from '#contracts/api/responses.js';
import type { Command } from 'commander';
import { type Decision, fieldsOf, sendAnswer } from '../answers/choices.js';
import { choicesFrom } from '../answers/decide.js';
import { readAnswers } from '../answers/given-answers.js';
import { CliError } from '../cli-error.js';
import { connect } from '../stack/connect.js';
import { dataDirOption } from '../stack/data-dir.js';

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
  const { client } = await connect(dataDir);
  const decision = await unwrap(
    client.GET('/api/decisions/{decision_id}', { params: { path: { decision_id: id } } }),
  );
  refuseUnknown(decision, [...given.byReference.keys()]);
  const choices = choicesFrom(decision, given);
  const open = fieldsOf(decision).filter((field) => !choices.has(field));
  if (open.length > 0) throw new CliError(`Answer all fields together; missing: ${open.join(', ')}.`);
  const { status, run_id } = await sendAnswer(client, decision, choices);
  process.stdout.write(`${id} is ${status}; run ${run_id} continues\n`);
}

function refuseUnknown(decision: Decision, names: string[]): void {
  const known = [...new Set([...fieldsOf(decision), ...decision.references.map(({ ref }) => ref)])];
  const unknown = names.filter((name) => !known.includes(name));
  if (unknown.length > 0)
    throw new CliError(
      `The decision has no field "${unknown.join('", "')}"; its fields are: ${known.join(', ')}.`,
    );
}
