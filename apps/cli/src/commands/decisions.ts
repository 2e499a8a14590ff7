import type { Command } from 'commander';
import { printable } from '../progress/printable.js';
import type { Decision } from '../answers/choices.js';
import { listAll } from '../client/list-all.js';
import { connect } from '../stack/connect.js';
import { dataDirOption } from '../stack/data-dir.js';

/** `scriptorium decisions`: what people have to answer. */
export function registerDecisions(program: Command): void {
  program
    .command('decisions')
    .description('List the questions that wait for an answer')
    .option('--json', 'as JSON', false)
    .addOption(dataDirOption())
    .action(async ({ dataDir, json }: { dataDir: string; json: boolean }) => {
      const { client } = await connect(dataDir);
      const items = await listAll((query) => client.call('GET', '/api/decisions', { query }));
      process.stdout.write(json ? `${JSON.stringify(items)}\n` : printable(render(items)));
    });
}

function render(decisions: Decision[]): string {
  if (decisions.length === 0) return 'Nothing waits for an answer.\n';
  return decisions.map((decision) => `${lines(decision).join('\n')}\n`).join('\n');
}

function lines({ id, run_id, question, context, references, deadline }: Decision): string[] {
  return [
    `${id}  (${run_id}${deadline === null ? '' : `, until ${deadline}`})`,
    `  ${question}`,
    ...context.map((fact) => `  ${fact}`),
    ...references.map(
      ({ ref, source, line }) => `  - ${ref}${source ? `  (${source}${line ? `:${line}` : ''})` : ''}`,
    ),
  ];
}
