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
  timeZone?: string;
  overlap?: NonNullable<NewSchedule['overlap']>;
  missed?: NonNullable<NewSchedule['missed']>;
  webhook?: boolean;
  newFile?: string;
  s3?: string;
  region?: string;
  eventParameters?: string;
  until?: string;
}

type Sub = (usage: string, description: string) => Command;

/** `scriptorium schedule …`: runs that start at planned times. */
export function registerSchedule(schedule: Command): void {
  const sub = subcommands(schedule);
  startOptions(sub('add <name>', 'Start a run, a saved plan or a sync of a collection at planned times'))
    .option('--cron <fields>', 'minute, hour, day of month, month, day of week: "0 9 * * MON-FRI"')
    .option('--every <duration>', 'interval instead: 15m, 2h, 1d', seconds)
    .option(
      '--time-zone <name>',
      'time zone of --cron, such as Europe/Warsaw',
      Intl.DateTimeFormat().resolvedOptions().timeZone,
    )
    .option('--until <time>', 'no run after this time, such as 2027-01-01T00:00:00Z')
    .option('--missed <choice>', 'times that passed while the service was off: once, all or none', 'once')
    .action(add);
}

/** `scriptorium trigger …`: runs that events start; a trigger is a schedule without times. */
export function registerTrigger(trigger: Command): void {
  const sub = subcommands(trigger);
  sub('rotate <id>', 'Replace the secret of a webhook; prints the new one').action(rotate);
  startOptions(sub('add <name>', 'Start a run, a saved plan or a sync at each event'))
    .option('--webhook', 'signed requests; prints their address and the secret')
    .option('--new-file <id>', 'new files in this session (ses_…) or collection (col_…)')
    .option(
      '--s3 <url>',
      'new objects: https://host/bucket/prefix; AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY are sent',
    )
    .option('--region <name>', 'region of --s3 (default: us-east-1)')
    .option('--every <duration>', 'how often --s3 looks for them (default: 1m)', seconds)
    .option('--event-parameters <json>', 'parameters from the event: {"file": "/file", "city": "/body/city"}')
    .action(add);
}

/** Adds the subcommands that both share. */
function subcommands(command: Command): Sub {
  const sub: Sub = (usage, description) =>
    withPrintOptions(command.command(usage).description(description), 'print JSON');
  sub('list', 'List schedules and triggers, with the next planned time').action(list);
  sub('show <id>', 'Show the next ten planned times, and what came of the last times and events').action(
    show,
  );
  sub('pause <id>', 'Start no runs until it is resumed').action(changing({ is_paused: true }));
  sub('resume <id>', 'Start runs again').action(changing({ is_paused: false }));
  sub('fire <id>', 'Start a run now').action(fire);
  sub('remove <id>', 'Delete it; its runs stay').action(remove);
  return sub;
}

const startOptions = (add: Command): Command =>
  add
    .option('--session <id>', 'session of the run')
    .option('--project <id>', 'book, instead of a session')
    .option('--kind <kind>', 'kind of run (default: document, or book with --project)')
    .option('--mode <mode>', 'mode of the kind')
    .option('--inputs <json>', 'inputs of the kind, as for POST /api/agents/runs')
    .option('--saved-plan <id>', 'saved plan, instead of a run')
    .option('--parameters <json>', 'values of its parameters: {"file": "people.csv"}')
    .option('--collection <id>', 'collection whose pages are read again, instead of a run')
    .option('--overlap <choice>', 'while a run is active: skip, queue or cancel_previous');

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
          ({ planned_at: at, event, status, run_id: run, problem, result }) =>
            `  ${event === null ? '' : `${event}  `}${at}  ${translate(phrase(`out.firing.${status}`))}  ${run ?? problem?.detail ?? resultLine(result)}`,
        ),
        '',
      ].join('\n'),
  );

