import { withoutEndSlashes } from '#contracts/text.js';
import { existsSync } from 'node:fs';
import { chmod, mkdir, stat, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { workerNames } from '#contracts/queues.js';
import { migrate } from '#db/migrate.js';
import { compileCacheDir, projectRoot } from './project-root.js';
import { templatesDir } from './postgres-home.js';
import { checkDiskSpace, diskSpace, type SpaceOf, watchDisks, tooFull } from './disk-space.js';
import {
  freePort,
  type EmbeddedPostgres,
  type PreparedPostgres,
  preparePostgres,
  type OwnServer,
} from './postgres.js';
import { claimFile, releaseFile, removeStackState, writeStackState } from './owner-file.js';
import { launchProcesses, type ProcessSpec } from './processes.js';
import { parseEntry } from './render-log.js';
import { setTimeout as delay } from 'node:timers/promises';

const READY_TIMEOUT_MS = 60_000;
/** Name of the process that runs all apps. */
const ONE_PROCESS = 'scriptorium';

export interface StackOptions {
  /** Folder for database, objects and state; `.scriptorium` for `npm start`. */
  dataDir: string;
  /** Settings and the rest of the apps' environment; usually `process.env`. */
  env: NodeJS.ProcessEnv;
  /** Number of processes by worker, such as `agent-runner`. The default is one each; 0 starts none. */
  workers?: Record<string, number>;
  /** Runs one instance of each worker in the process `workers`. */
  fewProcesses?: boolean;
  /**
   * Runs the gateway and one instance of each worker in the process `scriptorium`, with shared connections: the
   * least start-up time and memory on one machine.
   */
  oneProcess?: boolean;
  /** TCP port of the gateway; GATEWAY_PORT by default, else a free one. */
  gatewayPort?: number;
  /** Receives every log line; lines of the stack itself have the name `stack`. */
  onLine?: (name: string, line: string) => void;
  /**
   * Called with one sentence that the user should see immediately: a disk is nearly full, PostgreSQL ended.
   */
  onTrouble?: (message: string) => void;
  /** Returns the free space of a disk; asks the system by default. */
  spaceOf?: SpaceOf;
  /** Folder with `<app>/src/main.js` of each app; `dist/apps` of the checkout by default. */
  appsDir?: string;
  /** Longest delay in ms before a process that keeps crashing is restarted; 10 s by default. */
  longestPauseMs?: number;
}

export interface Stack {
  /** Base URL of the gateway, such as `http://127.0.0.1:34567`. */
  url: string;
  /** All settings with which the apps run: DATABASE_URL, QUEUE_URL, STORAGE_DIR or S3_*, … */
  env: NodeJS.ProcessEnv;
  /**
   * Resolves when the stack cannot continue, with the reason and what to do; the caller then has to stop it.
   */
  failed: Promise<Error>;
  /** IDs of the processes that run now: `gateway`, `agent-runner`, `agent-runner-2`, … */
  pids(): Record<string, number>;
  /** Stops the gateway, the workers and the embedded PostgreSQL, in this order. */
  stop(): Promise<void>;
}

/**
 * Starts the whole system on this machine: an embedded PostgreSQL unless DATABASE_URL is set, the migrations,
 * then every app, each in its own process unless `oneProcess` or `fewProcesses` is set. Requires dist/ (`npm run build`).
 *
 * @throws Error if another process runs a stack in `dataDir`, or a part does not start (all parts are then
 * stopped)
 */
export async function startStack(options: StackOptions): Promise<Stack> {
  const dataDir = resolve(options.dataDir);
  const root = projectRoot();
  const appsDir = resolve(options.appsDir ?? join(root, 'dist/apps'));
  if (!existsSync(join(appsDir, 'gateway/src/main.js'))) {
    throw new Error('The apps are not built: run "npm run build" first.');
  }
  await mkdir(dataDir, { recursive: true });
  if (process.getuid?.() === 0) await letPass(dataDir);
  const lock = join(dataDir, 'stack.lock');
  const owner = await claimFile(lock);
  if (owner !== undefined) throw new Error(`Process ${owner} already runs a stack in ${dataDir}.`);
  const undo = [() => releaseFile(lock)];
  const stop = async () => {
    for (const step of undo.splice(0).reverse()) await step();
  };
  try {
    return await start({ ...options, dataDir, appsDir }, root, undo, stop);
  } catch (error) {
    await stop();
    throw error;
  }
}

async function start(
  options: StackOptions & { appsDir: string },
  root: string,
  undo: (() => Promise<void>)[],
  stop: () => Promise<void>,
): Promise<Stack> {
  const { dataDir, onLine = () => undefined } = options;
  // Chosen here, not by the gateway: a restarted gateway must keep its address.
  const port = await portOf(options);
  await checkDiskSpace(ownFolders(options), options.spaceOf ?? diskSpace);
  const log = (level: string, msg: string) =>
    onLine('stack', JSON.stringify({ level, time: new Date().toISOString(), msg }));
  const say = (msg: string) => log('info', msg);
  const warn = (msg: string) => {
    log('warn', msg);
    options.onTrouble?.(msg);
  };
  const prepared = await prepareEmbedded(options, port, say);
  const env = resolveSettings(options, port, prepared?.url);
  // The apps load their code, most of their start-up work, while PostgreSQL starts.
  const launched = launchProcesses(specsOf(options, root, env), {
    // Lines of a process that runs several apps appear under the name of the app.
    onLine: (name, line) => onLine(name === ONE_PROCESS ? appOf(line, name) : name, line),
    readyTimeoutMs: READY_TIMEOUT_MS,
    ...(options.longestPauseMs === undefined ? {} : { longestPauseMs: options.longestPauseMs }),
  });
  const started: { postgres?: EmbeddedPostgres | undefined } = {};
  const watching: (() => Promise<void>)[] = [];
  undo.push(
    async () => started.postgres?.stop(),
    async () => void (await Promise.all(watching.map((end) => end()))),
    async () => {
      // Runs while the processes end; the server is stopped right after them, even if the checkpoint is
      // incomplete.
      started.postgres?.own?.checkpoint().catch(() => undefined);
      await launched.stop();
    },
  );
  const postgres = (started.postgres = await prepared?.start());
  if (postgres) say(`embedded PostgreSQL is listening on 127.0.0.1:${postgres.port}`);
  const failed = watchOver(options, postgres, watching, warn);
  const applied = await applyMigrations(String(env['DATABASE_URL']), root);
  if (applied.length > 0) say(`database migrated: ${applied.join(', ')}`);
  const processes = await launched.begin();
  const gateway = processes.ready['gateway'] ?? processes.ready[ONE_PROCESS];
  const url = withoutEndSlashes(String(gateway?.['url']));
  await writeStackState(dataDir, { url, pid: process.pid, started_at: new Date().toISOString() });
  undo.push(() => removeStackState(dataDir));
  return { url, env, failed, pids: () => processes.pids(), stop };
}

/** Returns the app that wrote a log line; `otherwise` if the line does not name it. */
const appOf = (line: string, otherwise: string) => String(parseEntry(line)?.['app'] ?? otherwise);

/** Returns the folders in which this stack stores its data. */
function ownFolders({ env, dataDir }: StackOptions): string[] {
  const objects = env['S3_ENDPOINT'] ? [] : [objectsIn(env, dataDir)];
  return env['DATABASE_URL'] ? objects : [dataDir, ...objects];
}

const objectsIn = (env: NodeJS.ProcessEnv, dataDir: string) => env['STORAGE_DIR'] || join(dataDir, 'objects');

/** Supervises the embedded PostgreSQL and checks the disks. Resolves with the first fatal failure. */
function watchOver(
  options: StackOptions,
  postgres: EmbeddedPostgres | undefined,
  undo: (() => Promise<void>)[],
  warn: (message: string) => void,
): Promise<Error> {
  const over = new AbortController();
  return new Promise<Error>((fail) => {
    const { spaceOf = diskSpace } = options;
    const folders = new Set(ownFolders(options));
    // PostgreSQL's folder may be on another disk than the data directory.
    if (postgres?.own) folders.add(postgres.own.dir);
    const full = (reason: string) => fail(new Error(`The stack stops, because ${reason}.`));
    const watched = watchDisks({ folders: [...folders], spaceOf, signal: over.signal, warn, full });
    const endKeeping = postgres?.own && supervisePostgres(postgres.own, { spaceOf, warn, fail });
    undo.push(async () => {
      over.abort();
      await Promise.all([watched, endKeeping?.()]);
    });
  });
}

/**
 * Lets PostgreSQL, which runs under another account if started as root, traverse this folder without listing
 * it. The other files in it are readable only by their owner.
 */
async function letPass(dataDir: string): Promise<void> {
  await chmod(dataDir, ((await stat(dataDir)).mode & 0o777) | 0o011);
}

async function prepareEmbedded(
  { env, dataDir }: StackOptions,
  takenPort: number,
  say: (message: string) => void,
): Promise<PreparedPostgres | undefined> {
  if (env['DATABASE_URL']) return undefined;
  return preparePostgres({
    dataDir: join(dataDir, 'postgres'),
    port: postgresPortOf(env),
    takenPort,
    templates: templatesDir(),
    say,
  });
}

/** Returns the port that is asked for PostgreSQL, or 0. */
const postgresPortOf = (env: NodeJS.ProcessEnv) => Number(env['POSTGRES_PORT'] ?? 0);

/**
 * Returns the port of the gateway.
 *
 * @throws Error if it is not a port number or is in use
 */
async function portOf({ gatewayPort, env }: StackOptions): Promise<number> {
  const asked = gatewayPort ?? (env['GATEWAY_PORT'] || '0');
  const port = Number(asked);
  if (!Number.isInteger(port) || port < 0 || port > 65_535)
    throw new Error(`GATEWAY_PORT is "${asked}": it must be a number from 0 to 65535.`);
  const postgresPort = env['DATABASE_URL'] ? 0 : postgresPortOf(env);
  if (port !== 0 && port === postgresPort)
    throw new Error(`GATEWAY_PORT and POSTGRES_PORT are both ${port}: choose different ports.`);
  const free = await freePort(port, postgresPort);
  if (port !== 0 && free !== port)
    throw new Error(`Port ${port} is in use by another program: stop that program, or choose another port.`);
  return free;
}

/** Returns the settings of all apps, with embedded defaults for unset ones. */
function resolveSettings(options: StackOptions, port: number, embeddedUrl?: string): NodeJS.ProcessEnv {
  const given = options.env;
  const databaseUrl = given['DATABASE_URL'] || embeddedUrl;
  const settings: NodeJS.ProcessEnv = {
    ...given,
    DATABASE_URL: databaseUrl,
    QUEUE_URL: given['QUEUE_URL'] || databaseUrl,
    GATEWAY_HOST: given['GATEWAY_HOST'] || '127.0.0.1',
    GATEWAY_PORT: String(port),
    NODE_COMPILE_CACHE: given['NODE_COMPILE_CACHE'] || compileCacheDir(),
  };
  // All apps share one machine: three pools of three connections, and one connection for notifications.
  if (options.oneProcess) settings['DATABASE_POOL'] = given['DATABASE_POOL'] || '3';
  if (!given['S3_ENDPOINT']) settings['STORAGE_DIR'] = objectsIn(given, options.dataDir);
  return settings;
}

async function applyMigrations(databaseUrl: string, root: string): Promise<string[]> {
  try {
    return await migrate(databaseUrl, join(root, 'prisma/migrations'));
  } catch (error) {
    const { code } = error as { code?: string };
    if (code !== 'ECONNREFUSED' && code !== 'ENOTFOUND') throw error;
    const { host } = new URL(databaseUrl);
    throw new Error(`PostgreSQL is not reachable at ${host}: check DATABASE_URL, or unset it.`, {
      cause: error,
    });
  }
}

function specsOf(
  options: StackOptions & { appsDir: string },
  root: string,
  env: NodeJS.ProcessEnv,
): ProcessSpec[] {
  const program = (name: string) => join(root, 'dist/libs/embedded', name);
  const preload = pathToFileURL(program('end-with-parent.js')).href;
  const node = (name: string, ...args: string[]): ProcessSpec => ({
    name,
    command: process.execPath,
    args: ['--import', preload, ...args],
    env,
    waits: true,
  });
  const mainOf = (app: string) => join(options.appsDir, app, 'src/main.js');
  const together = (name: string, apps: readonly string[]): ProcessSpec => ({
    ...node(name, program('run-together.js'), ...apps.map(mainOf)),
    apps: apps.length,
  });
  if (options.oneProcess) {
    const apps = ['gateway', ...workerNames];
    // Apps other than the built ones are not in the bundle.
    if (options.appsDir !== join(root, 'dist/apps')) return [together(ONE_PROCESS, apps)];
    return [{ ...node(ONE_PROCESS, join(root, 'dist/one-process/scriptorium.js')), apps: apps.length }];
  }
  // The gateway is stopped first, so that nothing new comes in while the workers end.
  const gateway = node('gateway', mainOf('gateway'));
  if (options.fewProcesses) return [gateway, together('workers', workerNames)];
  const each = workerNames.flatMap((app) =>
    Array.from({ length: options.workers?.[app] ?? 1 }, (_, index) =>
      node(index === 0 ? app : `${app}-${index + 1}`, mainOf(app)),
    ),
  );
  return [gateway, ...each.map(withOwnMetricsPort)];
}

/** Assigns the metrics ports of the workers, counting up from METRICS_PORT. */
function withOwnMetricsPort(spec: ProcessSpec, index: number): ProcessSpec {
  const first = Number(spec.env['METRICS_PORT'] || 0);
  return first > 0 ? { ...spec, env: { ...spec.env, METRICS_PORT: String(first + index) } } : spec;
}

/** Time in ms during which a server that ends while starting is restarted. */
const TIMEOUT_MS = 4_000;
/** After this time in ms, a server that is still starting is reported. */
const LONG_MS = 5_000;
const PAUSE_MS = 500;

interface KeeperOptions {
  spaceOf: SpaceOf;
  /** Called with one sentence when the server ends, starts slowly or runs again. */
  warn(message: string): void;
  /** Called once if the server cannot be kept running, with the reason and what to do. */
  fail(error: Error): void;
}

/**
 * Restarts an embedded PostgreSQL at the same port whenever it ends, whatever the cause.
 *
 * @returns a function that ends the supervision; call it before the server is stopped
 */
function supervisePostgres(server: OwnServer, options: KeeperOptions): () => Promise<void> {
  const stopping = new AbortController();
  const kept = keep(server, options, stopping.signal);
  return async () => {
    stopping.abort();
    await kept;
  };
}

async function keep(server: OwnServer, options: KeeperOptions, signal: AbortSignal): Promise<void> {
  const stopped = new Promise<undefined>((resolve) => {
    signal.addEventListener('abort', () => resolve(undefined), { once: true });
  });
  for (;;) {
    const how = await Promise.race([server.ended(), stopped]);
    if (how === undefined || signal.aborted) return;
    options.warn(`PostgreSQL exited unexpectedly (${how}); restarting it`);
    const failure = await restart(server, options, signal);
    if (signal.aborted) return;
    if (failure !== undefined) return options.fail(failure);
    options.warn('PostgreSQL is running again; runs resume where they stopped');
  }
}

/** @returns why the server cannot be started; undefined if it runs */
async function restart(
  server: OwnServer,
  { warn, spaceOf }: KeeperOptions,
  signal: AbortSignal,
): Promise<Error | undefined> {
  const slow = setTimeout(
    () => warn('PostgreSQL is not ready yet: it is recovering from the crash; please wait'),
    LONG_MS,
  );
  try {
    for (const deadline = Date.now() + TIMEOUT_MS; ; await delay(PAUSE_MS)) {
      const error = await server.relaunch(signal).then(
        () => undefined,
        (failure: Error) => failure,
      );
      if (error === undefined || signal.aborted) return undefined;
      const full = tooFull(server.dir, await spaceOf(server.dir));
      if (full !== undefined) return new Error(`PostgreSQL cannot run, because ${full}.`);
      if (Date.now() > deadline) return new Error(await brokenServer(server, error));
    }
  } finally {
    clearTimeout(slow);
  }
}

async function brokenServer(server: OwnServer, error: Error): Promise<string> {
  const lines = (await readFile(server.logFile, 'utf8').catch(() => error.message)).trim().split('\n');
  const cause =
    lines.findLast((line) => line.includes('FATAL') || line.includes('PANIC')) ?? lines.slice(-3).join(' ');
  return (
    `PostgreSQL exited and cannot be restarted (${cause}). See its log, ${server.logFile}; ` +
    'fix the cause and start again: committed data is safe.'
  );
}
