import { phrase } from '#contracts/phrases/phrase.js';
import { translate } from '../language.js';
import type { Schemas } from '#catalogue/named-schemas.js';
import { everyItem, unwrap } from '#contracts/api/responses.js';
import type { Command } from 'commander';
import { type PrintOptions, printRead, renderLines, withPrintOptions } from './print-result.js';

/** `scriptorium history run_…`: lists the graph checkpoints from which a run can be continued (X5). */
export function registerHistory(command: Command): void {
  withPrintOptions(command.argument('<run>', 'ID of the run, run_…'), 'print JSON').action(
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

/** Returns the line of a graph checkpoint: ID, time, step, next nodes and, if it has one, its name. */
function renderEntry({ checkpoint_id, at, step, next, label }: Schemas['HistoryEntry']): string {
  const then =
    next.length === 0 ? phrase('out.history.end') : phrase('out.history.before', { nodes: next.join(', ') });
  const entry = translate(phrase('out.history_entry', { checkpoint: checkpoint_id, at, step, then }));
  return label === null ? entry : `${entry}  (${label})`;
}
