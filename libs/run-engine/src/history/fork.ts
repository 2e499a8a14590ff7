import { newId } from '#contracts/ids.js';
import { RunRepository } from '#db/repositories/runs.js';
import { SessionRepository } from '#db/repositories/sessions.js';
import type { ObjectStore } from '#storage/object-store.js';
import type { Engine } from '../engine.js';
import { copyObjects, renamingOf } from './copy-objects.js';
import { findOrigin } from './resume-point.js';
import { TIMEOUT_MS, dispatchRun } from './place-run.js';
import { bytesOf, contentAt, contentOf } from './session-content.js';
import { beginCopy, endCopy, nameExports, writeContent, type Admit } from './session-copy.js';
import { writeSuccessor } from './resumed-run.js';

export interface ForkRequest {
  /** Of the new session and its run, when the request may have been done before. */
  ids?: { sessionId: string; runId: string };
  tenantId: string;
  sessionId: string;
  runId: string;
  /** Of the run's history, or the id of a named checkpoint that the run made. */
  checkpointId: string;
  /** The original's by default. */
  title?: string;
}

/**
 * Makes a session that has what another one had at a checkpoint, with a run that goes on from there (X5). Objects are copied
 * first, under keys of the new session; one transaction then makes everything visible. Neither session needs the other one.
 *
 * @throws ProblemError `not_found`, `checkpoint_unusable`; what `admit` throws
 */
export async function forkSession(
  engine: Engine,
  store: ObjectStore,
  request: ForkRequest,
  admit: Admit,
): Promise<{ sessionId: string; runId: string }> {
  const { db } = engine;
  const { tenantId, ids } = request;
  if (ids && (await new RunRepository(db).find(tenantId, ids.runId))) return ids;
  const origin = await findOrigin(engine, tenantId, request.sessionId, request.runId, request.checkpointId);
  const original = await new SessionRepository(db).find(tenantId, request.sessionId);
  const content = contentAt(await contentOf(db, tenantId, request.sessionId), origin);
  const { sessionId, runId } = ids ?? { sessionId: newId('ses'), runId: newId('run') };
  const renaming = renamingOf(origin.run, sessionId);
  nameExports(content, renaming);
  await beginCopy(db, { tenantId, sessionId, runId, bytes: bytesOf(content) }, admit);
  await copyObjects(store, origin, content, sessionId, renaming);
  await db.$transaction(
    async (tx) => {
      await endCopy(tx, runId);
      const title = request.title ?? original?.title ?? null;
      await tx.session.create({
        data: { id: sessionId, tenantId, title, forkedFrom: request.sessionId },
      });
      await writeSuccessor(tx, { id: runId, sessionId, origin, renaming });
      await writeContent(tx, content, sessionId, runId, renaming);
    },
    { timeout: TIMEOUT_MS, maxWait: TIMEOUT_MS },
  );
  await dispatchRun(engine, runId);
  return { sessionId, runId };
}
