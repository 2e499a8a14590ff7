import type { Command } from 'commander';
import { listAll } from '../client/list-all.js';
import type { Schema } from '../client/operation-types.js';
import { connect } from '../stack/connect.js';
import { dataDirOption } from '../stack/data-dir.js';

/** `scriptorium history run_…`: where a run can be taken up again (X5). */
export function registerHistory(program: Command): void {
  program
    .command('history')
    .description('List the checkpoints of a run, newest first, with the ids that restore and fork take')
    .argument('<run>', 'id of the run, run_…')
    .option('--json', 'as JSON', false)
    .addOption(dataDirOption())
    .action(async (run_id: string, { dataDir, json }: { dataDir: string; json: boolean }) => {
      const { client } = await connect(dataDir);
      const params = { run_id };
      const entries = await listAll((query) =>
        client.call('GET', '/api/agents/runs/{run_id}/history', { params, query }),
      );
      process.stdout.write(json ? `${JSON.stringify(entries)}\n` : renderHistory(entries));
    });
}

/** One line for each checkpoint: id, time, step, what runs next, and the name that was given to it. */
export function renderHistory(entries: Schema<'HistoryEntry'>[]): string {
  return entries.map((entry) => `${lineOf(entry)}\n`).join('');
}

function lineOf({ checkpoint_id, at, step, next, label }: Schema<'HistoryEntry'>): string {
  const then = next.length === 0 ? 'end' : `before ${next.join(', ')}`;
  return `${checkpoint_id}  ${at}  step ${step}, ${then}${label === null ? '' : `  (${label})`}`;
}
