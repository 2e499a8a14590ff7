import type { RunProgress } from '#contracts/runs.js';
import { answerJsonSchema, decisionRequestSchema, type DecisionRequest } from '#catalogue/decisions.js';
import { decisionOptionsOf } from '#contracts/decision-request.js';
import type { QueueName } from '#contracts/queues.js';
import type { NewRunEvent } from '#catalogue/events.js';
import type { TaskDefinition } from '#contracts/run-kind.js';
import { tasks, type TaskName, childRunSchema, type TaskRequest, type TaskResult } from '#catalogue/tasks.js';
import { Prisma } from '#db/client.js';
import { toJsonb } from '#db/jsonb.js';
import { NEWEST_CHECKPOINT } from '#db/repositories/graph-checkpoints.js';
import { currentTraceparent } from '#telemetry/tracing.js';
import { derivedId, digestIds } from '#contracts/ids.js';
import { commitTogether, type TakeRest } from '../checkpointer/group-commit.js';
import { leftToReconciler, type Engine } from '../engine.js';
import { childrenCte, newChild, notifyParentRun } from './child-runs.js';
import type { HeldRun } from '../kind.js';
import { announce, eventsCte, heldAt } from './event-log.js';
import { applyEarlyAnswers } from '../decisions/early-answers.js';
import { dispatch, type TaskJobFacts, advanceJob, withLanePriority, taskJob } from '../queue/dispatch.js';
import { StaleEpochError } from './fence.js';
import type { AskingNodes } from './traced-nodes.js';
import type { JobFlow } from '../queue/job-queues.js';
import type { Stopped } from './channel-state.js';

interface NewTask {
  id: string;
  name: string;
  queue: QueueName;
  node: string;
  checkpoint_id: string;
  interrupt_id: string;
  input: unknown;
  deadline_seconds: number | null;
  traceparent: string | null;
  assignee: string | null;
  quorum: number;
}

/**
 * Builds the task of an interrupt. Its ID is derived from run, checkpoint and interrupt, so repeating a pause
 * creates the same tasks.
 */
function taskOf(run: HeldRun, interrupt: OpenInterrupt, asking: AskingNodes): NewTask {
  const { task: name, input } = interrupt.request;
  const identity = [run.id, interrupt.checkpointId, interrupt.id].join('/');
  const isQuestion = name === 'human_input';
  const options = isQuestion ? decisionOptionsOf(run.inputs) : {};
  const deadline = options.deadline_seconds ? { deadline_seconds: options.deadline_seconds } : {};
  const request = tasks[name].input.parse({ ...input, ...deadline });
  return {
    id: derivedId('tsk', identity),
    name,
    queue: tasks[name].queue,
    node: interrupt.node,
    checkpoint_id: interrupt.checkpointId,
    interrupt_id: interrupt.id,
    input: request,
    deadline_seconds: isQuestion ? (request as DecisionRequest).deadline_seconds : null,
    traceparent: asking.get(interrupt.id) ?? currentTraceparent(),
    assignee: options.assignee ?? null,
    quorum: options.quorum ?? 1,
  };
}

/** Returns what decides the turns of new tasks in their queues; questions and child runs have none. */
const turnsOf = (newTasks: readonly NewTask[]) =>
  newTasks
    .filter((task) => hasJob(task) && task.queue !== 'human-input')
    .map(({ id, name, queue, input }) => {
      const { inputFiles } = tasks[name as TaskName] as TaskDefinition;
      return { id, queue, files: inputFiles ? inputFiles(input as Record<string, unknown>) : [] };
    });

function jobFacts(
  run: HeldRun,
  { id, name, queue, deadline_seconds }: NewTask,
  turns: Record<string, number | null>,
): TaskJobFacts {
  const turn = turns[id] ?? null;
  const deadline = deadline_seconds === null ? null : new Date(Date.now() + deadline_seconds * 1_000);
  return { id, name, queue, run_id: run.id, tenant_id: run.tenantId, enqueues: 1, deadline, turn };
}

function pauseEvents(newTasks: NewTask[], { label, phrase: step = null }: RunProgress): NewRunEvent[] {
  const questions = newTasks.filter((task) => task.name === 'human_input');
  const waiting = newTasks.map(({ id, name, node }) => ({ task_id: id, task: name, node }));
  const key = digestIds(newTasks.map(({ id }) => id));
  return [
    {
      type: 'run_status',
      data: { status: 'waiting', label, phrase: step, waiting_for: waiting },
      effectKey: `waiting/${key}`,
    },
    ...questions.flatMap(({ id, input }): NewRunEvent[] => {
      const request = decisionRequestSchema.parse(input);
      const { decision_type, question, phrase, references, details } = request;
      const data = { decision_id: id, decision_type, question, phrase };
      return [
        { type: 'hitl_pause', data: { decision_id: id }, effectKey: `hitl_pause/${id}` },
        {
          type: 'decision_required',
          data: { ...data, references, details, answer_schema: answerJsonSchema(request) },
          effectKey: `decision_required/${id}`,
        },
      ];
    }),
  ];
}

