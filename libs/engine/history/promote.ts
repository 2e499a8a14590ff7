import { withoutEnding } from '#contracts/text.js';
import { ProblemError } from '#contracts/errors.js';
import { phrase } from '#contracts/phrases/phrase.js';
import { derivedId, newId } from '#contracts/ids.js';
import { RunRepository } from '#db/repositories/runs.js';
import { SessionResultRepository } from '#db/repositories/session-results.js';
import { SessionRepository } from '#db/repositories/sessions.js';
import type { ObjectStore } from '#storage/object-store.js';
import type { Engine } from '../engine.js';
import {
  copyObjects,
  createReferenceRewriter,
  bytesOf,
  contentOf,
  type SessionContent,
} from './copy-objects.js';
import { findNewestResumePoint, type ResumePoint } from './resume-point.js';
import { placeRun, dispatchRun, type Placement } from './place-run.js';
import { beginCopy, endCopy, writeContent, type Admit, isCopied } from './session-copy.js';
import { hasEnded, insertResumedRun } from './resumed-run.js';
import type { NamedCheckpoint } from '#db/repositories/named-checkpoints.js';
import type { SessionFile } from '#db/repositories/session-files.js';
import { sessionKey } from '#storage/session-keys.js';
import type { ReferenceRewriter } from './reference-rewriter.js';

interface PromoteRequest {
  tenantId: string;
  sessionId: string;
  forkSessionId: string;
  onConflict: Exclude<Placement, 'enqueue'>;
}

/**
 * Copies the state of a fork back into its original session: manuscript, answers, inputs and their order, assets, named
 * checkpoints and exports, as a new run at the position of the fork's newest run (X5). The fork does not
 * change.
 *
 * @returns the new run's ID; the same ID while the fork has not advanced
 * @throws ProblemError `not_found`, `not_a_fork`, `run_active`, `checkpoint_unusable`; errors of `admit`
 */
export async function promoteFork(
  engine: Engine,
  store: ObjectStore,
  { tenantId, sessionId, forkSessionId, onConflict }: PromoteRequest,
  admit: Admit,
): Promise<string> {
  const { db } = engine;
  await requireFork(engine, tenantId, sessionId, forkSessionId);
  const origin = await findNewestResumePoint(engine, tenantId, forkSessionId);
  const runs = new RunRepository(db);
  const runId = promotedRunId(sessionId, origin);
  if (await runs.find(tenantId, runId)) return runId;
  if (onConflict === 'reject' && (await runs.hasActive(tenantId, sessionId))) {
    // The active run may be this one, which an equal request has created meanwhile.
    if (await runs.find(tenantId, runId)) return runId;
    throw new ProblemError('run_active', phrase('run_active.wait'));
  }

  const rewriter = createReferenceRewriter(origin.run, sessionId);
  const [own, forks] = await Promise.all([sessionId, forkSessionId].map((id) => contentOf(db, tenantId, id)));
  const takeover = planTakeover(own!, forks!, tenantId, sessionId, rewriter);
  const more = bytesOf(takeover.added) - bytesOf({ files: takeover.replaced, named: [], exports: [] });
  const ended = hasEnded(origin.run.status);
  await beginCopy(db, { tenantId, sessionId, runId, bytes: Math.max(0, more) }, admit);
  const results = ended ? await new SessionResultRepository(db).ofRun(tenantId, origin.run.id) : [];
  await copyObjects(store, origin, takeover.added, sessionId, rewriter, results);
  await placeRun(engine, { runId, sessionId, onConflict }, async (tx) => {
    await endCopy(tx, runId);
    await tx.sessionFile.deleteMany({ where: { id: { in: takeover.replaced.map(({ id }) => id) } } });
    await insertResumedRun(tx, { id: runId, sessionId, origin, rewriter, ended });
    await writeContent(tx, takeover.added, sessionId, runId, rewriter);
    await tx.$executeRaw`
      /* order of promoted inputs */ UPDATE session_files own SET position = fork.position FROM session_files fork
      WHERE own.tenant_id = ${tenantId} AND own.session_id = ${sessionId} AND own.folder = 'inputs'
        AND fork.tenant_id = ${tenantId} AND fork.session_id = ${forkSessionId} AND fork.folder = 'inputs'
        AND own.name = fork.name`;
  });
  // If an equal request created the run first, this copy has not ended yet.
  await db.sessionCopy.deleteMany({ where: { id: runId, tenantId } });
  if (!ended) await dispatchRun(engine, runId);
  return runId;
}

async function requireFork(
  { db }: Engine,
  tenantId: string,
  sessionId: string,
  forkSessionId: string,
): Promise<void> {
  const fork = await new SessionRepository(db).find(tenantId, forkSessionId);
  if (!fork) throw new ProblemError('not_found', phrase('not_found.fork'));
  if (fork.forkedFrom !== sessionId) throw new ProblemError('not_a_fork', phrase('not_a_fork.other_session'));
}

/** Derives the run's ID from the promoted state, so that promoting the same state twice creates one run. */
function promotedRunId(sessionId: string, { run, checkpoint }: ResumePoint): string {
  return derivedId('run', ['promote', sessionId, run.id, checkpoint.id, hasEnded(run.status)].join('/'));
}

/** Content that a session takes over from its fork. */
interface Takeover {
  added: SessionContent;
  /** Files of the session that are replaced by a file of the same name. */
  replaced: SessionFile[];
}

/**
 * Compares a session with its fork. Content in both, or in the session alone, stays. A file of the fork
 * replaces a file of the same name; a named checkpoint whose ID is in use gets a new ID.
 *
 * @param rewriter receives the IDs that rows get in the session
 */
function planTakeover(
  own: SessionContent,
  fork: SessionContent,
  tenantId: string,
  sessionId: string,
  rewriter: ReferenceRewriter,
): Takeover {
  const fileAt = new Map(own.files.map((file) => [`${file.folder}/${file.name}`, file]));
  const files = fork.files.filter(
    ({ folder, name, sha256 }) => fileAt.get(`${folder}/${name}`)?.sha256 !== sha256,
  );
  const replaced = files.flatMap(({ folder, name }) => fileAt.get(`${folder}/${name}`) ?? []);
  const exports = fork.exports.filter(({ id, name, sha256 }) => {
    const same = own.exports.find((file) => file.name === name && file.sha256 === sha256);
    rewriter.add(id, same?.id ?? newId('exp'));
    return same === undefined;
  });
  const named = nameCheckpoints(own.named, fork.named, rewriter, (id) =>
    sessionKey(tenantId, sessionId, 'checkpoints', id),
  );
  return { added: { files, named, exports }, replaced };
}

function nameCheckpoints(
  own: NamedCheckpoint[],
  fork: NamedCheckpoint[],
  rewriter: ReferenceRewriter,
  keyOf: (id: string) => string,
): NamedCheckpoint[] {
  const usedIds = new Set(own.map(({ id }) => id));
  const added = fork.filter((named) => !(isCopied(named) && usedIds.has(named.id)));
  for (const { id, objectKey } of added) {
    let free = id;
    for (let attempt = 2; usedIds.has(free); attempt++) free = `${withoutEnding(id, '.md')}_${attempt}.md`;
    usedIds.add(free);
    if (free === id) continue;
    rewriter.add(id, free);
    rewriter.add(objectKey, keyOf(free));
  }
  return added;
}
