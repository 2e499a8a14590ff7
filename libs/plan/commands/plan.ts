import { isPhraseCode, phrase, type Phrase } from '#contracts/phrases/phrase.js';
import type { Schemas } from '#catalogue/named-schemas.js';
import { unwrap } from '#contracts/api/responses.js';
import { basename, join, resolve } from 'node:path';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { outcomeActions } from '../contract/values.js';
import { CliError } from '#cli/cli-error.js';
import { decide } from '#cli/answers/decide.js';
import { type GivenAnswers, readAnswers } from '#cli/answers/given-answers.js';
import { type ApiClient, OPEN_ENDED } from '#cli/client/api-client.js';
import { download } from '#cli/client/download-result.js';
import { followRun } from '#cli/client/follow-run.js';
import { LineProgress } from '#cli/progress/line-progress.js';
import type { Progress } from '#cli/progress/progress.js';
import { collectFiles, reportSkipped } from '#cli/inputs/collect-files.js';
import type { Work } from '#cli/stack/with-service.js';
import { uploadInputs } from '#cli/inputs/upload-inputs.js';
import {
  createPrinter,
  type PrintOptions,
  renderLines,
  withPrintOptions,
  printRead,
} from '#cli/commands/print-result.js';
import { translate, renderText } from '#cli/language.js';
import type { RunEvent } from '#catalogue/events.js';
import type { TaskError } from '#contracts/task-error.js';
import { isObject, jsonOf } from '#contracts/lenient.js';
import { readFile } from 'node:fs/promises';

/** Reads a JSON object from a file. @throws CliError when the file cannot be read or is not a JSON object */
async function readObject(file: string): Promise<Record<string, unknown>> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new CliError(phrase('cli_error.cannot_read', { file, code: String(error.code) }));
  });
  return parseObject(text, `"${file}"`);
}

/** @param what names the text in the error @throws CliError when the text is not a JSON object */
function parseObject(text: string, what: string): Record<string, unknown> {
  const value = jsonOf(text);
  if (!isObject(value)) throw new CliError(phrase('cli_error.not_an_object', { what }));
  return value;
}

type Saved = Schemas['SavedPlanSummary'];

