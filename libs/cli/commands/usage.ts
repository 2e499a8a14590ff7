import type { Schemas } from '#catalogue/named-schemas.js';
import { unwrap } from '#contracts/api/responses.js';
import { moneyPhrase } from '#contracts/phrases/parts.js';
import { phrase } from '#contracts/phrases/phrase.js';
import { costsCsv } from '#contracts/usage-csv.js';
import type { Command } from 'commander';
import { translate } from '../language.js';
import { type PrintOptions, printRead, withPrintOptions } from './print-result.js';
import { wholeNumber } from './shared-options.js';

interface UsageOptions extends PrintOptions {
  days: number;
  csv: boolean;
}

/** `scriptorium usage`: prints what model calls have cost, by key, project and kind of run (X7). */
export function registerUsage(command: Command): void {
  withPrintOptions(command)
    .option('--days <number>', 'number of days, up to 366', wholeNumber(3), 30)
    .option('--csv', 'print CSV; costs in millionths of the currency', false)
    .action((options: UsageOptions) =>
      printRead(
        options,
        (client) => unwrap(client.GET('/api/usage', { params: { query: { days: options.days } } })),
        ({ costs }) => (options.csv ? costsCsv(costs).trimEnd() : render(costs)),
      ),
    );
}

function render(costs: Schemas['Usage']['costs']): string {
  return Object.entries(costs)
    .flatMap(([by, rows]) => [
      translate(phrase(`out.costs.${by as keyof typeof costs}`)),
      ...rows.map(({ id, name, model_calls: calls, input_tokens, cached_tokens, output_tokens, cost }) => {
        const tokens = { input: input_tokens, cached: cached_tokens, output: output_tokens };
        const shown = name ?? id ?? translate(phrase('out.costs.others'));
        return `  ${translate(phrase('out.costs.row', { name: shown, calls, ...tokens, cost: moneyPhrase(cost) }))}`;
      }),
    ])
    .join('\n');
}
