import { freePort } from '#embedded/postgres.js';
import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import type { ProcessGroups } from './cpu.js';
import { until } from '#testing/until.js';

/** Installed on first use, outside the product. */
const PACKAGES = [
  '@dbos-inc/dbos-sdk@5.3.0',
  'fastify@5.12.8',
  '@restatedev/restate-sdk@1.17.2',
  '@restatedev/restate-server@1.7.12',
];
const FOLDER = join(
  process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'),
  'scriptorium/durable-peers-1',
);

/** Ten steps, each committed before the next; after five of them, the run waits for an answer. */
const STEPS = `
const step = (index) => 'step_' + index + ' ' + 'x'.repeat(190);
`;

const DBOS = `
import { DBOS } from '@dbos-inc/dbos-sdk';
import Fastify from 'fastify';
${STEPS}
const [systemDatabaseUrl, port] = process.argv.slice(2);
DBOS.setConfig({ name: 'ten', systemDatabaseUrl, logLevel: 'error', runAdminServer: false, systemDatabasePoolSize: 16 });
const workflow = DBOS.registerWorkflow(async () => {
  const words = [];
  const run = async (index) => words.push(await DBOS.runStep(async () => step(index), { name: 'step_' + index }));
  for (let index = 0; index < 5; index++) await run(index);
  await DBOS.setEvent('waiting', true);
  words.push(await DBOS.recv('answer', 3600));
  for (let index = 5; index < 10; index++) await run(index);
  return words.length;
}, { name: 'ten' });
await DBOS.launch();
const app = Fastify();
app.post('/runs', async () => ({ id: (await DBOS.startWorkflow(workflow)()).workflowID }));
app.get('/runs/:id/waiting', async ({ params }) => ({ waiting: await DBOS.getEvent(params.id, 'waiting', 60) }));
app.post('/runs/:id/answer', async ({ params, body }) => {
  await DBOS.send(params.id, body.text, 'answer');
  return {};
});
app.get('/runs/:id/done', async ({ params }) => ({ words: await DBOS.retrieveWorkflow(params.id).getResult() }));
await app.listen({ port: Number(port), host: '127.0.0.1' });
process.send('ready');
process.on('disconnect', () => process.exit(0));
`;

const RESTATE = `
// The SDK is made for Node 22.
Promise.withResolvers ??= function () {
  let resolve, reject;
  const promise = new this((accept, refuse) => ((resolve = accept), (reject = refuse)));
  return { promise, resolve, reject };
};
const restate = await import('@restatedev/restate-sdk');
${STEPS}
const ten = restate.workflow({
  name: 'ten',
  handlers: {
    run: async (ctx) => {
      const words = [];
      const run = async (index) => words.push(await ctx.run('step_' + index, () => step(index)));
      for (let index = 0; index < 5; index++) await run(index);
      await ctx.promise('asked').resolve(true);
      words.push(await ctx.promise('answer'));
      for (let index = 5; index < 10; index++) await run(index);
      return { words: words.length };
    },
    waiting: async (ctx) => { await ctx.promise('asked'); return {}; },
    answer: async (ctx, { text }) => { await ctx.promise('answer').resolve(text); return {}; },
  },
});
await restate.serve({ services: [ten], port: Number(process.argv[2]) });
process.send('ready');
process.on('disconnect', () => process.exit(0));
`;

/** A durable engine that does the same work as the kind `ten` of the bench. */
export interface DurableSystem {
  name: string;
  groups: ProcessGroups;
  /** Makes one run; returns milliseconds from the request with the answer until the client sees the end. */
  run(): Promise<number>;
  stop(): Promise<void>;
}

async function install(): Promise<void> {
  await mkdir(FOLDER, { recursive: true });
  if (!existsSync(join(FOLDER, 'node_modules/@restatedev/restate-server'))) {
    await writeFile(join(FOLDER, 'package.json'), '{"private":true,"type":"module"}\n');
    await promisify(execFile)('npm', ['install', '--no-audit', '--no-fund', ...PACKAGES], { cwd: FOLDER });
  }
  await writeFile(join(FOLDER, 'dbos.mjs'), DBOS);
  await writeFile(join(FOLDER, 'restate.mjs'), RESTATE);
}

async function json(url: string, body?: object): Promise<Record<string, unknown>> {
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(url, body ? { method: 'POST', headers, body: JSON.stringify(body) } : {});
  const text = await response.text();
  if (!response.ok) throw new Error(`${url}: ${response.status} ${text}`);
  return text === '' ? {} : (JSON.parse(text) as Record<string, unknown>);
}

/** Requests of a run: each resolves when its step of the conversation is over. */
interface Conversation {
  started(): Promise<unknown>;
  waiting(): Promise<unknown>;
  answered(): Promise<unknown>;
  done(): Promise<Record<string, unknown>>;
}