async function add(name: string, options: AddOptions): Promise<void> {
  const { savedPlan, collection, cron, every, until, overlap, missed, timeZone } = options;
  const on = eventsOf(options);
  const body: NewSchedule = {
    name,
    ...(savedPlan !== undefined && { saved_plan: planOf(savedPlan, options) }),
    ...(collection !== undefined && { sync: { collection_id: collection } }),
    ...(savedPlan === undefined && collection === undefined && { start: runOf(options) }),
    ...(on && { on }),
    ...(timeZone !== undefined && { time_zone: timeZone }),
    ...(overlap !== undefined && { overlap }),
    ...(missed !== undefined && { missed }),
    ...(cron !== undefined && { cron }),
    ...(every !== undefined && { every_seconds: every }),
    ...(until !== undefined && { until }),
  };
  await printRead(options, (client) => unwrap(client.POST('/api/schedules', { body })), withSecret);
}

const rotate = (id: string, options: PrintOptions) =>
  printRead(
    options,
    (client) => unwrap(client.POST('/api/triggers/{schedule_id}/secret', { params: pathOf(id) })),
    withSecret,
  );

const withSecret = (made: Schedule & { secret: string | null }) =>
  oneLine(made) + (made.secret === null ? '' : webhookLines(made.id, made.secret));

function eventsOf({ webhook, newFile, s3, region }: AddOptions): NewSchedule['on'] {
  if (webhook) return { webhook: {} };
  if (s3 !== undefined) return { s3_prefix: { ...objectsAt(s3), ...(region !== undefined && { region }) } };
  if (newFile === undefined) return undefined;
  return { new_file: newFile.startsWith('col_') ? { collection_id: newFile } : { session_id: newFile } };
}

/** Returns where the objects are, and the key that may read them. */
function objectsAt(address: string) {
  const { AWS_ACCESS_KEY_ID: access_key_id, AWS_SECRET_ACCESS_KEY: secret_access_key } = process.env;
  if (!access_key_id || !secret_access_key || !URL.canParse(address))
    throw new CliError(phrase('cli_error.s3_key'));
  const { origin, pathname } = new URL(address);
  const [, bucket = '', ...prefix] = decodeURIComponent(pathname).split('/');
  return { endpoint: origin, bucket, prefix: prefix.join('/'), access_key_id, secret_access_key };
}

const webhookLines = (id: string, secret: string) => `POST /api/triggers/${id}/deliveries\n${secret}\n`;

const runOf = ({ session, project, kind, mode, inputs }: AddOptions): Start => ({
  ...(session !== undefined && { session_id: session }),
  ...(project !== undefined && { project_id: project }),
  ...(kind !== undefined && { kind: kind as NonNullable<Start['kind']> }),
  ...(mode !== undefined && { mode }),
  ...(inputs !== undefined && { inputs: parseJson<NonNullable<Start['inputs']>>('--inputs', inputs) }),
});

const planOf = (
  id: string,
  { session, parameters, eventParameters: pointers }: AddOptions,
): SavedPlanStart => ({
  saved_plan_id: id,
  ...(pointers !== undefined && {
    event_parameters: parseJson<Record<string, string>>('--event-parameters', pointers),
  }),
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

function line({
  id,
  name,
  on,
  cron,
  every_seconds: every,
  time_zone: zone,
  next_at: next,
}: Schedule): string {
  if (on !== null) return `${id}  ${name}  ${Object.entries(on).map(describeEvents).join('')}`;
  const interval = every === null ? translate(phrase('out.on_request')) : `${every} s`;
  const timing = cron === null ? interval : `${cron} (${zone})`;
  return `${id}  ${name}  ${timing}  ${next ?? translate(phrase('out.no_planned_time'))}`;
}

/** Returns the kind of events, and where they happen. */
const describeEvents = ([kind, place]: [string, unknown]) =>
  [kind, ...Object.values(place as Record<string, string>)].join('  ');

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
