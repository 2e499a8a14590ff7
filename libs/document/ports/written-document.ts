import { OFFLINE_WRITER } from '#contracts/model-facts.js';
import { phrase } from '#contracts/phrases/phrase.js';
import { GraphCheckpointRepository } from '#db/repositories/graph-checkpoints.js';
import { valuesOf } from '#engine/history/saved-state.js';
import { RunFailure, type HeldRun } from '#engine/kind.js';
import type { RunnerDependencies } from '#kit/runner/feature.js';
import type { DocumentState } from '../graph/state.js';
import { findLeftDocument, findWrittenManuscript, type WrittenManuscript } from '../store/written-run.js';
import { SessionFileRepository } from '#db/repositories/session-files.js';

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
  'input_hashes',
  'temp_md_path',
  'ledger_path',
  'taken_over',
] as const satisfies (keyof DocumentState)[];

/** The current manuscript of a session, and what its last run knew about it. */
export interface WrittenDocument {
  pointer: string;
  /** Model that wrote it. */
  author: string;
  /** Inputs of the run. */
  inputs: WrittenManuscript['run']['inputs'];
  state: Partial<DocumentState>;
}

/** What a run begins with, in addition to the names of its inputs. */
export interface BeforeRun {
  /** Returns the current manuscript. @throws RunFailure `no_manuscript` */
  written(run: HeldRun): Promise<WrittenDocument>;
  /** Returns the session's last completed document as people have left it. */
  left(run: HeldRun): Promise<(WrittenDocument & { isChanged: boolean }) | null>;
  /** Returns the SHA-256 of each input, by name. */
  hashes(run: HeldRun): Promise<Record<string, string>>;
  /** Returns the text of a stored ledger. */
  ledger(key: string): Promise<string>;
}

/** Creates the port that reads what a run begins with. */
export function beforeRun({ db, store }: RunnerDependencies): BeforeRun {
  const describe = async (tenantId: string, { pointer, run, checkpointId }: WrittenManuscript) => {
    const saved = await new GraphCheckpointRepository(db).find(tenantId, run.id, checkpointId);
    const state = valuesOf(saved!, [...TAKEN_OVER]);
    const kept = Object.fromEntries(TAKEN_OVER.flatMap((key) => (key in state ? [[key, state[key]]] : [])));
    return { pointer, author: run.model ?? OFFLINE_WRITER, inputs: run.inputs, state: kept };
  };
  return {
    async written({ tenantId, sessionId }) {
      const written = await findWrittenManuscript(db, tenantId, sessionId);
      if (typeof written === 'string')
        throw new RunFailure('no_manuscript', phrase(`no_manuscript.${written}`));
      return describe(tenantId, written);
    },
    async left({ tenantId, sessionId }) {
      const left = await findLeftDocument(db, tenantId, sessionId);
      return left && { ...(await describe(tenantId, left.written)), isChanged: left.isChanged };
    },
    async hashes({ tenantId, sessionId }) {
      const inputs = await new SessionFileRepository(db).list(tenantId, sessionId, 'inputs');
      return Object.fromEntries(inputs.map(({ name, sha256 }) => [name, sha256]));
    },
    ledger: async (key) => Buffer.from(await store.getBytes(key)).toString('utf8'),
  };
}
