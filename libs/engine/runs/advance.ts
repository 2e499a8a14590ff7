import { detailOf, messageOf } from '#contracts/phrases/detail.js';
import { phrase } from '#contracts/phrases/phrase.js';
import { advanceJobSchema, type AdvanceJob } from '#contracts/queues.js';
import { isGraphDrained, RunControl } from '@langchain/langgraph';
import type { Checkpoint, CheckpointTuple } from '@langchain/langgraph-checkpoint';
import { Prisma } from '#db/client.js';
import { inSpan, SpanKind } from '#telemetry/tracing.js';
import { GroupCommit, type TakeRest } from '../checkpointer/group-commit.js';
import { PrismaSaver } from '../checkpointer/prisma-saver.js';
import { claimRun, releaseUnsupported, startLeaseRenewal, releaseRun } from './claim.js';
import { leftToReconciler, MAX_BLOCKED, MAX_CRASHES, type Engine } from '../engine.js';
import {
  RunFailure,
  UnsupportedRunError,
  type GraphDefinition,
  type GraphState,
  type HeldRun,
  type RunOutcome,
  type RunEvents,
} from '../kind.js';
import { EventBuffer, announce, eventsCte, heldAt } from './event-log.js';
import { commitTogether } from '../checkpointer/group-commit.js';
import { StaleEpochError, withinLeg } from './fence.js';
import { yieldBetweenSteps } from './step-preemption.js';
import { dispatch, advanceJob, releasedRunJob } from '../queue/dispatch.js';
import { withDatabaseCause, isOutage } from '../recovery/outage.js';
import {
  type DoneTask,
  openInterrupts,
  pauseRun,
  resultsCte,
  resumeValues,
  type RunView,
  selectDoneTasks,
} from './pause-run.js';
import type { GraphInput, Stopped } from './channel-state.js';
import { graphExecutor } from './graph-executor.js';
import { traceNodes } from './traced-nodes.js';
import type { NewRunEvent } from '#catalogue/events.js';
import { toJsonb } from '#db/jsonb.js';
import { completeParentTask } from './child-runs.js';
import { processMetrics } from '#telemetry/metrics.js';
import type { Job } from '../queue/job-queues.js';
import type { JobProcessor } from '../queue/job-worker.js';

type AdvanceEnd = 'stale' | 'paused' | 'finished' | 'fenced' | 'released' | 'gave_way' | 'unserved';

/** Seconds that a run waits for a runner that supports its kind, graph version and node. */
const NO_RUNNER_TIMEOUT_SECONDS = 1_800;

interface AdvanceOptions {
  /** Receives a function that aborts the run; returns a cleanup function, called when the leg ends. */
  onClaimed?: (runId: string, abort: (reason: Error) => void) => () => void;
  /** Seconds that a run waits for a runner that supports it, before it fails. */
  unservedSeconds?: number;
}

/** Abort reason when the runner shuts down: its runs are released. */
export class ShutdownError extends Error {
  override readonly name = 'ShutdownError';
}

/**
 * Claims a run and executes one leg of it, until it ends or waits. The run can always continue afterwards: it
 * is finished, paused or released, or, if the process dies, its lease runs out.
 *
 * @param signal aborts the step: on shutdown, or when the job's lock was lost
 */
export async function advance(
  engine: Engine,
  graphs: ReadonlyMap<string, GraphDefinition>,
  data: AdvanceJob,
  signal: AbortSignal,
  { onClaimed = () => () => undefined, unservedSeconds = NO_RUNNER_TIMEOUT_SECONDS }: AdvanceOptions = {},
): Promise<AdvanceEnd> {
  const run = await claimRun(engine, advanceJobSchema.parse(data));
  if (!run) return 'stale';
  const attributes = {
    'scriptorium.run_id': run.id,
    'scriptorium.tenant_id': run.tenantId,
    'scriptorium.run_kind': run.kind,
    'scriptorium.epoch': run.fence.epoch,
  };
  const options = { kind: SpanKind.CONSUMER, attributes, parent: run.traceparent };
  return inSpan('run advance', options, async (span) => {
    const end = await withinLeg(run.fence, () =>
      advanceHeld(engine, graphs, run, signal, { onClaimed, unservedSeconds }),
    );
    span.setAttribute('scriptorium.end', end);
    return end;
  });
}

