import { sha256 } from '#contracts/sha256.js';
import { derivedId } from '#contracts/ids.js';
import type { Database } from '#db/client.js';
import { storeResponse } from '#engine/runs/idempotency.js';
import { DATABASE } from '#kit/runtime/infrastructure.module.js';
import { timeLimit } from '#contracts/wait.js';
import type { RunEvent } from '#catalogue/events.js';
import { Inject, Injectable } from '@nestjs/common';
import { z } from 'zod';
import { runIdempotent } from '../http/run-idempotent.js';
import { RunsService } from '../runs/runs.service.js';
import type { McpCall } from './mcp-tool.js';

/** Idempotency key as an argument of tools that start something, because MCP lacks a header for it. */
export const idempotencyKey = z
  .string()
  .regex(/^[\x21-\x7e]{1,200}$/)
  .optional()
  .describe('such as a UUID; repeating a call with the same key starts nothing and returns the first result');

/** Returns the ID of the run that a call starts; every repeat with the same seed gets the same ID. */
export const runIdOf = (seed: string | undefined) =>
  seed === undefined ? undefined : derivedId('run', seed);

const startedSchema = z.object({ run_id: z.string() });

/** Starts a run once for calls with the same key (P4, P12). Keys are kept for a day, like keys of the REST API. */
@Injectable()
export class CallOnce {
  constructor(@Inject(DATABASE) private readonly db: Database) {}

  /**
   * @param key the caller's idempotency key; without it, every call starts a run
   * @param asked content of the call; a repeat with the same key must have the same
   * @param start starts the run; derives the IDs of everything it creates from the seed, so that a retry after a crash creates nothing twice
   * @returns the run's ID
   * @throws ProblemError `idempotency_key_reused`, `idempotency_under_way`; errors of `start`
   */
  async run(
    tenantId: string,
    key: string | undefined,
    asked: unknown,
    start: (seed?: string) => Promise<string>,
  ): Promise<string> {
    if (key === undefined) return start();
    const hash = sha256(JSON.stringify(asked), 'base64url');
    const request = { tenantId, key: `mcp/${key}`, hash };
    return runIdempotent(this.db, request, {
      repeat: ({ body }) => startedSchema.parse(body).run_id,
      isRepeatable: true,
      work: ({ seed }) => start(seed),
      keep: ({ attempt }, id) => storeResponse(this.db, request, attempt, 202, { run_id: id }),
    });
  }
}

/** Longest time in seconds that a call waits for a run. */
const MAX_WAIT_SECONDS = 300;

/** Argument of tools that wait for a run. */
export const waitSeconds = z
  .number()
  .int()
  .min(0)
  .max(MAX_WAIT_SECONDS)
  .default(20)
  .describe(
    'seconds to wait for the end of the run or a decision; after that the run continues, see get_run',
  );

/** Waits for runs on behalf of clients that cannot follow events (P12). */
@Injectable()
export class RunWait {
  constructor(private readonly runs: RunsService) {}

  /**
   * Waits until the run ends or, unless it is `end` that matters, needs a person, or the time is over; reports the
   * run's events to the client.
   */
  async settle(
    { caller: { tenantId }, signal, report }: McpCall,
    runId: string,
    seconds: number,
    until: 'end' | 'question' = 'question',
  ) {
    // Read the event number before the state, so that no event between the two is missed.
    const { eventSeq } = await this.runs.require(tenantId, runId);
    const isParked = async () => until === 'question' && (await this.waitsForSomebody(tenantId, runId));
    if (seconds === 0 || (await isParked())) return;
    const ending = timeLimit(seconds * 1_000, signal);
    for await (const event of this.runs.follow(runId, eventSeq, ending)) {
      if (event.type !== 'token') await report(event.seq, describeEvent(event));
      if (event.type === 'decision_required' && (await isParked())) return;
    }
  }

  private async waitsForSomebody(tenantId: string, runId: string): Promise<boolean> {
    return (await this.runs.read(tenantId, runId)).open_decisions.length > 0;
  }
}

/** Describes an event briefly: type and subject. */
function describeEvent({ type, data }: RunEvent): string {
  const subject = data['task_id'] ?? data['node'] ?? data['status'];
  const what = type.replaceAll('_', ' ');
  const progress =
    type === 'task_progress' ? ` (${String(data['progress'])} of ${String(data['total'] ?? '?')})` : '';
  return typeof subject === 'string' ? `${what}: ${subject}${progress}` : what;
}
