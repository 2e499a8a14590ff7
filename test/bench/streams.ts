/**
 * Measures the event streams of one gateway process: `npm run bench:streams [-- --clients 500] [--seconds 20] [--json file]`.
 * Starts its own PostgreSQL (from npm, writing to the disk) and a gateway; writes events as the engine does, and measures
 * the time from the commit to the client, once with a few clients per run, once with all of them on one run.
 */
import { createDatabase, type Database } from '#db/client.js';
import { ApiKeyRepository } from '#db/repositories/api-keys.js';
import { RunLog } from '#testing/run-log.js';
import { createParser } from 'eventsource-parser';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { get, type IncomingMessage } from 'node:http';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { startServers } from './engine/bench-stack.js';
import { percentiles, type Percentiles } from './engine/figures.js';
import { startGatewayProcess } from './engine/gateway-process.js';
import { benchOptions } from './options.js';

/** Milliseconds between two events of a run, as in a writing run, whose tokens are batched for 100 ms. */
const EVENT_MS = 200;

interface StreamFigures {
  runs: number;
  clients: number;
  events: number;
  /** From the return of the commit to the last byte of the event at the client, in milliseconds. */
  delayMs: Percentiles;
  /** Resident memory of the gateway without clients, and the growth per client at the end, in KB. */
  idleMemoryKb: number;
  memoryPerClientKb: number;
  /** CPU of the gateway while events flow, in percent of a core. */
  cpuPercent: number;
}

/** Seconds of CPU and bytes of resident memory of a process (Linux). */
async function usage(pid: number): Promise<{ cpu: number; memory: number }> {
  const stat = (await readFile(`/proc/${pid}/stat`, 'utf8')).split(') ')[1]!.split(' ');
  const pages = Number((await readFile(`/proc/${pid}/statm`, 'utf8')).split(' ')[1]);
  return { cpu: (Number(stat[11]) + Number(stat[12])) / 100, memory: pages * 4_096 };
}

/** Opens a stream; calls back with the sequence number of each event and the time at which it was there. */
async function openStream(
  port: number,
  key: string,
  runId: string,
  onEvent: (seq: number, at: number) => void,
): Promise<IncomingMessage> {
  const headers = { authorization: `Bearer ${key}` };
  const path = `/api/agents/runs/${runId}/events`;
  const request = get({ host: '127.0.0.1', port, path, headers, agent: false });
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  if (response.statusCode !== 200) throw new Error(`no stream: ${response.statusCode}`);
  const parser = createParser({ onEvent: ({ id }) => onEvent(Number(id), performance.now()) });
  response.setEncoding('utf8').on('data', (chunk: string) => parser.feed(chunk));
  response.on('error', () => undefined);
  return response;
}

async function measure(
  db: Database,
  gateway: { pid: number; port: number },
  key: string,
  tenantId: string,
  { runs, clients, seconds }: { runs: number; clients: number; seconds: number },
): Promise<StreamFigures> {
  const logs = await Promise.all(Array.from({ length: runs }, () => RunLog.create(db, tenantId)));
  const committed = new Map<string, number>();
  const delays: number[] = [];
  let early = 0;
  const before = await usage(gateway.pid);
  const streams: IncomingMessage[] = [];
  for (let index = 0; index < clients; index++) {
    const { runId } = logs[index % runs]!;
    const onEvent = (seq: number, at: number) => {
      const from = committed.get(`${runId}/${seq}`);
      if (from === undefined) early += 1;
      else delays.push(at - from);
    };
    streams.push(await openStream(gateway.port, key, runId, onEvent));
  }
  const opened = await usage(gateway.pid);
  const rounds = Math.round((seconds * 1_000) / EVENT_MS);
  const started = performance.now();
  const write = async (log: RunLog, offset: number) => {
    for (let round = 0; round < rounds; round++) {
      await delay(Math.max(0, started + offset + round * EVENT_MS - performance.now()));
      await log.append(1, { text: 'a few words that the model wrote '.repeat(4) });
      committed.set(`${log.runId}/${round + 1}`, performance.now());
    }
  };
  await Promise.all(logs.map((log, index) => write(log, (index * EVENT_MS) / runs)));
  const expected = rounds * clients;
  while (delays.length + early < expected) await delay(20);
  const elapsed = (performance.now() - started) / 1_000;
  const after = await usage(gateway.pid);
  streams.forEach((stream) => stream.destroy());
  return {
    runs,
    clients,
    events: expected,
    // Events received before the writer learned of its commit count as immediate.
    delayMs: percentiles([...delays, ...Array.from({ length: early }, () => 0)]),
    idleMemoryKb: Math.round(before.memory / 1_024),
    memoryPerClientKb: Math.round((after.memory - before.memory) / 1_024 / clients),
    cpuPercent: Math.round(((after.cpu - opened.cpu) / elapsed) * 100),
  };
}

const { sizes, save } = benchOptions({ clients: [500, 20], seconds: [20, 1] });
const { clients, seconds } = sizes;
const dir = await mkdtemp(join(tmpdir(), 'scriptorium-streams-'));
const servers = await startServers();
const db = createDatabase(servers.databaseUrl, 8);
try {
  const { tenantId } = await RunLog.create(db);
  await db.tenant.update({ where: { id: tenantId }, data: { requestsPerMinute: 1_000_000 } });
  const { key } = await new ApiKeyRepository(db).create(tenantId, { name: 'bench' });
  const figures: StreamFigures[] = [];
  for (const runs of [Math.ceil(clients / 10), 1]) {
    const gateway = await startGatewayProcess(servers.databaseUrl, dir);
    const target = { pid: gateway.pid, port: Number(new URL(gateway.url).port) };
    try {
      // The first streams of a process include compilation and connections.
      await measure(db, target, key, tenantId, { runs: 5, clients: 50, seconds: 2 });
      figures.push(await measure(db, target, key, tenantId, { runs, clients, seconds }));
    } finally {
      await gateway.stop();
    }
  }
  console.table(
    figures.map(({ delayMs, ...rest }) => ({
      ...rest,
      'delay p50 ms': delayMs.p50,
      'delay p95 ms': delayMs.p95,
    })),
  );
  console.log(`load average ${loadavg()[0]!.toFixed(1)}`);
  save(figures);
} finally {
  await db.$disconnect();
  await servers.stop();
  await rm(dir, { recursive: true, force: true });
}