async function advanceHeld(
  engine: Engine,
  graphs: ReadonlyMap<string, GraphDefinition>,
  run: HeldRun,
  signal: AbortSignal,
  { onClaimed, unservedSeconds }: Required<AdvanceOptions>,
): Promise<AdvanceEnd> {
  const controller = new AbortController();
  const abort = (reason: Error) => controller.abort(reason);
  signal.addEventListener('abort', () => abort(signal.reason as Error), { once: true });
  if (signal.aborted) abort(signal.reason as Error);
  const forget = onClaimed(run.id, abort);
  const fenced = () => abort(new StaleEpochError(run.fence));
  const lease = startLeaseRenewal(engine, run, fenced);
  const events = new EventBuffer(engine.db, run.fence, (error) => abort(error as Error));
  try {
    if (run.blocked >= MAX_BLOCKED)
      throw new RunFailure('run_blocked', phrase('run_error.run_blocked', { times: run.blocked }));
    if (run.crashes >= MAX_CRASHES) throw stepFailure(run.crashes);
    const definition = graphs.get(run.kind);
    if (!definition)
      throw new UnsupportedRunError('unknown_kind', phrase('run_error.unknown_kind', { kind: run.kind }));
    requireVersion(run, definition);
    return await runLeg(engine, definition, run, events, controller.signal);
  } catch (error) {
    return await afterError(engine, run, events, controller.signal, error, unservedSeconds);
  } finally {
    lease.stop();
    forget();
    await events.close();
  }
}

/** @param error of the last attempt, if it is known: its cause in the database is named */
function stepFailure(times: number, error?: unknown): RunFailure {
  const failure = phrase('run_error.step_failed', { times });
  return new RunFailure('step_failed', withDatabaseCause(failure, error));
}

/** @throws UnsupportedRunError if the run was started with a newer graph than this release has */
function requireVersion({ graphVersion, kind }: HeldRun, { version }: GraphDefinition): void {
  if (!(Number(graphVersion) > Number(version))) return;
  throw new UnsupportedRunError(
    'graph_version_missing',
    phrase('run_error.graph_version_missing', { started: graphVersion, kind, version }),
  );
}

/** Returns the retry delay in ms of a run that no runner has supported for `waitedSeconds`. */
const pauseBeforeNextTry = (waitedSeconds: number) => Math.round(Math.min(30_000, 500 + waitedSeconds * 250));

/** Executes one leg: from the stored state to the next pause or the end. */
async function runLeg(
  engine: Engine,
  definition: GraphDefinition,
  run: HeldRun,
  events: EventBuffer,
  signal: AbortSignal,
): Promise<AdvanceEnd> {
  const control = new RunControl();
  const others = yieldBetweenSteps(run.tenantId, () => control.requestDrain('others wait'));
  const commits = new GroupCommit(engine.db, run.fence, events, run.crashes, others);
  const saver = new PrismaSaver(engine.db, commits, new Set(definition.readingNodes));
  if (run.isNew) saver.startsEmpty(run.id);
  const builder = await definition.build(run, timeNodes(events), signal);
  const asking = traceNodes(builder);
  const { tuple: stored, rows: done } = run.isNew
    ? { tuple: undefined, rows: [] }
    : await saver.getNewestWith<DoneTask>(run.id, selectDoneTasks(run.id));
  requireNodes(stored, builder, definition.version);
  const graph = graphExecutor(builder, saver, run.id, stored);
  const input = run.isNew
    ? { first: await definition.initialState(run) }
    : resumeInput(done, await graph.getState());
  if (input !== 'incomplete') {
    const notes = startProgressReporter(engine, run, definition);
    try {
      for await (const state of graph.stream(input, { signal, control })) {
        signal.throwIfAborted();
        notes.reached(state);
      }
    } finally {
      await notes.stop();
    }
  }
  const snapshot = await graph.getState();
  await events.close();
  const state = snapshot.values as GraphState;
  const takeRest = () => commits.takeRest();
  if (snapshot.tasks.length === 0) {
    await finishRun(engine, run, takeRest, definition.outcome(state), viewOf(definition, state));
    return 'finished';
  }
  const interrupts = openInterrupts(snapshot);
  if (interrupts.length === 0) throw new Error('the graph stopped without an interrupt and without an end');
  await pauseRun(engine, run, takeRest, interrupts, viewOf(definition, state), asking);
  return 'paused';
}

const viewOf = (definition: GraphDefinition, state: GraphState): RunView => ({
  progress: definition.describe(state),
  results: definition.results?.(state) ?? {},
});

/** Returns the input to resume a saved run: the results its nodes wait for. */
function resumeInput(done: readonly DoneTask[], stopped: Stopped): GraphInput | 'incomplete' {
  const answers = resumeValues(done, openInterrupts(stopped));
  return answers === 'incomplete' ? answers : { answers };
}

