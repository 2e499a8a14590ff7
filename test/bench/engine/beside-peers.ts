import { ApiKeyRepository } from '#db/repositories/api-keys.js';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BenchStack } from './bench-stack.js';
import { cpuPerRun, postgresPid, type CpuByGroup } from './cpu.js';
import { startPeers, type DurableSystem } from './durable-peers.js';
import { percentiles, throughput, type Percentiles } from './figures.js';
import { startGatewayProcess } from './gateway-process.js';
import { Client } from './over-http.js';

/** Figures of one engine for runs of ten steps and a question, over HTTP. */
export interface PeerFigures {
  name: string;
  /** By round; a round is the same number of runs, 20 at once, of each engine in turn. */
  cpuMsPerRun: (CpuByGroup | null)[];
  runsPerSecond: number[];
  /** One run at a time. */
  answerToDoneMs: Percentiles;
}

const ROUNDS = 3;

async function measure(systems: DurableSystem[], quick: boolean): Promise<PeerFigures[]> {
  const runs = quick ? 40 : 100;
  for (const { run } of systems) await throughput(quick ? 60 : 400, 20, run);
  const figures = systems.map(({ name }) => ({
    name,
    cpuMsPerRun: [] as (CpuByGroup | null)[],
    runsPerSecond: [] as number[],
    answerToDoneMs: { p50: NaN, p95: NaN },
  }));
  for (let round = 0; round < ROUNDS; round++)
    for (const [index, { groups, run }] of systems.entries()) {
      const cpu = await cpuPerRun(groups, runs, async () => {
        figures[index]!.runsPerSecond.push(await throughput(runs, 20, run));
      });
      figures[index]!.cpuMsPerRun.push(cpu);
    }
  for (const [index, { run }] of systems.entries()) {
    const ms: number[] = [];
    for (let sample = 0; sample < 20; sample++) ms.push(await run());
    figures[index]!.answerToDoneMs = percentiles(ms);
  }
  return figures;
}

/**
 * Measures the product beside DBOS and Restate, by turns: ten steps of 200 bytes, each committed before the next, and one
 * question in the middle that is answered over HTTP. The product and DBOS use the same PostgreSQL.
 *
 * @returns only the product's figures if the others cannot be installed
 */
export async function besidePeers(
  databaseUrl: string,
  redisUrl: string,
  quick: boolean,
): Promise<PeerFigures[]> {
  const dir = await mkdtemp(join(tmpdir(), 'scriptorium-bench-'));
  const stack = await BenchStack.start(databaseUrl, redisUrl, 2);
  const register = new URL('./register-kinds.js', import.meta.url);
  const gateway = await startGatewayProcess(databaseUrl, dir, { QUEUE_URL: redisUrl }, register);
  const peers: DurableSystem[] = [];
  try {
    peers.push(...(await startPeers(databaseUrl, await postgresPid(stack.db), join(dir, 'restate'))));
    const { key } = await new ApiKeyRepository(stack.db).create(stack.tenantId, { name: 'bench' });
    const client = new Client(gateway.url, key);
    const product: DurableSystem = {
      name: 'Scriptorium',
      groups: { gateway: [gateway.pid], ...(await stack.processGroups()) },
      run: () => client.answerToDone('ten'),
      stop: () => gateway.stop(),
    };
    return await measure([product, ...peers], quick);
  } finally {
    for (const peer of peers) await peer.stop();
    await gateway.stop();
    await stack.stop();
    await rm(dir, { recursive: true, force: true });
  }
}
