import type { Schemas } from '#catalogue/named-schemas.js';
import { unwrap } from '#contracts/api/responses.js';
import { phrase } from '#contracts/phrases/phrase.js';
import { InvalidArgumentError, type Command } from 'commander';
import { CliError } from '../cli-error.js';
import { translate } from '../language.js';
import { type PrintOptions, printRead, renderLines, withPrintOptions } from './print-result.js';

type Schedule = Schemas['Schedule'];
type NewSchedule = Schemas['NewSchedule'];
type Start = NonNullable<NewSchedule['start']>;
type SavedPlanStart = NonNullable<NewSchedule['saved_plan']>;

interface AddOptions extends PrintOptions {
  session?: string;
  project?: string;
  kind?: string;
  mode?: string;
  inputs?: string;
  savedPlan?: string;
  collection?: string;
  parameters?: string;
  cron?: string;
  every?: number;
  timeZone: string;
  overlap: NonNullable<NewSchedule['overlap']>;
  missed: NonNullable<NewSchedule['missed']>;
  until?: string;
}

/** `scriptorium schedule …`: runs that start at planned times. */
export function registerSchedule(schedule: Command): void {
  const sub = (usage: string, description: string) =>
    withPrintOptions(schedule.command(usage).description(description), 'print JSON');
  sub('list', 'List the schedules with their next planned time').action(list);
  sub('show <schedule>', 'Show the next ten planned times and what came of the last ones').action(show);
  sub('add <name>', 'Start a run, a saved plan or a sync of a collection at planned times')
    .option('--session <id>', 'session of the run')
    .option('--project <id>', 'book, instead of a session')
    .option('--kind <kind>', 'kind of run (default: document, or book with --project)')
    .option('--mode <mode>', 'mode of the kind')
    .option('--inputs <json>', 'inputs of the kind, as for POST /api/agents/runs')
    .option('--saved-plan <id>', 'saved plan, instead of a run')
    .option('--parameters <json>', 'values of its parameters: {"file": "people.csv"}')
    .option('--collection <id>', 'collection whose pages are read again, instead of a run')
    .option('--cron <fields>', 'minute, hour, day of month, month, day of week: "0 9 * * MON-FRI"')
    .option('--every <duration>', 'interval instead: 15m, 2h, 1d', seconds)
    .option(
      '--time-zone <name>',
      'time zone of --cron, such as Europe/Warsaw',
      Intl.DateTimeFormat().resolvedOptions().timeZone,
    )
    .option('--until <time>', 'no run after this time, such as 2027-01-01T00:00:00Z')
    .option('--overlap <choice>', 'while a run is active: skip, queue or cancel_previous', 'skip')
    .option('--missed <choice>', 'times that passed while the service was off: once, all or none', 'once')
    .action(add);
  sub('pause <schedule>', 'Start no runs until it is resumed').action(changing({ is_paused: true }));
  sub('resume <schedule>', 'Start runs again').action(changing({ is_paused: false }));
  sub('fire <schedule>', 'Start a run now').action(fire);
  sub('remove <schedule>', 'Delete a schedule; its runs stay').action(remove);
}

const list = (options: PrintOptions) =>
  printRead(
    options,
    async (client) => (await unwrap(client.GET('/api/schedules'))).items,
    (schedules) =>
      schedules.length === 0
        ? `${translate(phrase('out.no_schedules', { command: 'scriptorium schedule add' }))}\n`
        : renderLines(line)(schedules),
  );

const show = (id: string, options: PrintOptions) =>
  printRead(
    options,
    (client) => unwrap(client.GET('/api/schedules/{schedule_id}', { params: pathOf(id) })),
    ({ next_times: times, firings, ...schedule }) =>
      [
        line(schedule),
        ...times.map((time) => `  ${time}`),
        ...firings.map(
          ({ planned_at: at, status, run_id: run, problem, result }) =>
            `  ${at}  ${translate(phrase(`out.firing.${status}`))}  ${run ?? problem?.detail ?? resultLine(result)}`,
        ),
        '',
      ].join('\n'),
  );

