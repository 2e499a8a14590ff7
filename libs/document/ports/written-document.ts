import { OFFLINE_WRITER } from '#contracts/model-facts.js';
import { phrase } from '#contracts/phrases/phrase.js';
import { GraphCheckpointRepository } from '#db/repositories/graph-checkpoints.js';
import { SessionResultRepository } from '#db/repositories/session-results.js';
import { valuesOf } from '#engine/history/saved-state.js';
import { RunFailure, type HeldRun } from '#engine/kind.js';
import type { RunnerDependencies } from '#kit/runner/feature.js';
import type { DocumentState } from '../graph/state.js';

/** Values of the state that a conversion takes over from the run that wrote the manuscript. */
const TAKEN_OVER = [
  'text_files',
  'file_sizes',
  'missing_references',
  'user_decisions',
  'left_out',
  'encodings',
  'accepted_issues',
  'acceptances',
  'last_checkpoint_id',
  'document_outline',
  'model_recovery',
] as const satisfies (keyof DocumentState)[];

/** The current manuscript of a session, and what its last run knew about it. */
export interface WrittenDocument {
  pointer: string;
  /** Model that wrote it. */
  author: string;
  state: Partial<DocumentState>;
}
export type ReadWritten = (run: HeldRun) => Promise<WrittenDocument>;

/** Creates the port that reads what a run that only converts begins with. It throws a RunFailure `no_manuscript`. */
export function writtenDocument({ db }: RunnerDependencies): ReadWritten {
  const states = new GraphCheckpointRepository(db);
  return async ({ tenantId, sessionId }) => {
    const result = await new SessionResultRepository(db).find(tenantId, sessionId, 'manuscript', 'document');
    const newest = result && (await states.newest(tenantId, result.runId));
    const saved = newest && (await states.find(tenantId, result.runId, newest));
    if (!saved) throw new RunFailure('no_manuscript', phrase('no_manuscript.not_started'));
    const writer = await db.run.findFirst({
      where: { tenantId, sessionId, kind: 'document', rolledBackAt: null, NOT: CONVERTS },
      orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
      select: { model: true },
    });
    const state = valuesOf(saved, [...TAKEN_OVER]);
    const kept = Object.fromEntries(TAKEN_OVER.flatMap((key) => (key in state ? [[key, state[key]]] : [])));
    return { pointer: result.objectKey, author: writer?.model ?? OFFLINE_WRITER, state: kept };
  };
}

const CONVERTS = { inputs: { path: ['export_only'], equals: true } };
