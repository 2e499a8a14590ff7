import { findingText } from '#cli/outputs/finding-text.js';
import { CliError } from '#cli/cli-error.js';
import type { ApiClient } from '#cli/client/api-client.js';
import { changesOf, type OverruleOptions, withOverruleOptions } from '#cli/commands/overrule-options.js';
import { type PrintOptions, printRead, withPrintOptions } from '#cli/commands/print-result.js';
import { renderLines } from '#cli/commands/print.js';
import type { Finding } from '#contracts/findings.js';
import { unwrap } from '#contracts/api/responses.js';
import { phrase } from '#contracts/phrases/phrase.js';
import type { Command } from 'commander';

/** `scriptorium article overrule RUN FINDING`: says that a finding of the open question is wrong. */
export function registerArticleOverrule(article: Command): void {
  const command = article
    .command('overrule')
    .description('Say that a finding in the draft or the research of an article is wrong')
    .argument('<run>', 'ID of the run that waits for your decision')
    .argument('<finding>', 'ID of the finding');
  withPrintOptions(withOverruleOptions(command)).action(
    (runId: string, findingId: string, options: PrintOptions & OverruleOptions) =>
      printRead(options, (client) => overrule(client, runId, findingId, options), renderLines(findingText)),
  );
}

/** @returns the findings of the question */
async function overrule(
  client: ApiClient,
  run_id: string,
  finding_id: string,
  options: OverruleOptions,
): Promise<Finding[]> {
  const query = { run_id, status: 'open' as const };
  const { items } = await unwrap(client.GET('/api/decisions', { params: { query } }));
  const asked = items.find(({ details }) => 'findings' in details);
  if (!asked) throw new CliError(phrase('cli_error.no_open_findings', { run: run_id }));
  const params = { path: { decision_id: asked.id, finding_id } };
  const body = changesOf(options);
  const { details } = await unwrap(
    client.PATCH('/api/decisions/{decision_id}/findings/{finding_id}', { params, body }),
  );
  return details['findings'] as Finding[];
}
