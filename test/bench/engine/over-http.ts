import { ApiKeyRepository } from '#db/repositories/api-keys.js';
import { createParser } from 'eventsource-parser';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BenchStack } from './bench-stack.js';
import { cpuPerRun, type CpuByGroup } from './cpu.js';
import { percentiles, throughput, timed, type Percentiles } from './figures.js';
import { startGatewayProcess } from './gateway-process.js';
import { hopMs } from './hop.js';

/**
 * Measures the whole as a client sees it: a gateway process in front of the engine, driven by POST, server-sent events
 * and answers.
 */
export interface HttpFigures {
  runsPerSecond: number;
  runMs: Percentiles;
  firstEventMs: Percentiles;
  answerToDoneMs: Percentiles;
  hopMs: Percentiles;
  /** Figures per run of ten steps, with 20 concurrent runs. */
  cpuMsPerRun: CpuByGroup | null;
}

/** A client of the gateway that sends only the requests of a run. */
export class Client {
  constructor(
    private readonly url: string,
    private readonly key: string,
  ) {}

  async post(path: string, body: object): Promise<Record<string, unknown>> {
    const response = await fetch(this.url + path, {
      method: 'POST',
      headers: { authorization: `Bearer ${this.key}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${path}: ${response.status} ${text}`);
    return JSON.parse(text) as Record<string, unknown>;
  }

  async session(): Promise<string> {
    return (await this.post('/api/sessions', {}))['id'] as string;
  }

  async start(sessionId: string, kind: string): Promise<string> {
    return (await this.post('/api/agents/runs', { session_id: sessionId, kind, inputs: {} }))['id'] as string;
  }

  /** Follows the run's events until `onEvent` returns true, or until their end. */
  async follow(runId: string, onEvent: (type: string, data: string) => boolean | void): Promise<void> {
    const response = await fetch(`${this.url}/api/agents/runs/${runId}/events`, {
      headers: { authorization: `Bearer ${this.key}` },
    });
    if (!response.ok) throw new Error(`events: ${response.status} ${await response.text()}`);
    let isEnough = false;
    const parser = createParser({
      onEvent: ({ event, data }) => (isEnough ||= onEvent(event ?? '', data) === true),
    });
    const decoder = new TextDecoder();
    for await (const chunk of response.body!) {
      parser.feed(decoder.decode(chunk, { stream: true }));
      if (isEnough) break;
    }
  }

  async run(kind: string): Promise<string> {
    const runId = await this.start(await this.session(), kind);
    await this.done(runId);
    return runId;
  }

  done(runId: string): Promise<void> {
    return this.follow(runId, (type, data) => {
      if (type === 'done' && !data.includes('"completed"')) throw new Error(data);
      return type === 'done';
    });
  }

  async firstEvent(): Promise<number> {
    const sessionId = await this.session();
    let runId = '';
    const ms = await timed(async () => {
      runId = await this.start(sessionId, 'steps');
      await this.follow(runId, () => true);
    });
    await this.done(runId);
    return ms;
  }

  /** From the request with the answer to the last event, which the client has followed all the time. */
  async answerToDone(kind: string): Promise<number> {
    const runId = await this.start(await this.session(), kind);
    let answeredAt = 0;
    let answered: Promise<unknown> | null = null;
    await this.follow(runId, (type, data) => {
      if (type === 'done') return true;
      if (type !== 'decision_required') return false;
      const { decision_id: id } = (JSON.parse(data) as { data: { decision_id: string } }).data;
      answeredAt = performance.now();
      answered = this.post(`/api/decisions/${id}/answer`, { text: 'yes' });
      return false;
    });
    const ms = performance.now() - answeredAt;
    await answered;
    return ms;
  }
}

const series = async (count: number, sample: () => Promise<number>): Promise<Percentiles> => {
  const values: number[] = [];
  for (let index = 0; index < count + 3; index++) values.push(await sample());
  return percentiles(values.slice(3));
};

/** Drives the stack through a separate gateway process. */
export async function overHttp(
  stack: BenchStack,
  urls: { databaseUrl: string; queueUrl: string },
  quick: boolean,
): Promise<HttpFigures> {
  const dir = await mkdtemp(join(tmpdir(), 'scriptorium-bench-'));
  const register = new URL('./register-kinds.js', import.meta.url);
  const env = { QUEUE_URL: urls.queueUrl };
  const gateway = await startGatewayProcess(urls.databaseUrl, dir, env, register);
  try {
    const { key } = await new ApiKeyRepository(stack.db).create(stack.tenantId, { name: 'bench' });
    const client = new Client(gateway.url, key);
    const one = () => client.run('steps');
    const samples = quick ? 15 : 60;
    const runs = quick ? 100 : 400;
    await throughput(60, 20, one);
    let runsPerSecond = 0;
    const groups = { gateway: [gateway.pid], ...(await stack.processGroups()) };
    const cpuMsPerRun = await cpuPerRun(groups, runs, async () => {
      runsPerSecond = await throughput(runs, 20, one);
    });
    return {
      runsPerSecond,
      runMs: await series(samples, () => timed(one)),
      firstEventMs: await series(samples, () => client.firstEvent()),
      answerToDoneMs: await series(samples, () => client.answerToDone('ask')),
      hopMs: await series(samples, async () => hopMs(stack.db, await client.run('hop'))),
      cpuMsPerRun,
    };
  } finally {
    await gateway.stop();
    await rm(dir, { recursive: true, force: true });
  }
}
