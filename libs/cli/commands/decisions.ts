import { phrase } from '#contracts/phrases/phrase.js';
import { translate } from '../language.js';
import { everyItem, unwrap } from '#contracts/api/responses.js';
import type { Command } from 'commander';
import type { Decision } from '../answers/choices.js';
import { type PrintOptions, printRead, withPrintOptions } from './print-result.js';
import { describeQuestion } from '../answers/decide.js';

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