/** Decides how a leg that threw ends: fenced out, retried, failed or released. */
async function afterError(
  engine: Engine,
  run: HeldRun,
  events: EventBuffer,
  signal: AbortSignal,
  error: unknown,
  unservedSeconds: number,
): Promise<AdvanceEnd> {
  const cause: unknown = signal.aborted ? signal.reason : error;
  const fields = { run_id: run.id, tenant_id: run.tenantId };
  await events.close();
  if (cause instanceof StaleEpochError || error instanceof StaleEpochError) {
    engine.log.warn(fields, 'fenced out: another runner claimed the run, or it was cancelled');
    return 'fenced';
  }
  if (error instanceof UnsupportedRunError) {
    const waited = await releaseUnsupported(engine, run);
    if (waited < unservedSeconds) {
      const again = {
        ...advanceJob(run.id, run.fence.epoch),
        options: { delay: pauseBeforeNextTry(waited) },
      };
      await leftToReconciler(engine.queues.add(again));
      engine.log.warn({ ...fields, code: error.code }, 'released the run for a runner that supports it');
      return 'unserved';
    }
  }
  if (error instanceof RunFailure)
    return failRun(engine, run, events, error).catch((legError: unknown) =>
      afterError(engine, run, events, signal, legError, unservedSeconds),
    );
  const gaveWay = isGraphDrained(error);
  if (gaveWay || cause instanceof ShutdownError) {
    await releaseRun(engine, run, false);
    const job = releasedRunJob(run.id, run.fence.epoch, run.express);
    await leftToReconciler(engine.queues.add(job));
    return gaveWay ? 'gave_way' : 'released';
  }
  engine.log.error({ ...fields, err: error }, 'step failed; will retry');
  const crashes = await releaseRun(engine, run, !isOutage(cause));
  if (crashes < MAX_CRASHES) return 'released';
  // If this fails, the next claim fails the run, without the cause.
  return failRun(engine, run, events, stepFailure(crashes, cause)).catch(() => 'released');
}

/** Fails a run, and writes the failed step's events, but nothing else of that step. */
async function failRun(
  engine: Engine,
  run: HeldRun,
  events: EventBuffer,
  failure: RunFailure,
): Promise<AdvanceEnd> {
  const { code, node } = failure;
  const error = { code, ...messageOf(detailOf(failure)), ...(node === undefined ? {} : { node }) };
  const takeEvents = () => Promise.resolve({ events: events.take(), rows: Prisma.empty });
  await finishRun(engine, run, takeEvents, { status: 'failed', error });
  return 'finished';
}

/**
 * Ends a run in one statement: status, error, last events and the unwritten rows of its last step.
 *
 * @throws StaleEpochError if the run was fenced out
 */
async function finishRun(
  engine: Engine,
  run: HeldRun,
  takeRest: TakeRest,
  outcome: RunOutcome,
  view: RunView | null = null,
): Promise<void> {
  const { status, error, result } = outcome;
  const unwritten = await takeRest();
  const data = { status, ...(error ? { error } : {}) };
  const events: NewRunEvent[] = [
    ...unwritten.events,
    { type: 'run_status', data, effectKey: 'ended' },
    { type: 'done', data: { ...data, ...result }, effectKey: 'done' },
  ];
  const set = Prisma.sql`status = ${status}, error = ${error ? toJsonb(error) : null}::jsonb, lease_until = NULL,
    summary = summary || ${toJsonb(view?.progress ?? {})}::jsonb, finished_at = now(),`;
  const rows = await commitTogether<{ waiting: boolean }>(
    engine.db,
    Prisma.sql`
    /* finish run */ WITH ${eventsCte(run.id, events, heldAt(run.fence.epoch), set)}${resultsCte(view?.results ?? {})}${unwritten.rows}
    SELECT EXISTS (SELECT 1 FROM runs WHERE status = 'queued' AND dispatched_at IS NULL) AS waiting FROM run_row`,
  );
  if (!rows[0]) throw new StaleEpochError(run.fence);
  announce(engine.db, run.id);
  if (run.parentTaskId !== null) await leftToReconciler(completeParentTask(engine, run.id));
  if (rows[0].waiting) await leftToReconciler(dispatch(engine));
}

/** Prefix of LangGraph's channels that start a node, and the channel that contains its `Send`s. */
const BRANCH = 'branch:to:';
const SENDS = '__pregel_tasks';

/**
 * Rejects a run whose next node the graph does not have (any more, or yet). LangGraph skips such a node
 * without an error, and the run would seem to have ended.
 *
 * @throws UnsupportedRunError `graph_node_missing` with the node's name
 */
