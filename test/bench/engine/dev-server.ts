import { freePort } from '#embedded/postgres.js';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { cpuPerRun, type CpuByGroup } from './cpu.js';
import { percentiles, throughput, timed, type Percentiles } from './figures.js';
import { TEN_STEPS } from './graphs.js';

/** LangGraph's own in-memory server, with the versions of LangGraph that the product uses. Installed on first use, outside the product. */
const PACKAGES = [
  '@langchain/langgraph-api@1.5.1',
  '@langchain/langgraph-sdk@2.0.0',
  '@langchain/langgraph@1.7.3',
  '@langchain/core@1.4.0',
  '@langchain/langgraph-checkpoint@1.2.2',
  'typescript@5.9.3',
];
const FOLDER = join(
  process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'),
  'scriptorium/langgraph-server-1.5.1',
);

const GRAPH = `
import { Annotation, END, START, StateGraph } from '@langchain/langgraph';
const State = Annotation.Root({ words: Annotation({ reducer: (all, more) => [...all, ...more], default: () => [] }) });
const names = ${JSON.stringify(TEN_STEPS)};
const builder = new StateGraph(State);
names.forEach((name, index) => {
  builder.addNode(name, () => ({ words: [name] }));
  builder.addEdge(index === 0 ? START : names[index - 1], name);
});
builder.addEdge(names.at(-1), END);
export const graph = builder.compile();
`;

const SERVER = `
import { startServer } from '@langchain/langgraph-api/server';
await startServer({
  port: Number(process.argv[2]), host: '127.0.0.1', nWorkers: 20, cwd: import.meta.dirname, graphs: { steps: './graph.mjs:graph' },
});
process.send('ready');
process.on('disconnect', () => process.exit(0));
`;

export interface DevServerFigures {
  runsPerSecond: number;
  runMs: Percentiles;
  firstEventMs: Percentiles;
  /** Per run of ten steps, while 20 are under way. */
  cpuMsPerRun: CpuByGroup | null;
}

async function install(): Promise<void> {
  await mkdir(FOLDER, { recursive: true });
  if (!existsSync(join(FOLDER, 'node_modules/@langchain/langgraph-api'))) {
    await writeFile(join(FOLDER, 'package.json'), '{"private":true,"type":"module"}\n');
    const args = ['install', '--no-audit', '--no-fund', '--legacy-peer-deps', ...PACKAGES];
    await promisify(execFile)('npm', args, { cwd: FOLDER });
  }
  await writeFile(join(FOLDER, 'graph.mjs'), GRAPH);
  await writeFile(join(FOLDER, 'server.mjs'), SERVER);
}

/**
 * Measures the same ten-step graph on LangGraph's development server (one process, state in memory, nothing durable),
 * over its HTTP API.
 *
 * @returns null if its packages cannot be installed
 */
export async function devServer(count: number, samples: number): Promise<DevServerFigures | null> {
  try {
    await install();
  } catch {
    return null;
  }
  const port = await freePort();
  const server = spawn(process.execPath, [join(FOLDER, 'server.mjs'), `${port}`], {
    cwd: FOLDER,
    env: { ...process.env, LOG_LEVEL: 'error', LANGSMITH_TRACING: 'false' },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  try {
    await once(server, 'message');
    return await measure(`http://127.0.0.1:${port}`, server.pid!, count, samples);
  } finally {
    const exited = once(server, 'exit');
    server.kill('SIGKILL');
    await exited;
  }
}

async function measure(url: string, pid: number, count: number, samples: number): Promise<DevServerFigures> {
  const post = async (path: string, body: object): Promise<Response> => {
    const response = await fetch(url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return response;
  };
  const request = { assistant_id: 'steps', input: { words: ['start'] } };
  const thread = async () => ((await (await post('/threads', {})).json()) as { thread_id: string }).thread_id;
  // Its cheapest way of following a run: the request that starts it is the stream.
  const streamed = { ...request, stream_mode: ['updates'] };
  const run = async () => {
    const text = await (await post(`/threads/${await thread()}/runs/stream`, streamed)).text();
    if (!text.includes('step_9')) throw new Error(`the run did not end: ${text.slice(-500)}`);
  };
  const firstEvent = async () => {
    const id = await thread();
    let response: Response;
    const ms = await timed(async () => {
      response = await post(`/threads/${id}/runs/stream`, streamed);
      await response.body!.getReader().read();
    });
    return ms;
  };
  await throughput(40, 20, run);
  let runsPerSecond = 0;
  const cpuMsPerRun = await cpuPerRun({ server: [pid] }, count, async () => {
    runsPerSecond = await throughput(count, 20, run);
  });
  const runMs: number[] = [];
  const firstEventMs: number[] = [];
  for (let index = 0; index < samples; index++) runMs.push(await timed(run));
  for (let index = 0; index < samples; index++) firstEventMs.push(await firstEvent());
  return { runsPerSecond, runMs: percentiles(runMs), firstEventMs: percentiles(firstEventMs), cpuMsPerRun };
}