/**
 * Parks a run at its interrupts: writes tasks, events, status and the unwritten rows of its last step in one
 * statement, then adds one BullMQ flow.
 *
 * @throws StaleEpochError if the run was fenced out
 */
export async function pauseRun(
  engine: Engine,
  run: HeldRun,
  takeRest: TakeRest,
  interrupts: OpenInterrupt[],
  view: RunView,
  asking: AskingNodes = new Map(),
): Promise<void> {
  const newTasks = interrupts.map((interrupt) => taskOf(run, interrupt, asking));
  const children = newTasks
    .filter(({ name }) => name === 'run')
    .map(({ id, input }) => newChild(engine, id, childRunSchema.parse(input)));
  const begun = children.map(({ id, task_id, kind }): NewRunEvent => {
    const data = { run_id: id, task_id, kind, status: 'queued' };
    return { type: 'child_run', data, effectKey: `child_run/${id}` };
  });
  const unwritten = await takeRest();
  const events = [...unwritten.events, ...pauseEvents(newTasks, view.progress), ...begun];
  // A run that waits only for people releases its place in the express lane; the answer requests one again.
  const express = newTasks.every(({ name }) => name === 'human_input')
    ? Prisma.sql`false`
    : Prisma.sql`express OR express_free(tenant_id)`;
  const set = Prisma.sql`status = 'waiting', express = ${express}, step = step + 1, lease_until = NULL, crashes = 0, blocked = 0, checked_at = now(),
    summary = ${toJsonb(view.progress)}::jsonb,`;
  const rows = await commitTogether<{
    express: boolean | null;
    turns: Record<string, number | null>;
  }>(
    engine.db,
    Prisma.sql`
    /* pause run */ WITH ${eventsCte(run.id, events, heldAt(run.fence.epoch), set)},
    created AS (
      INSERT INTO tasks (id, tenant_id, run_id, name, queue, node, checkpoint_id, interrupt_id, status, input, deadline,
        traceparent, assignee, quorum, turn, cost)
      SELECT t.id, run_row.tenant_id, run_row.id, t.name, t.queue, t.node, t.checkpoint_id, t.interrupt_id, 'pending', t.input,
             now() + make_interval(secs => t.deadline_seconds), t.traceparent, t.assignee, t.quorum, s.task_turn, s.task_cost
      FROM run_row CROSS JOIN jsonb_to_recordset(${toJsonb(newTasks)}::jsonb)
        t (id text, name text, queue text, node text, checkpoint_id text, interrupt_id text, input jsonb, deadline_seconds int,
           traceparent text, assignee text, quorum int)
        LEFT JOIN task_turns(${run.tenantId}, ${run.sessionId}, ${toJsonb(turnsOf(newTasks))}::jsonb) s ON s.task_id = t.id
      ON CONFLICT (id) DO NOTHING
      RETURNING id, turn
    )${resultsCte(view.results)}${childrenCte(children)}${unwritten.rows}
    SELECT (SELECT express FROM run_row) AS express, coalesce((SELECT jsonb_object_agg(id, turn) FROM created), '{}') AS turns`,
  );
  const isExpress = rows[0]?.express ?? null;
  if (isExpress === null) throw new StaleEpochError(run.fence);
  announce(engine.db, run.id);
  const { turns } = rows[0]!;
  const isNew = Object.keys(turns).length === newTasks.length;
  const jobs = isNew ? newTasks.filter(hasJob).map((task) => jobFacts(run, task, turns)) : null;
  const tasksOpen = jobs ?? (await pendingTasks(engine, run.id));
  // Child runs need no jobs: the end of the last child continues the run.
  if (tasksOpen.length > 0 || children.length === 0) {
    const flow = pauseFlow(run.id, run.fence.epoch, tasksOpen, isExpress);
    await enqueuePause(engine, flow).catch((error: unknown) =>
      engine.log.warn({ err: error, run_id: run.id }, 'failed to enqueue the pause; will retry'),
    );
  }
  if (children.length > 0) await leftToReconciler(dispatch(engine));
  if (run.parentRunId !== null) await notifyParentRun(engine, run, run.parentRunId, newTasks);
  if (newTasks.every(({ name }) => name !== 'human_input')) return;
  await applyEarlyAnswers(engine, run.tenantId, run.id).catch((error: unknown) =>
    engine.log.warn({ err: error, run_id: run.id }, 'failed to apply early answers; will retry'),
  );
}

/** Progress and results of a run, derived from its state. */
export interface RunView {
  progress: RunProgress;
  /** Object keys by name; null means none (any more). */
  results: Record<string, string | null>;
}

