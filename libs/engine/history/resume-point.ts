import { ProblemError } from '#contracts/errors.js';
import { phrase } from '#contracts/phrases/phrase.js';
import type { Database } from '#db/client.js';
import { GraphCheckpointRepository, type SavedCheckpoint } from '#db/repositories/graph-checkpoints.js';
import { NamedCheckpointRepository } from '#db/repositories/named-checkpoints.js';
import { RunRepository, type Run } from '#db/repositories/runs.js';
import type { Engine } from '../engine.js';
import type { GraphState, KindFacts } from '../kind.js';
import { savedStateOf } from './saved-state.js';

/** Checkpoint of a run from which another run can continue. */
export interface ResumePoint {
  run: Run;
  checkpoint: SavedCheckpoint;
  /** The state keys that the kind's `continuation` parses. */
  state: GraphState;
  kind: KindFacts;
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/**
 * Finds a checkpoint of a session's run.
 *
 * @param checkpointId from the run's history, or the ID of a named checkpoint that the run made
 * @throws ProblemError `not_found`, also for another tenant's run; `checkpoint_unusable`
 */
export async function findResumePoint(
  { db, kinds }: Engine,
  tenantId: string,
  sessionId: string,
  runId: string,
  checkpointId: string,
): Promise<ResumePoint> {
  const run = await new RunRepository(db).find(tenantId, runId);
  if (!run || run.sessionId !== sessionId)
    throw new ProblemError('not_found', phrase('not_found.run_of_session'));
  if (run.rolledBackAt !== null)
    throw new ProblemError('checkpoint_unusable', phrase('checkpoint_unusable.rolled_back'));
  const graph = new GraphCheckpointRepository(db);
  const id = UUID.test(checkpointId) ? checkpointId : await graphIdOf(db, run, checkpointId);
  const checkpoint = await graph.find(tenantId, runId, id);
  if (!checkpoint) throw new ProblemError('not_found', phrase('not_found.checkpoint_of_run'));
  const kind = kinds.get(run.kind);
  if (!kind)
    throw new ProblemError('checkpoint_unusable', phrase('checkpoint_unusable.kind', { kind: run.kind }));
  return { run, checkpoint, kind, state: savedStateOf(checkpoint, kind) };
}

/** Returns the newest checkpoint of the newest run that has the state of a session. @throws ProblemError `checkpoint_unusable` */
export async function findNewestResumePoint(
  engine: Engine,
  tenantId: string,
  sessionId: string,
): Promise<ResumePoint> {
  const { db, kinds } = engine;
  const aside = [...kinds.values()].flatMap(({ kind, continuation }) => (continuation.isAside ? [kind] : []));
  const run = await new RunRepository(db).latest(tenantId, sessionId, aside);
  const id = run && (await new GraphCheckpointRepository(db).newest(tenantId, run.id));
  if (!run || !id) throw new ProblemError('checkpoint_unusable', phrase('checkpoint_unusable.fork_too_new'));
  return findResumePoint(engine, tenantId, sessionId, run.id, id);
}

/** Returns the ID of the graph checkpoint written by the step that made a named checkpoint. */
async function graphIdOf(
  db: Database,
  { id: runId, tenantId, sessionId }: Run,
  name: string,
): Promise<string> {
  const named = await new NamedCheckpointRepository(db).find(tenantId, sessionId, name);
  if (!named || named.runId !== runId)
    throw new ProblemError('not_found', phrase('not_found.named_checkpoint_of_run'));
  const after = named.afterCheckpointId;
  const id = after && (await new GraphCheckpointRepository(db).childOf(tenantId, runId, after));
  if (!id) throw new ProblemError('checkpoint_unusable', phrase('checkpoint_unusable.text_only'));
  return id;
}
