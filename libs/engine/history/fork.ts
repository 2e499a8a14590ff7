import { newId } from '#contracts/ids.js';
import { RunRepository } from '#db/repositories/runs.js';
import { SessionRepository } from '#db/repositories/sessions.js';
import type { ObjectStore } from '#storage/object-store.js';
import type { Engine } from '../engine.js';
import { copyObjects, createReferenceRewriter, bytesOf, contentAt, contentOf } from './copy-objects.js';
import { findResumePoint } from './resume-point.js';
import { TIMEOUT_MS, dispatchRun, placeRun, type Placement } from './place-run.js';
import { beginCopy, endCopy, nameExports, writeContent, type Admit } from './session-copy.js';
import { insertResumedRun } from './resumed-run.js';

interface RestoreRequest {
  /** ID of the new run, if the request may be a repetition. */
  id?: string;
  tenantId: string;
  sessionId: string;
  runId: string;
  /** ID from the run's history, or of a named checkpoint that the run made. */
  checkpointId: string;
  onConflict: Placement;
}

/**
 * Starts a run in the same session that continues from a checkpoint of an earlier run (X5). Copies only rows,
 * because manuscript versions are immutable.
 *
 * @returns the new run's ID
 * @throws ProblemError `not_found`, `checkpoint_unusable`, `run_active`
 */
export async function restoreSession(engine: Engine, request: RestoreRequest): Promise<string> {
  const { tenantId, sessionId, onConflict } = request;
  const origin = await findResumePoint(engine, tenantId, sessionId, request.runId, request.checkpointId);
  const id = request.id ?? newId('run');
  await placeRun(engine, { runId: id, sessionId, onConflict }, (tx) =>
    insertResumedRun(tx, { id, sessionId, origin, enqueued: onConflict === 'enqueue' }),
  );
  await dispatchRun(engine, id);
  return id;
}

interface ForkRequest {
  /** IDs of the new session and its run, if the request may be a repetition. */
  ids?: { sessionId: string; runId: string };
  tenantId: string;
  sessionId: string;
  runId: string;
  /** ID from the run's history, or of a named checkpoint that the run made. */
  checkpointId: string;
  /** Default: the original's title. */
  title?: string;
}

/**
 * Creates a session with what another one had at a checkpoint, and a run that continues from there (X5).
 * First copies the objects, under keys of the new session; then one transaction makes everything visible. The
 * sessions are independent of each other.
 *
 * @throws ProblemError `not_found`, `checkpoint_unusable`; errors of `admit`
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
  const origin = await findResumePoint(
    engine,
    tenantId,
    request.sessionId,
    request.runId,
    request.checkpointId,
  );
  const original = await new SessionRepository(db).find(tenantId, request.sessionId);
  const content = contentAt(await contentOf(db, tenantId, request.sessionId), origin);
  const { sessionId, runId } = ids ?? { sessionId: newId('ses'), runId: newId('run') };
  const rewriter = createReferenceRewriter(origin.run, sessionId);
  nameExports(content, rewriter);
  await beginCopy(db, { tenantId, sessionId, runId, bytes: bytesOf(content) }, admit);
  await copyObjects(store, origin, content, sessionId, rewriter);
  await db.$transaction(
    async (tx) => {
      await endCopy(tx, runId);
      const title = request.title ?? original?.title ?? null;
      await tx.session.create({
        data: { id: sessionId, tenantId, title, forkedFrom: request.sessionId },
      });
      await insertResumedRun(tx, { id: runId, sessionId, origin, rewriter });
      await writeContent(tx, content, sessionId, runId, rewriter);
    },
    { timeout: TIMEOUT_MS, maxWait: TIMEOUT_MS },
  );
  await dispatchRun(engine, runId);
  return { sessionId, runId };
}