/** Returns a CTE that stores the results of the run in `run_row`; empty without results. */
export function resultsCte(results: RunView['results']): Prisma.Sql {
  const rows = Object.entries(results).map(([name, object_key]) => ({ name, object_key }));
  if (rows.length === 0) return Prisma.empty;
  return Prisma.sql`,
    results AS (
      INSERT INTO session_results (session_id, tenant_id, kind, name, run_id, object_key)
      SELECT runs.session_id, runs.tenant_id, runs.kind, r.name, runs.id, r.object_key
      FROM run_row JOIN runs ON runs.id = run_row.id,
        jsonb_to_recordset(${toJsonb(rows)}::jsonb) r (name text, object_key text)
      ON CONFLICT (session_id, kind, name, run_id) DO UPDATE SET object_key = EXCLUDED.object_key, updated_at = now()
        WHERE session_results.object_key IS DISTINCT FROM EXCLUDED.object_key
    )`;
}

/** Returns whether a task has a job; a child run has none, because it is dispatched like any other run. */
const hasJob = ({ name }: { name: string }): boolean => name !== 'run';

/** Returns a run's pending tasks that have a job. */
async function pendingTasks({ db }: Engine, runId: string): Promise<TaskJobFacts[]> {
  return db.$queryRaw<TaskJobFacts[]>`
    SELECT id, run_id, tenant_id, name, queue, enqueues, deadline, turn FROM tasks WHERE run_id = ${runId} AND status = 'pending' AND name <> 'run' ORDER BY id`;
}

/**
 * Returns the BullMQ flow of a pause: the parent is the next `advance`, the children are the tasks. Operators
 * see the pause as a job state, and it occupies no worker slot.
 *
 * @param pending the run's pending tasks
 * @param express whether the run has a place in the express lane
 * @param again set by the reconciler if the first flow is lost
 */
export function pauseFlow(
  runId: string,
  epoch: number,
  pending: TaskJobFacts[],
  express: boolean,
  again?: number,
): JobFlow {
  return {
    parent: withLanePriority(advanceJob(runId, epoch, again), express),
    children: pending.map(taskJob),
  };
}

/** Enqueues a pause: its flow, or only the next `advance` if no task is pending. */
async function enqueuePause({ queues }: Engine, flow: JobFlow): Promise<void> {
  await (flow.children.length === 0 ? queues.add(flow.parent) : queues.addFlow(flow));
}

/** Interrupt of a node that waits for a task. */
export interface OpenInterrupt {
  id: string;
  node: string;
  checkpointId: string;
  request: TaskRequest;
}

/** Row of `selectDoneTasks`. */
export interface DoneTask {
  id: string;
  queue: string;
  completed_by: string | null;
  completed_at: Date | null;
  interrupt_id: string;
  checkpoint_id: string;
  status: string;
  output: unknown;
  error: unknown;
}

/** Returns the interrupts of a stopped graph. */
export function openInterrupts(snapshot: Stopped): OpenInterrupt[] {
  const checkpointId = String(snapshot.config.configurable?.checkpoint_id);
  return snapshot.tasks.flatMap((task) =>
    task.interrupts.map((interrupt) => ({
      id: interrupt.id!,
      node: task.name,
      checkpointId,
      request: interrupt.value as TaskRequest,
    })),
  );
}

/** Returns the statement that reads the done tasks of a run's newest checkpoint. */
export const selectDoneTasks = (runId: string): Prisma.Sql => Prisma.sql`
  /* done tasks */ SELECT id, queue, completed_by, completed_at, interrupt_id, checkpoint_id, status, output, error FROM tasks
  WHERE run_id = ${runId} AND status IN ('completed', 'failed') AND checkpoint_id = (
    SELECT id FROM graph_checkpoints WHERE thread_id = ${runId} AND ns = '' ${NEWEST_CHECKPOINT})`;

/**
 * Returns the results that resume the open interrupts, by interrupt ID.
 *
 * @param done from PostgreSQL, never from the queue
 * @returns `incomplete` if a task is not done (or not written) yet
 */
export function resumeValues(
  done: readonly DoneTask[],
  interrupts: OpenInterrupt[],
): Record<string, unknown> | 'incomplete' {
  const values: Record<string, unknown> = {};
  for (const interrupt of interrupts) {
    const task = done.find(
      (row) => row.interrupt_id === interrupt.id && row.checkpoint_id === interrupt.checkpointId,
    );
    if (!task) return 'incomplete';
    values[interrupt.id] = resultOf(task);
  }
  return values;
}

function resultOf({
  id,
  queue,
  status,
  output,
  error,
  completed_by: by,
  completed_at: at,
}: DoneTask): TaskResult {
  if (status !== 'completed') return { ok: false, error: error as { code: string; message: string } };
  const isAnswer = queue === 'human-input' && by !== null && at !== null;
  return {
    ok: true,
    output: output as Record<string, unknown>,
    ...(isAnswer ? { answered: { decision_id: id, by, at: at.toISOString() } } : {}),
  };
}