async function add(name: string, options: AddOptions): Promise<void> {
  const { savedPlan, collection, cron, every, until, overlap, missed } = options;
  const body: NewSchedule = {
    name,
    ...(savedPlan !== undefined && { saved_plan: planOf(savedPlan, options) }),
    ...(collection !== undefined && { sync: { collection_id: collection } }),
    ...(savedPlan === undefined && collection === undefined && { start: runOf(options) }),
    time_zone: options.timeZone,
    overlap,
    missed,
    ...(cron !== undefined && { cron }),
    ...(every !== undefined && { every_seconds: every }),
    ...(until !== undefined && { until }),
  };
  await printRead(options, (client) => unwrap(client.POST('/api/schedules', { body })), oneLine);
}

const runOf = ({ session, project, kind, mode, inputs }: AddOptions): Start => ({
  ...(session !== undefined && { session_id: session }),
  ...(project !== undefined && { project_id: project }),
  ...(kind !== undefined && { kind: kind as NonNullable<Start['kind']> }),
  ...(mode !== undefined && { mode }),
  ...(inputs !== undefined && { inputs: parseJson<NonNullable<Start['inputs']>>('--inputs', inputs) }),
});

const planOf = (id: string, { session, parameters }: AddOptions): SavedPlanStart => ({
  saved_plan_id: id,
  ...(parameters !== undefined && {
    parameters: parseJson<NonNullable<SavedPlanStart['parameters']>>('--parameters', parameters),
  }),
  ...(session !== undefined && { session_id: session }),
});

const changing = (body: Schemas['ScheduleChanges']) => (id: string, options: PrintOptions) =>
  printRead(
    options,
    (client) => unwrap(client.PATCH('/api/schedules/{schedule_id}', { params: pathOf(id), body })),
    oneLine,
  );

const fire = (id: string, options: PrintOptions) =>
  printRead(
    options,
    (client) => unwrap(client.POST('/api/schedules/{schedule_id}/fire', { params: pathOf(id) })),
    ({ planned_at: at }) => `${at}  ${translate(phrase('out.firing.due'))}\n`,
  );

const remove = (id: string, options: PrintOptions) =>
  printRead(
    options,
    async (client) => {
      await unwrap(client.DELETE('/api/schedules/{schedule_id}', { params: pathOf(id) }));
      return { id };
    },
    ({ id: removed }) => `${removed}\n`,
  );

const pathOf = (id: string) => ({ path: { schedule_id: id } });

function line({ id, name, cron, every_seconds: every, time_zone: zone, next_at: next }: Schedule): string {
  const interval = every === null ? translate(phrase('out.on_request')) : `${every} s`;
  const timing = cron === null ? interval : `${cron} (${zone})`;
  return `${id}  ${name}  ${timing}  ${next ?? translate(phrase('out.no_planned_time'))}`;
}

function resultLine(result: Schemas['ScheduleFiring']['result']): string {
  if (result === null) return '';
  const { problems: _, ...counts } = result;
  return translate(phrase('out.sync_result', counts));
}

const oneLine = (schedule: Schedule): string => `${line(schedule)}\n`;

const UNITS: Record<string, number> = { s: 1, m: 60, h: 3_600, d: 86_400 };

function seconds(text: string): number {
  const [, count, unit] = /^(\d{1,6})([smhd])$/.exec(text) ?? [];
  if (unit !== undefined) return Number(count) * UNITS[unit]!;
  throw new InvalidArgumentError(translate(phrase('usage.duration')));
}

function parseJson<T>(option: string, text: string): T {
  try {
    return JSON.parse(text) as T;
  } catch {
    throw new CliError(phrase('cli_error.option_json', { option, example: '{"title": "Weekly report"}' }));
  }
}
