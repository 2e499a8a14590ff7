import { isActive } from '#contracts/runs.js';
import { storedActiveStatuses } from '#db/shown-status.js';
import { ProblemError } from '#contracts/errors.js';
import { phrase } from '#contracts/phrases/phrase.js';
import type { Database } from '#db/client.js';
import { collectionPrefix, sessionPrefix, tenantPrefix } from '#storage/session-keys.js';
import type { ObjectStore } from '#storage/object-store.js';
import { despiteDeadlocks } from '../recovery/outage.js';
import { cancelRun } from './cancel.js';
import type { Engine } from '../engine.js';

/** Timeout of a deletion's transaction in ms. */
const TIMEOUT_MS = 120_000;
/** Seconds for which a deleted folder is emptied repeatedly: a late worker may still write to it. */
const PURGE_SECONDS = 900;
/** Maximum jobs per queue that are searched for jobs of deleted runs. */
const MAX_JOBS = 20_000;

type Transaction = Parameters<Parameters<Database['$transaction']>[0]>[0];

/**
 * Deletes a session with everything in it: rows, graph checkpoints, answers remembered only for its sources,
 * jobs and objects. First copies objects that the tenant's other sessions refer to.
 *
 * @throws ProblemError `not_found`; `run_active` if a run of the session has not ended
 */
export async function deleteSession(
  engine: Engine,
  store: ObjectStore,
  tenantId: string,
  sessionId: string,
): Promise<void> {
  const prefix = sessionPrefix(tenantId, sessionId);
  const { runIds, prefixes } = await inTransaction(engine, async (tx) => {
    // The lock prevents new runs: their rows would refer to the session's row.
    const found = await tx.$queryRaw<object[]>`
        SELECT id FROM sessions WHERE id = ${sessionId} AND tenant_id = ${tenantId} FOR UPDATE`;
    if (found.length === 0) throw new ProblemError('not_found', phrase('not_found.session_gone'));
    const runs = await tx.run.findMany({ where: { sessionId }, select: { id: true, status: true } });
    if (runs.some(({ status }) => isActive(status)))
      throw new ProblemError('run_active', phrase('run_active.cancel_first'));
    // From here on, no session can copy a remembered answer; earlier copies are committed.
    await forgetAnswers(tx, tenantId, sessionId, prefix);
    await handOver(tx, store, tenantId, sessionId, prefix);
    const ids = runs.map(({ id }) => id);
    await deleteGraphs(tx, ids);
    const copies = await tx.knowledgeCollection.findMany({ where: { tenantId, sessionId } });
    const prefixes = [prefix, ...copies.map(({ id }) => collectionPrefix(tenantId, id))];
    await tx.purge.createMany({ data: prefixes.map((one) => ({ prefix: one })), skipDuplicates: true });
    await tx.session.delete({ where: { id: sessionId } });
    return { runIds: ids, prefixes };
  });
  await dropJobs(engine, runIds);
  for (const each of prefixes) await store.deletePrefix(each);
}

/**
 * Deletes a tenant with all its data, and cancels its active runs. Only one entry of the audit log remains,
 * which contains only the tenant's ID.
 *
 * @returns false if the tenant does not exist
 */
export async function deleteTenant(engine: Engine, store: ObjectStore, tenantId: string): Promise<boolean> {
  // A suspended tenant cannot start runs.
  const { count } = await engine.db.tenant.updateMany({
    where: { id: tenantId },
    data: { suspendedAt: new Date() },
  });
  if (count === 0) return false;
  const active = { tenantId, status: { in: storedActiveStatuses } };
  for (const { id } of await engine.db.run.findMany({ where: active })) await cancelRun(engine, id);
  const prefix = tenantPrefix(tenantId);
  const runIds = await inTransaction(engine, async (tx) => {
    await tx.$queryRaw`SELECT id FROM tenants WHERE id = ${tenantId} FOR UPDATE`;
    const ids = (await tx.run.findMany({ where: { tenantId }, select: { id: true } })).map(({ id }) => id);
    await deleteGraphs(tx, ids);
    await tx.rememberedDecision.deleteMany({ where: { tenantId } });
    await tx.purge.deleteMany({ where: { prefix: { startsWith: prefix } } });
    await tx.purge.createMany({ data: [{ prefix }], skipDuplicates: true });
    await tx.$executeRaw`
        /* forget counts */ DELETE FROM rate_counts
        WHERE key = ${tenantId} OR key IN (SELECT id FROM api_keys WHERE tenant_id = ${tenantId})`;
    await tx.tenant.delete({ where: { id: tenantId } });
    const entry = { actor: 'operator', action: 'deleteTenant', resource: tenantId, outcome: 'done' };
    await tx.auditEntry.create({ data: { tenantId: null, ...entry } });
    return ids;
  });
  await dropJobs(engine, runIds);
  await store.deletePrefix(prefix);
  return true;
}

