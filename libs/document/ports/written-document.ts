import { OFFLINE_WRITER } from '#contracts/model-facts.js';
import { phrase } from '#contracts/phrases/phrase.js';
import { GraphCheckpointRepository } from '#db/repositories/graph-checkpoints.js';
import { valuesOf } from '#engine/history/saved-state.js';
import { RunFailure, type HeldRun } from '#engine/kind.js';
import type { RunnerDependencies } from '#kit/runner/feature.js';
import type { DocumentState } from '../graph/state.js';
import { findWrittenManuscript } from '../store/written-run.js';

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
  return async ({ tenantId, sessionId }) => {
    const written = await findWrittenManuscript(db, tenantId, sessionId);
    if (typeof written === 'string')
      throw new RunFailure('no_manuscript', phrase(`no_manuscript.${written}`));
    const { pointer, run, checkpointId } = written;
    const saved = await new GraphCheckpointRepository(db).find(tenantId, run.id, checkpointId);
    const state = valuesOf(saved!, [...TAKEN_OVER]);
    const kept = Object.fromEntries(TAKEN_OVER.flatMap((key) => (key in state ? [[key, state[key]]] : [])));
    return { pointer, author: run.model ?? OFFLINE_WRITER, state: kept };
  };
}