async function converse({ started, waiting, answered, done }: Conversation): Promise<number> {
  await started();
  await waiting();
  const from = performance.now();
  await answered();
  const { words } = await done();
  if (words !== 11) throw new Error(`the run did not end as it should: ${String(words)}`);
  return performance.now() - from;
}

async function program(file: string, args: string[]): Promise<ChildProcess> {
  const child = spawn(process.execPath, [join(FOLDER, file), ...args], {
    cwd: FOLDER,
    env: { ...process.env, RESTATE_LOGGING: 'ERROR' },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  await Promise.race([
    once(child, 'message'),
    once(child, 'exit').then(() => Promise.reject(new Error(`${file} ended`))),
  ]);
  return child;
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGKILL');
  await exited;
}

/** DBOS Transact in one process, in a database of the same server as the product. */
async function startDbos(databaseUrl: string, postgres: number): Promise<DurableSystem> {
  const admin = new pg.Client({ connectionString: databaseUrl });
  await admin.connect();
  await admin.query('CREATE DATABASE bench_dbos');
  await admin.end();
  const port = await freePort();
  const system = new URL(databaseUrl);
  system.pathname = '/bench_dbos';
  const child = await program('dbos.mjs', [system.href, `${port}`]);
  const runs = `http://127.0.0.1:${port}/runs`;
  return {
    name: 'DBOS',
    groups: { server: [child.pid!], postgres: [postgres] },
    async run() {
      let url = '';
      return converse({
        started: async () => (url = `${runs}/${String((await json(runs, {}))['id'])}`),
        waiting: () => json(`${url}/waiting`),
        answered: () => json(`${url}/answer`, { text: 'yes' }),
        done: () => json(`${url}/done`),
      });
    },
    stop: () => end(child),
  };
}

/** Restate's server, with its own log on the disk, and one process with the service. */
async function startRestate(dir: string): Promise<DurableSystem> {
  const [ingress, admin, node, port] = [
    await freePort(),
    await freePort(),
    await freePort(),
    await freePort(),
  ];
  const service = await program('restate.mjs', [`${port}`]);
  const binary = join(
    FOLDER,
    `node_modules/@restatedev/restate-server-${process.platform}-${process.arch}/bin/restate-server`,
  );
  const server = spawn(binary, ['--node-name', 'bench', '--base-dir', dir], {
    stdio: 'ignore',
    env: {
      ...process.env,
      RESTATE_INGRESS__BIND_ADDRESS: `127.0.0.1:${ingress}`,
      RESTATE_ADMIN__BIND_ADDRESS: `127.0.0.1:${admin}`,
      RESTATE_BIND_ADDRESS: `127.0.0.1:${node}`,
      RESTATE_ROCKSDB_TOTAL_MEMORY_SIZE: '512MiB',
      RESTATE_DISABLE_TELEMETRY: 'true',
    },
  });
  const url = `http://127.0.0.1:${ingress}`;
  // Without its program for this platform, no request of it succeeds.
  server.on('error', () => undefined);
  const deployment = { uri: `http://127.0.0.1:${port}`, use_http_11: false };
  const stop = async () => {
    await Promise.all([end(server), end(service)]);
    await rm(dir, { recursive: true, force: true });
  };
  try {
    await until('Restate knows the service', () =>
      json(`http://127.0.0.1:${admin}/deployments`, deployment).catch(() => null),
    );
    await until('Restate takes requests', () => json(`${url}/restate/health`).catch(() => null));
  } catch (error) {
    await stop();
    throw error;
  }
  let count = 0;
  return {
    name: 'Restate',
    groups: { server: [server.pid!], service: [service.pid!] },
    run() {
      const id = `run${count++}`;
      return converse({
        started: () => json(`${url}/ten/${id}/run/send`, {}),
        waiting: () => json(`${url}/ten/${id}/waiting`, {}),
        answered: () => json(`${url}/ten/${id}/answer`, { text: 'yes' }),
        done: () => json(`${url}/restate/workflow/ten/${id}/attach`),
      });
    },
    stop,
  };
}

/**
 * Starts DBOS and Restate.
 *
 * @param postgres process of the server of `databaseUrl`
 * @param dir empty folder for Restate
 * @returns none if their packages cannot be installed
 */
export async function startPeers(
  databaseUrl: string,
  postgres: number,
  dir: string,
): Promise<DurableSystem[]> {
  try {
    await install();
  } catch {
    return [];
  }
  const dbos = await startDbos(databaseUrl, postgres);
  try {
    return [dbos, await startRestate(dir)];
  } catch (error) {
    await dbos.stop();
    throw error;
  }
}
