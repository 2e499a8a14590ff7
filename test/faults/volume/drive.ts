import { newId } from '#contracts/ids.js';
import { completeTask } from '#engine/tasks/complete.js';
import type { Engine } from '#engine/engine.js';
import { startRun } from '#engine/runs/start.js';
import { setTimeout as delay } from 'node:timers/promises';
import { persist, type Deadline } from '../persist.js';
import type { Chance } from '../random.js';
import { ANSWERS, KINDS, type Kind } from './graphs.js';

/** The driver's knowledge of a run: its requests and the responses. */
export interface Driven {
  runId: string;
  kind: Kind;
  /** Answers that were confirmed as the counting ones. */
  accepted: string[];
}

const PAUSE_MS = 50;
const RACING_ANSWERS = 3;

/** Starts runs and answers their questions, as gateways do on behalf of patient clients. */
export class Driver {
  readonly driven: Driven[] = [];
  /** Time in ms at which a run last ended. */
  lastEnd = Date.now();
  private readonly active = new Map<string, { driven: Driven; ended: () => void }>();

  constructor(
    private readonly engine: Engine,
    private readonly tenantId: string,
    private readonly deadline: Deadline,
  ) {}

  /** Starts one run and resolves at its end. */
  async one(chance: Chance): Promise<void> {
    const kind = chance.pick(KINDS);
    const sessionId = newId('ses');
    const { tenantId, engine } = this;
    await persist(
      `the session ${sessionId}`,
      () =>
        engine.db.session.upsert({
          where: { id: sessionId },
          create: { id: sessionId, tenantId },
          update: {},
        }),
      this.deadline,
    );
    const runId = await persist(
      `the start of a run in ${sessionId}`,
      () => this.start(sessionId, kind),
      this.deadline,
    );
    const driven: Driven = { runId, kind, accepted: [] };
    this.driven.push(driven);
    await new Promise<void>((ended) => this.active.set(runId, { driven, ended }));
  }

  /** If the response to a start was lost, the run is found by its session. */
  private async start(sessionId: string, kind: Kind): Promise<string> {
    const { db } = this.engine;
    const there = await db.run.findFirst({ where: { sessionId }, select: { id: true } });
    if (there) return there.id;
    const { tenantId } = this;
    const run = { tenantId, sessionId, kind, mode: null, inputs: {}, graphVersion: 'tiny-1' };
    return (await startRun(this.engine, run)).id;
  }

  /** Polls all active runs until stopped: answers questions, releases ended runs. */
  async watch(signal: AbortSignal, chance: Chance): Promise<void> {
    while (!signal.aborted) {
      await delay(PAUSE_MS);
      await this.look(chance).catch(() => undefined);
    }
  }

  /** Releases the runs that have not ended; the check reports them. */
  abandon(): void {
    for (const { ended } of this.active.values()) ended();
    this.active.clear();
  }

  private async look(chance: Chance): Promise<void> {
    const { db } = this.engine;
    const ids = [...this.active.keys()];
    const ended = await db.run.findMany({
      where: { id: { in: ids }, finishedAt: { not: null } },
      select: { id: true },
    });
    if (ended.length > 0) this.lastEnd = Date.now();
    for (const { id } of ended) {
      this.active.get(id)?.ended();
      this.active.delete(id);
    }
    const open = await db.task.findMany({
      where: { runId: { in: ids }, name: 'human_input', status: 'pending' },
      select: { id: true, runId: true },
    });
    await Promise.all(open.map(({ id, runId }) => this.answer(id, runId, chance)));
  }

  /** Sends different answers at the same time: one must win. */
  private async answer(taskId: string, runId: string, chance: Chance): Promise<void> {
    const driven = this.active.get(runId)?.driven;
    if (!driven) return;
    const texts = Array.from({ length: RACING_ANSWERS }, () => chance.pick(ANSWERS));
    const give = async (text: string) => {
      const result = { ok: true as const, output: { text } };
      if (await completeTask(this.engine, taskId, runId, result, 'person')) driven.accepted.push(text);
    };
    await Promise.allSettled(texts.map(give));
  }
}
