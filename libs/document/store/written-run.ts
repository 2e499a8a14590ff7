import type { Database } from '#db/client.js';
import { GraphCheckpointRepository } from '#db/repositories/graph-checkpoints.js';
import { SessionResultRepository } from '#db/repositories/session-results.js';
import type { Run } from '#db/repositories/runs.js';

/** The current manuscript of a session, and the run that wrote it. */
export interface WrittenManuscript {
  pointer: string;
  run: Pick<Run, 'id' | 'status' | 'inputs' | 'model'>;
  /** Last graph checkpoint of the run. */
  checkpointId: string;
}

/** Number of runs that are looked at. */
const LOOKED_AT = 100;

/**
 * Finds the current manuscript of a session and the run that wrote it. The manuscript belongs to the newest run. Runs
 * that did not begin are passed over, and so are conversions that did not complete, because they write nothing.
 *
 * @returns `unfinished` if the run did not complete: its coverage was neither reached nor accepted (D24)
 */
export async function findWrittenManuscript(
  db: Database,
  tenantId: string,
  sessionId: string,
): Promise<WrittenManuscript | 'not_started' | 'unfinished'> {
  const manuscript = await new SessionResultRepository(db).find(
    tenantId,
    sessionId,
    'manuscript',
    'document',
  );
  const owner = manuscript && (await db.run.findFirst({ where: { id: manuscript.runId, tenantId } }));
  if (!owner) return 'not_started';
  const runs = await db.run.findMany({
    where: {
      ...{ tenantId, sessionId, kind: 'document', rolledBackAt: null },
      createdAt: { lte: owner.createdAt },
    },
    select: { id: true, status: true, inputs: true, model: true },
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
    take: LOOKED_AT,
  });
  const checkpoints = new GraphCheckpointRepository(db);
  for (const run of runs) {
    const isCompleted = run.status === 'completed';
    if (!isCompleted && isConversion(run)) continue;
    const checkpointId = await checkpoints.newest(tenantId, run.id);
    if (checkpointId === null) continue;
    return isCompleted ? { pointer: manuscript.objectKey, run, checkpointId } : 'unfinished';
  }
  return 'not_started';
}

/** Returns whether a run only converts the manuscript. */
export const isConversion = ({ inputs }: Pick<Run, 'inputs'>): boolean =>
  (inputs as { export_only?: unknown }).export_only === true;
