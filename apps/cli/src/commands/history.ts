import type { Schemas } from '#contracts/api/named-schemas.js';
import { everyItem, unwrap } from '#contracts/api/responses.js';
import type { Command } from 'commander';
import { renderLines } from './print.js';
import { type PrintOptions, printRead, withPrintOptions } from './print-result.js';

/** `scriptorium history run_…`: where a run can be taken up again (X5). */
export function registerHistory(command: Command): void {
  withPrintOptions(command.argument('<run>', 'id of the run, run_…'), 'as JSON').action(
    (run_id: string, options: PrintOptions) =>
      printRead(
        options,
        (client) =>
          everyItem((query) =>
            unwrap(client.GET('/api/agents/runs/{run_id}/history', { params: { path: { run_id }, query } })),
          ),
        renderLines(renderEntry),
      ),
  );
}

/** One line for each checkpoint: id, time, step, what runs next, and the name that was given to it. */
function renderEntry({ checkpoint_id, at, step, next, label }: Schemas['HistoryEntry']): string {
  const then = next.length === 0 ? 'end' : `before ${next.join(', ')}`;
  return `${checkpoint_id}  ${at}  step ${step}, ${then}${label === null ? '' : `  (${label})`}`;
}
