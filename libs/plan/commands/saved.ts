import { CliError } from '#cli/cli-error.js';
import type { ApiClient } from '#cli/client/api-client.js';
import { type PrintOptions, printRead, renderLines, withPrintOptions } from '#cli/commands/print-result.js';
import { translate } from '#cli/language.js';
import type { Schemas } from '#catalogue/named-schemas.js';
import { unwrap } from '#contracts/api/responses.js';
import { phrase } from '#contracts/phrases/phrase.js';
import type { Command } from 'commander';
import { readObject } from './read-object.js';

type Saved = Schemas['SavedPlanSummary'];

/** `scriptorium plan save|saved|export|import|forget`: saved plans by their names; `plan run --saved` runs them. */
export function registerSavedPlans(plan: Command): void {
  const sub = (usage: string, description: string) =>
    withPrintOptions(plan.command(usage).description(description), 'print JSON');
  sub('save <plan> <name>', 'Save a completed plan; the input files that it names become parameters')
    .option('--description <text>', 'what the plan does, for people', '')
    .action((run_id: string, name: string, options: PrintOptions & { description: string }) =>
      printRead(
        options,
        (client) => create(client, { name, run_id, description: options.description }),
        renderSaved,
      ),
    );
  sub('saved', 'List the saved plans, newest first').action((options: PrintOptions) =>
    printRead(options, allSaved, (items) =>
      items.length === 0
        ? `${translate(phrase('out.no_saved_plans', { command: 'scriptorium plan save PLAN NAME' }))}\n`
        : renderSummaries(items),
    ),
  );
  sub('export <name>', 'Print a saved plan as JSON that `plan import` accepts').action(
    (name: string, options: PrintOptions) =>
      printRead(
        options,
        async (client) => {
          const params = { path: { saved_plan_id: await savedPlanId(client, name) } };
          return unwrap(client.GET('/api/saved-plans/{saved_plan_id}/export', { params }));
        },
        (document) => `${JSON.stringify(document, null, 2)}\n`,
      ),
  );
  sub('import <file>', 'Save the plan of a file that `plan export` wrote').action(
    async (file: string, options: PrintOptions) => {
      const document = (await readObject(file)) as Schemas['SavedPlanDocument'];
      await printRead(options, (client) => create(client, document), renderSaved);
    },
  );
  sub('forget <name>', 'Delete a saved plan with its versions; its runs stay').action(
    (name: string, options: PrintOptions) =>
      printRead(
        options,
        async (client) => {
          const params = { path: { saved_plan_id: await savedPlanId(client, name) } };
          await unwrap(client.DELETE('/api/saved-plans/{saved_plan_id}', { params }));
          return allSaved(client);
        },
        renderSummaries,
      ),
  );
}

/** Returns the ID of a saved plan. @throws CliError if none has the name */
export async function savedPlanId(client: ApiClient, name: string): Promise<string> {
  const found = (await allSaved(client, name)).find((each) => each.name === name);
  if (!found) throw new CliError(phrase('cli_error.no_such_saved_plan', { name }));
  return found.id;
}

/** @param title part of the names to list */
async function allSaved(client: ApiClient, title?: string): Promise<Saved[]> {
  const all: Saved[] = [];
  let cursor: string | undefined;
  do {
    const query = { limit: 100, title, cursor };
    const page = await unwrap(client.GET('/api/saved-plans', { params: { query } }));
    all.push(...page.items);
    cursor = page.next_cursor ?? undefined;
  } while (cursor !== undefined);
  return all;
}

const create = (client: ApiClient, body: Schemas['NewSavedPlan']) =>
  unwrap(client.POST('/api/saved-plans', { body }));

const renderSummaries = renderLines(
  ({ name, version, description }: Saved) => `${name}  ${version}  ${description}`,
);

const renderSaved = ({ name, version, parameters }: Schemas['SavedPlan']): string =>
  [`${name}  ${version}\n`, ...parameters.map((each) => `  --set ${each.name}=…  (${each.kind})\n`)].join('');
