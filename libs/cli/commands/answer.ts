import { phrase, type Phrase } from '#contracts/phrases/phrase.js';
import { everyItem, unwrap } from '#contracts/api/responses.js';
import type { Command } from 'commander';
import { translate } from '../language.js';
import { allFieldsOf, type Decision, fieldsOf, sendAnswer } from '../answers/choices.js';
import { choicesFrom, describeQuestion } from '../answers/decide.js';
import { type GivenAnswers, readAnswers } from '../answers/given-answers.js';
import type { ApiClient } from '../client/api-client.js';
import { CliError } from '../cli-error.js';
import { createProgress } from '../progress/progress.js';
import { dataDirOption } from '../stack/data-dir.js';
import { withService } from '../stack/with-service.js';
import { type PrintOptions, printRead, withPrintOptions } from './print-result.js';

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
  const known = [...new Set([...allFieldsOf(decision), ...decision.references.map(({ ref }) => ref)])];
  const unknown = names.filter((name) => !known.includes(name));
  if (unknown.length > 0)
    throw new CliError(
      phrase('cli_error.answer_fields', { unknown: unknown.join(', '), known: known.join(', ') }),
    );
}

/** `scriptorium decisions`: lists the open decisions. */
export function registerDecisions(command: Command): void {
  withPrintOptions(command, 'print JSON').action((options: PrintOptions) =>
    printRead(
      options,
      (client) => everyItem((query) => unwrap(client.GET('/api/decisions', { params: { query } }))),
      render,
    ),
  );
}

function render(decisions: Decision[]): string {
  if (decisions.length === 0) return `${translate(phrase('cli.no_decisions'))}\n`;
  return decisions.map((decision) => `${lines(decision).join('\n')}\n`).join('\n');
}

function lines(decision: Decision): string[] {
  const { id, run_id, references, deadline } = decision;
  return [
    `${id}  (${run_id}${deadline === null ? '' : translate(phrase('out.until', { time: deadline }))})`,
    ...describeQuestion(decision).map((line) => `  ${line}`),
    ...references.map(
      ({ ref, source, line }) => `  - ${ref}${source ? `  (${source}${line ? `:${line}` : ''})` : ''}`,
    ),
  ];
}