/** `scriptorium plan save|saved|export|import|forget`: saved plans by their names; `plan run --saved` runs them. */
function registerSavedPlans(plan: Command): void {
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
async function savedPlanId(client: ApiClient, name: string): Promise<string> {
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

type Plan = Schemas['Plan'];
/** Runs a command about plans and prints its result. */
const printWork = createPrinter(
  new LineProgress(undefined, (event) => [planLine(event)]),
  phrase('cli_error.plan_saved', { command: 'scriptorium plan show PLAN' }),
);
type Values = Record<string, string | string[]>;
/** Session of a plan, and the values of its parameters. */
interface ValueOptions extends PrintOptions {
  set: Values;
  files: string[];
  session?: string;
}
interface RunOptions extends ValueOptions {
  dag?: string;
  template?: string;
  saved?: string;
  approve: 'always' | 'critical_only' | 'never';
  ail: 'off' | 'per_layer' | 'on_error';
  onError?: 'end' | 'retry' | 'ask' | 'replan';
}
interface FilesOption {
  output?: string;
}
interface FollowOptions {
  answer: string[];
}

const SET_HELP = 'value of a parameter of the template or saved plan (repeatable)';
const FILES_HELP = 'folder for the files that the plan wrote';
const answerOption = () =>
  new Option('--answer <field=value>', 'answer a question about model or budget in advance (repeatable)')
    .argParser((value: string, list: string[]) => [...list, value])
    .default([]);

function registerApprove(sub: (usage: string, description: string) => Command): void {
  sub('approve <plan>', "Answer a plan's open question, and follow the plan")
    .option('--reject', 'reject instead: the plan ends', false)
    .option('--feedback <text>', 'reason for the answer')
    .option(
      '--arguments <json>',
      'new arguments for the next steps: {"task": {"name": value}}; of a map, "skip" leaves out positions',
    )
    .option('--continue', 'continue a plan that waits for its agent', false)
    .option('--replan <requirement>', 'replan for this requirement')
    .addOption(
      new Option('--outcome <what>', 'outcome of a call that got no response').choices(outcomeActions),
    )
    .option(
      '--item <position=outcome>',
      'outcome of the call for one item of a map (repeatable)',
      addValue,
      {},
    )
    .addOption(answerOption())
    .option('-o, --output <folder>', FILES_HELP)
    .action(approve);
}

/** `scriptorium plan …`: runs and controls plans from a terminal (P1–P12). */
export function registerPlan(plan: Command): void {
  const sub = (usage: string, description: string) =>
    withPrintOptions(plan.command(usage).description(description));
  sub('run [intent]', 'Run a plan for an intent, from a template or a file, until it ends or needs an answer')
    .option('--dag <file>', 'JSON file with the plan: {"tasks": [{"id", "tool", "arguments"}]}')
    .option('--template <name>', 'template of `plan templates`, which needs no model')
    .option('--saved <name>', 'saved plan of `plan saved`')
    .option('--set <name=value>', SET_HELP, addValue, {})
    .option('--files <paths...>', 'files or folders to add to the session', [])
    .option('--session <id>', 'session to use (default: a new one)')
    .addOption(
      new Option('--approve <rule>', 'when to ask a person for approval')
        .choices(['always', 'critical_only', 'never'])
        .default('critical_only'),
    )
    .addOption(
      new Option('--ail <points>', 'when the agent decides how the plan continues')
        .choices(['off', 'per_layer', 'on_error'])
        .default('off'),
    )
    .addOption(
      new Option(
        '--on-error <rule>',
        'what to do after a task fails (default: replan for a plan that a model made, otherwise end)',
      ).choices(['end', 'retry', 'ask', 'replan']),
    )
    .addOption(answerOption())
    .option('-o, --output <folder>', FILES_HELP)
    .action(run);
  sub('show <plan>', 'Show the state of a plan, its files and its open question')
    .option('-o, --output <folder>', FILES_HELP)
    .action((id: string, options: PrintOptions & FilesOption) =>
      printWork(
        options,
        async ({ client }) => withFiles(client, await read(client, id), options.output),
        renderPlan,
      ),
    );
  registerApprove(sub);
  sub('list', 'List the newest plans with their status and warnings').action((options: PrintOptions) =>
    printWork(
      options,
      async ({ client }) =>
        (await unwrap(client.GET('/api/agents/runs', { params: { query: { kind: 'plan' } } }))).items,
      renderPlans,
    ),
  );
  sub('again <plan>', 'Run an ended plan again, with the same or with other files')
    .option('--set <name=value>', SET_HELP, addValue, {})
    .option('--files <paths...>', 'other files or folders, for a new session', [])
    .option('--session <id>', 'session with other files (default: that of the plan)')
    .addOption(answerOption())
    .option('-o, --output <folder>', FILES_HELP)
    .action(again);
  registerSavedPlans(plan);
  sub('templates', 'List the templates of plans with their parameters').action((options: PrintOptions) =>
    printWork(
      options,
      async ({ client }) => (await unwrap(client.GET('/api/plans/templates'))).items,
      renderTemplates,
    ),
  );
  sub('tools [query]', 'List the tools that plans can use; with a query, the best matches first').action(
    (query: string | undefined, options: PrintOptions) =>
      printWork(
        options,
        ({ client }) => unwrap(client.GET('/api/tools', { params: { query: { query, limit: 200 } } })),
        ({ items, degraded }) => {
          for (const name of degraded)
            process.stderr.write(
              `${translate(phrase('out.found_by_words_only', { name: phrase(`search_list.${name}`) }))}\n`,
            );
          return renderTools(items);
        },
      ),
  );
}

/** Adds `name=value` to the values of a plan; several values of one name are a list. */
function addValue(text: string, before: Values): Values {
  const at = text.indexOf('=');
  if (at < 1) throw new InvalidArgumentError(translate(phrase('usage.name_value')));
  const [name, value] = [text.slice(0, at), text.slice(at + 1)];
  return { ...before, [name]: Object.hasOwn(before, name) ? [before[name]!, value].flat() : value };
}

/** Adds the files to a session, the named or a new one. */
async function sessionWith(options: ValueOptions, { client, progress, signal }: Work): Promise<string> {
  const { files, leftOut } =
    options.files.length === 0 ? { files: [], leftOut: [] } : await collectFiles(options.files);
  reportSkipped(leftOut, (message) => progress.say(message));
  const id = options.session ?? (await unwrap(client.POST('/api/sessions', { body: {} }))).id;
  if (files.length > 0) await uploadInputs(client, id, files, '', signal);
  return id;
}

/** Follows a plan that was started until it ends or needs an answer, and saves its files. */
async function followed(
  { id }: Plan,
  options: FilesOption & FollowOptions,
  { client, progress, signal }: Work,
): Promise<Plan> {
  progress.say(translate(phrase('out.plan_started', { id })));
  const plan = await toPause(client, id, readAnswers(options.answer), { progress, signal });
  return withFiles(client, plan, options.output);
}

async function again(id: string, options: ValueOptions & FilesOption & FollowOptions): Promise<void> {
  readAnswers(options.answer);
  await printWork(
    options,
    async (work) => {
      const session_id = options.files.length > 0 ? await sessionWith(options, work) : options.session;
      const body = { session_id, parameters: options.set };
      const params = { path: { run_id: id } };
      return followed(
        await unwrap(work.client.POST('/api/plans/{run_id}/again', { params, body })),
        options,
        work,
      );
    },
    renderPlan,
  );
}

async function run(
  intent: string | undefined,
  options: RunOptions & FilesOption & FollowOptions,
): Promise<void> {
  const { template, saved, set } = options;
  if ([intent, options.dag, template, saved].filter((given) => given !== undefined).length !== 1)
    throw new CliError(phrase('cli_error.intent_or_dag'));
  if (Object.keys(set).length > 0 && template === undefined && saved === undefined)
    throw new CliError(phrase('cli_error.set_without_template'));
  readAnswers(options.answer);
  const dag =
    options.dag === undefined ? undefined : ((await readObject(options.dag)) as Schemas['NewPlan']['dag']);
  await printWork(
    options,
    async (work) => {
      const { client } = work;
      const path = saved === undefined ? null : { saved_plan_id: await savedPlanId(client, saved) };
      const session_id = await sessionWith(options, work);
      if (path) {
        const started = client.POST('/api/saved-plans/{saved_plan_id}/runs', {
          params: { path },
          body: { session_id, parameters: set },
        });
        return followed(await unwrap(started), options, work);
      }
      const config = {
        ail: { decision_points: options.ail },
        hil: { approval_required: options.approve },
        ...(options.onError && { on_task_error: options.onError }),
      };
      const parameters = template === undefined ? undefined : set;
      const body = { session_id, intent, dag, template, parameters, config };
      return followed(await unwrap(client.POST('/api/plans', { body })), options, work);
    },
    renderPlan,
  );
}

interface Answer {
  reject: boolean;
  feedback?: string;
  arguments?: string;
  continue: boolean;
  replan?: string;
  outcome?: (typeof outcomeActions)[number];
  item: Record<string, string>;
}

async function approve(
  id: string,
  options: PrintOptions & Answer & FilesOption & FollowOptions,
): Promise<void> {
  const given = readAnswers(options.answer);
  const edited = options.arguments === undefined ? undefined : parseObject(options.arguments, '--arguments');
  await printWork(
    options,
    async ({ client, progress, signal }) => {
      const { approval_required: open } = await read(client, id);
      if (!open) throw new CliError(phrase('cli_error.plan_no_question'));
      if (open.decision_type === 'outcome') await answerOutcome(client, open, options);
      else
        await unwrap(
          client.POST('/api/plans/{run_id}/commands', {
            params: { path: { run_id: id } },
            body: commandOf(open, options, edited),
          }),
        );
      return withFiles(client, await toPause(client, id, given, { progress, signal }), options.output);
    },
    renderPlan,
  );
}

type Open = NonNullable<Plan['approval_required']>;

async function answerOutcome(
  client: ApiClient,
  { decision_id }: Open,
  { outcome, reject, feedback, item: items }: Answer,
): Promise<void> {
  const action = reject ? 'abort' : outcome;
  if (action === undefined) throw new CliError(phrase('cli_error.plan_outcome'));
  const reason = feedback === undefined ? {} : { reason: feedback };
  await unwrap(
    client.POST('/api/decisions/{decision_id}/answer', {
      params: { path: { decision_id } },
      body: { action, ...reason, ...(Object.keys(items).length > 0 && { items }) },
    }),
  );
}

function commandOf(
  { decision_type, checkpoint_id }: Open,
  { reject, feedback, continue: goesOn, replan }: Answer,
  edited: Record<string, unknown> | undefined,
): Schemas['PlanCommand'] {
  if (replan !== undefined)
    return { type: 'replan_dag', new_requirement: replan, available_context: edited ?? {} };
  if (decision_type === 'ail' || goesOn)
    return reject ? { type: 'abort', reason: feedback ?? '' } : { type: 'continue' };
  return {
    type: 'approval_response',
    checkpoint_id,
    approved: !reject,
    ...(feedback === undefined ? {} : { feedback }),
    ...(edited === undefined ? {} : { arguments: edited as Record<string, Record<string, unknown>> }),
  };
}

const read = (client: ApiClient, run_id: string): Promise<Plan> =>
  unwrap(client.GET('/api/plans/{run_id}', { params: { path: { run_id } } }));

/** Downloads the files of a plan into a folder, if one is given; of files with the same name, the newest. */
async function withFiles(client: ApiClient, plan: Plan, folder: string | undefined): Promise<Plan> {
  if (folder === undefined) return plan;
  const newest = new Map([...plan.files].reverse().map((file) => [file.name, file]));
  for (const { id: export_id, name } of newest.values()) {
    const params = { path: { session_id: plan.session_id, export_id } };
    const file = client.GET('/api/sessions/{session_id}/exports/{export_id}', { params, ...OPEN_ENDED });
    await download(file, join(resolve(folder), basename(name)));
  }
  return plan;
}

/**
 * Follows a plan until it ends or needs an answer. Questions of any run, such as about a failed model, are asked at
 * the terminal unless the command line answers them.
 *
 * @throws CliError when such a question gets no answer
 */
async function toPause(
  client: ApiClient,
  id: string,
  given: GivenAnswers,
  { progress, signal }: { progress: Progress; signal: AbortSignal },
): Promise<Plan> {
  for await (const event of followRun(client, id, signal)) {
    progress.event(event);
    if (event.type !== 'decision_required') continue;
    const plan = await read(client, id);
    if (plan.approval_required) return plan;
    const asked = { params: { path: { decision_id: String(event.data['decision_id']) } } };
    const decision = await unwrap(client.GET('/api/decisions/{decision_id}', asked));
    if (decision.status === 'open') await decide(client, decision, given, signal);
  }
  const plan = await read(client, id);
  if (plan.status === 'failed') process.exitCode = 1;
  return plan;
}

const HOW_TO_ANSWER: Record<Open['decision_type'], string> = {
  ail: '--continue',
  hil: '[--reject]',
  outcome: `--outcome ${outcomeActions.join('|')}`,
};

const stateOf = (state: Plan['results'][number]['status'] | undefined): string =>
  translate(state ? phrase(`plan_summary.${state}`) : phrase('out.task_open'));

/** Returns the status of a plan in words: that of its run, or what it is doing. */
function statusOf(status: Plan['status']): string {
  const codes = [`run_status.${status}`, `out.plan_status.${status}`];
  const code = codes.find(isPhraseCode);
  return code ? translate({ code, params: {} }) : status;
}

const howToAnswer = (id: string, type: keyof typeof HOW_TO_ANSWER): string =>
  translate(phrase('out.plan_answer', { command: `scriptorium plan approve ${id} ${HOW_TO_ANSWER[type]}` }));

function renderPlan(plan: Plan): string {
  const { id, status, error, layers, tasks, results, files, planning, warnings } = plan;
  const open = plan.approval_required;
  const states = new Map(results.map(({ task_id, status: state }) => [task_id, state]));
  const toolOf = new Map(tasks.map((task) => [task.id, task.tool]));
  const lines = layers.flatMap((layer, number) =>
    layer.map(
      (task) => `  ${number + 1}  ${stateOf(states.get(task)).padEnd(9)} ${task} (${toolOf.get(task)})\n`,
    ),
  );
  const failure = error ? `  ${error.code}: ${renderText(error.phrase, error.message)}\n` : '';
  const question = open
    ? `\n${renderText(open.phrase, open.description)}\n${open.context.next_layer.map(renderCalls).join('')}\n${howToAnswer(id, open.decision_type)}\n`
    : '';
  const made = planning ? renderPlanning(planning) : '';
  const written = files
    .map(({ name, size }) => `  ${translate(phrase('out.plan_file', { name, bytes: size }))}\n`)
    .join('');
  const warned = warnings.map(({ phrase: known, message }) => `  ${renderText(known, message)}\n`).join('');
  return `${id}  ${statusOf(status)}\n${made}${lines.join('')}${written}${warned}${failure}${question}`;
}

/** Returns the calls that a step makes for the items of a list, with their positions. */
const renderCalls = ({ task_id, calls = [] }: Open['context']['next_layer'][number]): string =>
  calls.map((call, index) => `  ${task_id} ${index}: ${JSON.stringify(call)}\n`).join('');

type PlanRun = Schemas['Run'];

const renderPlans = renderLines(({ id, status, created_at, progress }: PlanRun) => {
  const { intent = null, warnings = [] } = progress.details as Partial<Pick<Plan, 'intent' | 'warnings'>>;
  const warned = warnings.map(({ phrase: known, message }) => `\n    ${renderText(known, message)}`);
  return `${id}  ${statusOf(status).padEnd(12)} ${created_at}  ${intent ?? ''}${warned.join('')}`;
});

function renderPlanning({ planned_by, understanding, assumptions, missing }: NonNullable<Plan['planning']>) {
  const by = translate(phrase(planned_by === 'model' ? 'out.planned_by_model' : 'out.planned_by_rules'));
  return [
    `  ${by}${understanding === null ? '' : `: ${understanding}`}\n`,
    ...assumptions.map((text) => `  ${translate(phrase('out.plan_assumed', { text }))}\n`),
    ...missing.map((text) => `  ${translate(phrase('out.plan_missing', { text }))}\n`),
  ].join('');
}

const renderTools = renderLines(
  ({ name, description, side_effects }: Schemas['Tool']) =>
    `${name.padEnd(24)} ${side_effects ? '!' : ' '} ${description}`,
);

const renderTemplates = renderLines(
  ({ name, title, title_phrase, parameters }: Schemas['PlanTemplates']['items'][number]) =>
    `${name.padEnd(16)} ${renderText(title_phrase, title)}${parameters.map(describeParameter).join('')}`,
);

type Parameter = Schemas['PlanTemplates']['items'][number]['parameters'][number];

const describeParameter = ({ name, label, label_phrase, choices, default: preset }: Parameter): string =>
  `\n    --set ${name}=${choices?.join('|') ?? '…'}  ${renderText(label_phrase, label)}${preset === undefined ? '' : ` (${preset})`}`;

const taskProblem = (error: TaskError | null): string =>
  error ? renderText(error.phrase, error.message) : translate(phrase('out.failed'));

const problemOf = (data: Record<string, unknown>): string =>
  renderText(data['phrase'] as Phrase | undefined, String(data['error']));

/** Returns the progress line of an event of a plan; undefined for events that are not shown. */
export function planLine({ type, data }: RunEvent): string | undefined {
  const task = `${String(data['task_id'])} (${String(data['tool'])})`;
  switch (type) {
    case 'plan_created':
      return translate(phrase('out.plan_steps', { count: (data['tasks'] as unknown[]).length }));
    case 'layer_started':
      return translate(phrase('out.layer_started', { number: Number(data['layer']) + 1 }));
    case 'task_complete':
      return translate(phrase('out.task_done', { task }));
    case 'task_skipped':
      return translate(phrase('out.task_skipped', { task }));
    case 'task_error':
      return `${task}: ${taskProblem(data['error'] as TaskError | null)}`;
    case 'plan_decision':
      return translate(
        phrase('out.plan_decision', {
          type: String(data['type']),
          action: String(data['action']),
          by: String(data['by']),
        }),
      );
    case 'ail_failed':
      return translate(
        phrase(data['action_taken'] === 'ask' ? 'out.agent_failed_ask' : 'out.agent_failed_continue', {
          problem: problemOf(data),
        }),
      );
    case 'replan_failed':
      return translate(phrase('out.replan_failed', { problem: problemOf(data) }));
    case 'tools_found_by_words':
      return translate(phrase('out.found_by_words'));
    case 'fallback_used':
      return translate(phrase('out.rules_plan'));
    default:
      return undefined;
  }
}