/**
 * Empties the folders of deleted sessions and tenants again, and forgets folders that no worker can write to
 * any longer.
 */
export async function purgeDeleted(db: Database, store: ObjectStore): Promise<void> {
  for (const { prefix, createdAt } of await db.purge.findMany()) {
    await store.deletePrefix(prefix);
    if (Date.now() - createdAt.getTime() > PURGE_SECONDS * 1_000)
      await db.purge.deleteMany({ where: { prefix } });
  }
}

/** Runs the transaction of a deletion. */
const inTransaction = <T>({ db }: Engine, remove: (tx: Transaction) => Promise<T>): Promise<T> =>
  despiteDeadlocks(() => db.$transaction(remove, { timeout: TIMEOUT_MS, maxWait: TIMEOUT_MS }));

/** Copies objects of remembered answers (X2) into the other sessions that use them. */
async function handOver(
  tx: Transaction,
  store: ObjectStore,
  tenantId: string,
  sessionId: string,
  prefix: string,
): Promise<void> {
  const copiedFiles = await tx.sessionFile.findMany({
    where: { tenantId, sessionId: { not: sessionId }, objectKey: { startsWith: prefix } },
  });
  for (const { id, objectKey, sessionId: heir } of copiedFiles) {
    const copy = sessionPrefix(tenantId, heir) + objectKey.slice(prefix.length);
    await store.copy(objectKey, copy);
    await tx.sessionFile.update({ where: { id }, data: { objectKey: copy } });
  }
}

async function forgetAnswers(
  tx: Transaction,
  tenantId: string,
  sessionId: string,
  prefix: string,
): Promise<void> {
  await tx.$executeRaw`
    /* forget answers */ DELETE FROM remembered_decisions r
    WHERE r.tenant_id = ${tenantId}
      AND (starts_with(r.file->>'objectKey', ${prefix})
        OR r.source_hash IN (SELECT sha256 FROM session_files WHERE session_id = ${sessionId})
           AND NOT EXISTS (SELECT 1 FROM session_files f
                           WHERE f.tenant_id = ${tenantId} AND f.session_id <> ${sessionId} AND f.sha256 = r.source_hash))`;
}

async function deleteGraphs(tx: Transaction, threadIds: string[]): Promise<void> {
  const where = { threadId: { in: threadIds } };
  await tx.graphWrite.deleteMany({ where });
  await tx.graphBlob.deleteMany({ where });
  await tx.graphCheckpoint.deleteMany({ where });
}

/** Removes the jobs of deleted runs. A worker that gets such a job first finds no row and does nothing. */
async function dropJobs({ queues, log }: Engine, runIds: string[]): Promise<void> {
  const deletedRuns = new Set(runIds);
  for (const queue of queues.all()) {
    const states = ['failed', 'waiting', 'delayed', 'prioritized', 'waiting-children'] as const;
    try {
      const jobs = await queue.getJobs([...states], 0, MAX_JOBS);
      for (const job of jobs)
        if (job && deletedRuns.has((job.data as { run_id?: string }).run_id ?? ''))
          // A job that is being processed is locked; it ends when its run is not found.
          await job.remove().catch(() => undefined);
    } catch (error) {
      log.warn({ err: error, queue: queue.name }, 'failed to remove jobs of deleted runs');
    }
  }
}