function requireNodes(stored: CheckpointTuple | undefined, graph: { nodes: object }, version: string): void {
  const [node] = stored ? missingNodes(stored.checkpoint, Object.keys(graph.nodes)) : [];
  if (node === undefined) return;
  throw new UnsupportedRunError(
    'graph_node_missing',
    phrase('run_error.graph_node_missing', { node, version }),
    node,
  );
}

/** Returns the nodes that a stored state continues with and that are not in `nodes`. */
function missingNodes(checkpoint: Checkpoint, nodes: readonly string[]): string[] {
  const values = checkpoint.channel_values;
  const branches = Object.keys(values)
    .filter((channel) => channel.startsWith(BRANCH))
    .map((channel) => channel.slice(BRANCH.length));
  const sends = ((values[SENDS] ?? []) as { node: string }[]).map(({ node }) => node);
  return [...new Set([...branches, ...sends])].filter((node) => !nodes.includes(node));
}

/** Forwards events and measures how long each node took, from one completed node to the next. */
function timeNodes(events: RunEvents): RunEvents {
  let since = performance.now();
  return {
    token: (text, origin) => events.token(text, origin),
    emit(event) {
      events.emit(event);
      if (event.type !== 'node_complete') return;
      const now = performance.now();
      processMetrics.nodeSeconds.observe({ node: String(event.data['node']) }, (now - since) / 1000);
      since = now;
    },
  };
}

/**
 * Processes jobs of the queue `agent-runner`: advances several runs concurrently and can abort each of them.
 */
export class RunProcessor implements JobProcessor {
  private readonly abortByRun = new Map<string, (reason: Error) => void>();
  private readonly shutdown = new AbortController();

  constructor(
    private readonly engine: Engine,
    private readonly graphs: ReadonlyMap<string, GraphDefinition>,
    private readonly unservedSeconds?: number,
    /** Called after a run has ended in this process. */
    private readonly onEnded: (runId: string) => void = () => undefined,
  ) {}

  async process(job: Job, lockLost: AbortSignal): Promise<void> {
    const data = advanceJobSchema.parse(job.data);
    const signal = AbortSignal.any([lockLost, this.shutdown.signal]);
    const end = await advance(this.engine, this.graphs, data, signal, {
      ...(this.unservedSeconds === undefined ? {} : { unservedSeconds: this.unservedSeconds }),
      onClaimed: (runId, abort) => {
        this.abortByRun.set(runId, abort);
        return () => this.abortByRun.delete(runId);
      },
    });
    processMetrics.legs.inc({ end });
    if (end === 'finished') this.onEnded(data.run_id);
    this.engine.log.info({ run_id: data.run_id, epoch: data.epoch, end }, 'advanced');
  }

  /** Aborts the model call in flight of a cancelled run; its epoch has already risen. */
  cancel(runId: string): void {
    this.abortByRun.get(runId)?.(new StaleEpochError({ runId, epoch: -1 }));
  }

  /** Releases every claimed run, so that another runner can continue it immediately. */
  onStop(): void {
    this.shutdown.abort(new ShutdownError('the runner is shutting down'));
  }
}

/** Interval in ms at which a leg stores its progress. */
const NOTE_MS = 1_000;

/** Reporter of a leg's progress. */
interface ProgressNotes {
  /** Receives the state after each step; only the latest is stored. */
  reached(state: GraphState): void;
  /** Stops the reporter; resolves when no write is pending. */
  stop(): Promise<void>;
}

/**
 * Stores run progress every second for polling clients (B5, B6). A leg that pauses or ends sooner stores it
 * then. A failed write is only logged: the run does not depend on it (B11).
 */
function startProgressReporter(
  { db, log }: Engine,
  { id, fence }: HeldRun,
  { describe }: Pick<GraphDefinition, 'describe'>,
): ProgressNotes {
  let latest: GraphState | null = null;
  let underWay = Promise.resolve();
  const storeProgress = async (state: GraphState) => {
    const summary = toJsonb(describe(state));
    await db.$executeRaw`
      /* note progress */ UPDATE runs SET summary = ${summary}::jsonb WHERE id = ${id} AND ${heldAt(fence.epoch)}`;
  };
  const timer = setInterval(() => {
    const state = latest;
    if (state === null) return;
    latest = null;
    underWay = underWay
      .then(() => storeProgress(state))
      .catch((err: unknown) => log.warn({ run_id: id, err }, 'failed to store run progress'));
  }, NOTE_MS);
  return {
    reached: (state) => {
      latest = state;
    },
    stop: () => {
      clearInterval(timer);
      return underWay;
    },
  };
}
