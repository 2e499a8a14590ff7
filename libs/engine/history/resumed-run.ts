import { finalRunStatuses, type RunStatus } from '#contracts/runs.js';
import { derivedId } from '#contracts/ids.js';
import { Prisma, type Database } from '#db/client.js';
import type { ChannelBlob } from '#db/repositories/graph-checkpoints.js';
import { currentKey } from '#db/tenant-scope.js';
import { currentTraceparent } from '#telemetry/tracing.js';
import type { ResumePoint } from './resume-point.js';
import type { ReferenceRewriter } from './reference-rewriter.js';
import { jsonOf } from './saved-state.js';

export type Transaction = Parameters<Parameters<Database['$transaction']>[0]>[0];

/** A run that continues from a checkpoint of another run. */
interface ResumedRun {
  id: string;
  sessionId: string;
  origin: ResumePoint;
  /** Rewrites references in the copied state; omitted within the same session. */
  rewriter?: ReferenceRewriter;
  /** True if the run waits for the session's active run. */
  enqueued?: boolean;
  /** True if the run ends with the status of the other run; otherwise it continues. */
  ended?: boolean;
}

/** Writes a run with its first events, the checkpoint that it continues from, and the earlier answers. */
export async function insertResumedRun(tx: Transaction, successor: ResumedRun): Promise<void> {
  const { id, sessionId, origin } = successor;
  const { run } = origin;
  const ended = successor.ended ? { status: run.status, finishedAt: new Date() } : null;
  const events = eventsOf(ended ? run.status : null, run.error);
  await tx.run.create({
    data: {
      id,
      tenantId: run.tenantId,
      sessionId,
      kind: run.kind,
      mode: run.mode,
      status: 'queued',
      inputs: run.inputs as Prisma.InputJsonValue,
      graphVersion: origin.kind.version,
      priority: run.priority,
      traceparent: currentTraceparent(),
      // The new run gets the full budget; the other run's spending does not count.
      maxTokens: run.maxTokens,
      maxCost: run.maxCost,
      defaultMaxTokens: run.defaultMaxTokens,
      apiKeyId: currentKey() ?? run.apiKeyId,
      summary: summaryOf(successor) as Prisma.InputJsonValue,
      enqueued: successor.enqueued ?? false,
      eventSeq: events.length,
      originRunId: run.id,
      originCheckpointId: origin.checkpoint.id,
      ...(ended && run.error !== null ? { error: run.error as Prisma.InputJsonValue } : {}),
      ...(ended ? { ...ended, model: run.model, promptVersion: run.promptVersion } : {}),
    },
  });
  await tx.runEvent.createMany({
    data: events.map((event, index) => ({ runId: id, seq: index + 1, ...event })),
  });
  await copyTasks(tx, successor);
  await writeResults(tx, successor);
  await copyCheckpoint(tx, successor);
}

function eventsOf(ended: string | null, error: unknown) {
  const queued = { type: 'run_status', data: { status: 'queued' }, effectKey: 'queued' };
  if (ended === null) return [queued];
  const data = { status: ended, ...(error === null ? {} : { error }) } as Prisma.InputJsonObject;
  return [
    queued,
    { type: 'run_status', data, effectKey: 'ended' },
    { type: 'done', data, effectKey: 'done' },
  ];
}

/** Returns the run details that clients see before its first step. */
function summaryOf({ origin: { run, state, kind }, rewriter, ended }: ResumedRun): unknown {
  const summary = ended ? run.summary : kind.describe(state);
  return rewriter ? rewriter.json(summary) : summary;
}

/** Writes the session's results: copies the ended run's, or derives them from the state. */
async function writeResults(tx: Transaction, successor: ResumedRun): Promise<void> {
  const { id: runId, sessionId, origin, rewriter, ended } = successor;
  const { run, state, kind } = origin;
  const made = ended
    ? await tx.sessionResult.findMany({ where: { runId: run.id } })
    : Object.entries(kind.results(state)).map(([name, objectKey]) => ({ name, objectKey }));
  await tx.sessionResult.createMany({
    data: made.map(({ name, objectKey }) => ({
      sessionId,
      tenantId: run.tenantId,
      kind: run.kind,
      name,
      runId,
      objectKey: objectKey === null || !rewriter ? objectKey : rewriter.text(objectKey),
    })),
  });
}

async function copyTasks(tx: Transaction, { id, origin, rewriter }: ResumedRun): Promise<void> {
  const { run, checkpoint } = origin;
  const done = await tx.task.findMany({
    where: {
      runId: run.id,
      name: { in: ['human_input', ...origin.kind.continuation.carriedTasks] },
      status: { in: ['completed', 'failed'] },
    },
  });
  const renamed = (value: unknown) =>
    value === null ? Prisma.DbNull : ((rewriter ? rewriter.json(value) : value) as Prisma.InputJsonValue);
  await tx.task.createMany({
    data: done
      // Checkpoint IDs sort by time.
      .filter(({ checkpointId }) => checkpointId < checkpoint.id)
      .map((task) => ({
        ...task,
        id: derivedId('tsk', `${id}/${task.id}`),
        runId: id,
        input: renamed(task.input) as Prisma.InputJsonValue,
        output: renamed(task.output),
        error: renamed(task.error),
      })),
  });
}

/**
 * Copies the checkpoint as the first of the new thread, without pending writes, so that its nodes run again.
 */
async function copyCheckpoint(tx: Transaction, { id, origin, rewriter }: ResumedRun): Promise<void> {
  const { checkpoint } = origin;
  const { step } = checkpoint.metadata as { step: number };
  await tx.graphBlob.createMany({
    data: checkpoint.blobs.map((blob) => ({
      threadId: id,
      ns: '',
      channel: blob.channel,
      version: blob.version,
      type: blob.type,
      value: rewriter ? renamedValue(blob, rewriter) : bytesOf(blob.value),
    })),
  });
  await tx.graphCheckpoint.create({
    data: {
      threadId: id,
      ns: '',
      id: checkpoint.id,
      parentId: null,
      head: checkpoint.head as Prisma.InputJsonValue,
      metadata: { source: 'fork', step, parents: {} },
    },
  });
}

function renamedValue(blob: ChannelBlob, rewriter: ReferenceRewriter): Uint8Array<ArrayBuffer> | null {
  const value = jsonOf(blob);
  return value === undefined
    ? bytesOf(blob.value)
    : bytesOf(Buffer.from(JSON.stringify(rewriter.json(value)), 'utf8'));
}

const bytesOf = (value: Uint8Array | null) => (value === null ? null : new Uint8Array(value));

export const hasEnded = (status: string): boolean => finalRunStatuses.includes(status as RunStatus);
