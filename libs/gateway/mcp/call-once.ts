import { derivedId } from '#contracts/ids.js';
import type { Database } from '#db/client.js';
import { storeResponse } from '#engine/runs/idempotency.js';
import { DATABASE } from '#kit/runtime/infrastructure.module.js';
import { Inject, Injectable } from '@nestjs/common';
import { createHash } from 'node:crypto';
import { z } from 'zod';
import { runIdempotent } from '../http/run-idempotent.js';

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
    const hash = createHash('sha256').update(JSON.stringify(asked)).digest('base64url');
    const request = { tenantId, key: `mcp/${key}`, hash };
    return runIdempotent(this.db, request, {
      repeat: ({ body }) => startedSchema.parse(body).run_id,
      isRepeatable: true,
      work: ({ seed }) => start(seed),
      keep: ({ attempt }, id) => storeResponse(this.db, request, attempt, 202, { run_id: id }),
    });
  }
}
