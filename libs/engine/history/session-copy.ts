import { ProblemError } from '#contracts/errors.js';
import { phrase } from '#contracts/phrases/phrase.js';
import { newId } from '#contracts/ids.js';
import type { Database } from '#db/client.js';
import { lockTenant } from '#db/lock-tenant.js';
import { sessionPrefix } from '#storage/session-keys.js';
import type { ReferenceRewriter } from './reference-rewriter.js';
import type { SessionContent } from './copy-objects.js';
import { TIMEOUT_MS } from './place-run.js';
import type { Transaction } from './resumed-run.js';

/** Throws if the tenant may not store that many more bytes. The transaction locks the tenant's storage. */
export type Admit = (bytes: number, tx: Transaction) => Promise<void>;

/** Copy of objects: the target session and run, and the bytes added to the tenant's storage. */
interface Copy {
  tenantId: string;
  sessionId: string;
  runId: string;
  bytes: number;
}

/** Minutes after which an unfinished copy counts as dead. */
const COPY_TIMEOUT_MINUTES = 60;

/**
 * Records that objects are about to be copied into a session's folder. Until `endCopy` nothing refers to
 * them, but their bytes count.
 *
 * @throws ProblemError `unavailable` while the folder of an earlier, abandoned attempt is purged; errors of
 *   `admit`
 */
export async function beginCopy(
  db: Database,
  { tenantId, sessionId, runId: id, bytes }: Copy,
  admit: Admit,
): Promise<void> {
  const prefix = sessionPrefix(tenantId, sessionId);
  await db.$transaction(
    async (tx) => {
      await lockTenant(tx, tenantId);
      // Waits for a running `sweepObjects` of the session.
      await tx.$queryRaw`SELECT id FROM sessions WHERE id = ${sessionId} FOR SHARE`;
      // A repeated attempt replaces the record of an earlier one, so its bytes count once.
      await tx.sessionCopy.deleteMany({ where: { id, tenantId } });
      await admit(bytes, tx);
      await tx.sessionCopy.create({ data: { id, tenantId, prefix, bytes } });
      if ((await tx.purge.count({ where: { prefix } })) > 0)
        throw new ProblemError('unavailable', phrase('unavailable.deleting'));
    },
    { timeout: TIMEOUT_MS, maxWait: TIMEOUT_MS },
  );
}

/**
 * Ends a copy in the transaction that makes it visible. @throws ProblemError if the copy was given up before
 */
export async function endCopy(tx: Transaction, id: string): Promise<void> {
  const { count } = await tx.sessionCopy.deleteMany({ where: { id } });
  if (count === 0) throw new ProblemError('unavailable', phrase('unavailable.copy_slow'));
}

/**
 * Gives up copies whose process died: purges the folder if its session was never created, otherwise schedules
 * a search for unused objects.
 */
export async function sweepCopies(db: Database): Promise<void> {
  await db.$executeRaw`
    /* sweep copies */ WITH dead AS (
      DELETE FROM session_copies WHERE created_at < now() - make_interval(mins => ${COPY_TIMEOUT_MINUTES})
      RETURNING prefix, split_part(prefix, '/', 4) AS session_id
    ),
    searched AS (
      UPDATE sessions SET objects_swept_at = NULL FROM dead WHERE sessions.id = dead.session_id
    )
    INSERT INTO purges (prefix)
    SELECT DISTINCT prefix FROM dead WHERE NOT EXISTS (SELECT 1 FROM sessions WHERE sessions.id = dead.session_id)
    ON CONFLICT (prefix) DO NOTHING`;
}

/** Gives every copied export a new ID, which the copied state then refers to. */
export function nameExports({ exports }: SessionContent, rewriter: ReferenceRewriter): void {
  for (const { id } of exports) rewriter.add(id, newId('exp'));
}

/**
 * Writes the rows of a session's content into another session, for the run that continues there. The run must
 * exist.
 */
export async function writeContent(
  tx: Transaction,
  content: SessionContent,
  sessionId: string,
  runId: string,
  rewriter: ReferenceRewriter,
): Promise<void> {
  const copied = <T extends { objectKey: string }>(row: T) => ({
    ...row,
    sessionId,
    objectKey: rewriter.text(row.objectKey),
  });
  await tx.sessionFile.createMany({
    data: content.files.map(({ inventory, ...file }) => ({
      ...copied(file),
      id: newId('fil'),
      ...(inventory === null ? {} : { inventory }),
    })),
  });
  await tx.namedCheckpoint.createMany({
    data: content.named.map((named) => ({
      ...copied(named),
      id: rewriter.text(named.id),
      runId,
      manuscriptKey: rewriter.text(named.manuscriptKey),
      effectKey: copiedEffect(runId, named.id),
      afterCheckpointId: null,
    })),
  });
  await tx.export.createMany({
    data: content.exports.map((file) => ({
      ...copied(file),
      id: rewriter.text(file.id),
      runId,
      textKey: file.textKey === null ? null : rewriter.text(file.textKey),
      effectKey: copiedEffect(runId, file.id),
    })),
  });
}

const copiedEffect = (runId: string, id: string) => `${runId}/copy/${id}`;

/** Returns whether a row was copied from another session. */
export const isCopied = ({ effectKey }: { effectKey: string }): boolean => /^[^/]+\/copy\//.test(effectKey);
