import { ACTIVE_STATUSES } from '#db/shown-status.js';
import { childRunProblem, type ChildRun, type TaskResult } from '#catalogue/tasks.js';
import type { NewRunEvent } from '#catalogue/events.js';
import { TOKENS_PER_SOURCE_BYTE } from '#contracts/budgets.js';
import { derivedId, digestIds } from '#contracts/ids.js';
import { detailOf, messageOf } from '#contracts/phrases/detail.js';
import { phrase } from '#contracts/phrases/phrase.js';
import { findRunKind } from '#catalogue/registry.js';
import type { RunError } from '#contracts/runs.js';
import { Prisma } from '#db/client.js';
import { toJsonb } from '#db/jsonb.js';
import { announce, eventsCte } from './event-log.js';
import { afterCompletion, writeCompletion } from '../tasks/complete.js';
import type { Engine } from '../engine.js';
import { RunFailure, type HeldRun } from '../kind.js';

/** Child run, as written in the statement that pauses its parent. */
interface NewChild {
  id: string;
  task_id: string;
  kind: string;
  mode: string | null;
  inputs: Record<string, unknown>;
  graph_version: string;
  max_tokens: number | null;
  max_cost: number | null;
  /** Tokens that the default budget grows by for each byte of the session's inputs. */
  tokens_per_byte: number;
}

/** Graph version of an unknown kind: any runner that supports the kind accepts it. */
const ANY_VERSION = '0';

/** @throws RunFailure `invalid_child_run` if the kind rejects the inputs or mode */
export function newChild({ kinds }: Engine, taskId: string, child: ChildRun): NewChild {
  const problem = childRunProblem(child);
  if (problem !== null) throw new RunFailure('invalid_child_run', problem);
  return {
    id: derivedId('run', taskId),
    task_id: taskId,
    kind: child.kind,
    mode: child.mode,
    inputs: child.inputs,
    graph_version: kinds.get(child.kind)?.version ?? ANY_VERSION,
    max_tokens: child.budget.max_tokens ?? null,
    max_cost: child.budget.max_cost ?? null,
    tokens_per_byte: findRunKind(child.kind)?.needsFiles ? TOKENS_PER_SOURCE_BYTE : 0,
  };
}

/**
 * Returns the child's part of the parent's budget: the requested amount, limited to what is left. Without a
 * request, it is an even share of the rest.
 */
const part = (max: Prisma.Sql, left: Prisma.Sql) => Prisma.sql`
  CASE WHEN ${left} IS NULL THEN ${max}
    WHEN ${max} IS NULL THEN greatest(1, (${left} - coalesce(sum(${max}) OVER (), 0)) / (count(*) FILTER (WHERE ${max} IS NULL) OVER ()))
    ELSE greatest(1, least(${max}, ${left} - coalesce(sum(${max}) OVER (ORDER BY c.id ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0)))
  END::bigint`;

/** Returns CTEs that insert the child runs whose task is in `created`; empty without children. */
export function childrenCte(children: NewChild[]): Prisma.Sql {
  if (children.length === 0) return Prisma.empty;
  return Prisma.sql`,
    parent AS (
      SELECT r.*, r.max_tokens - s.tokens AS left_tokens, r.max_cost - s.cost AS left_cost
      FROM run_row JOIN runs r ON r.id = run_row.id CROSS JOIN LATERAL run_spending(r.id) s
    ),
    children AS (
      INSERT INTO runs (id, tenant_id, session_id, kind, mode, status, inputs, graph_version, event_seq, traceparent, priority,
        max_tokens, max_cost, default_max_tokens, api_key_id, parent_run_id, parent_task_id)
      SELECT c.id, parent.tenant_id, parent.session_id, c.kind, c.mode, 'queued', c.inputs, c.graph_version, 1,
        parent.traceparent, parent.priority, ${part(Prisma.sql`c.max_tokens`, Prisma.sql`parent.left_tokens`)},
        ${part(Prisma.sql`c.max_cost`, Prisma.sql`parent.left_cost`)}, parent.default_max_tokens + c.tokens_per_byte * read.bytes, parent.api_key_id,
        parent.id, c.task_id
      FROM parent CROSS JOIN LATERAL (
        SELECT coalesce(sum(f.size), 0)::bigint AS bytes FROM session_files f
        WHERE f.session_id = parent.session_id AND f.folder = 'inputs' AND f.media_type NOT LIKE 'image/%'
      ) read, created JOIN jsonb_to_recordset(${toJsonb(children)}::jsonb)
        c (id text, task_id text, kind text, mode text, inputs jsonb, graph_version text, max_tokens bigint, max_cost bigint, tokens_per_byte bigint)
        ON c.task_id = created.id
      ON CONFLICT (id) DO NOTHING
      RETURNING id
    ),
    first_events AS (
      INSERT INTO run_events (run_id, seq, type, data, effect_key)
      SELECT id, 1, 'run_status', '{"status":"queued"}'::jsonb, 'queued' FROM children
    )`;
}

/** Notifies the parent when its child needs a decision. */
export async function notifyParentRun(
  engine: Engine,
  { id, kind }: HeldRun,
  parentRunId: string,
  tasks: { id: string; name: string }[],
): Promise<void> {
  const decisions = tasks.filter(({ name }) => name === 'human_input').map((task) => task.id);
  if (decisions.length === 0) return;
  const data = { run_id: id, kind, status: 'waiting', decision_ids: decisions };
  const event: NewRunEvent = { type: 'child_run', data, effectKey: `child_run/${digestIds(decisions)}` };
  const isActive = Prisma.sql`status IN (${ACTIVE_STATUSES})`;
  await engine.db
    .$statement(
      Prisma.sql`/* tell parent */ WITH ${eventsCte(parentRunId, [event], isActive)} SELECT 1 FROM run_row`,
    )
    .catch((error: unknown) =>
      engine.log.warn({ err: error, run_id: id }, 'failed to notify the parent run'),
    );
  announce(engine.db, parentRunId);
}

interface EndedChild {
  kind: string;
  parent_run_id: string;
  parent_task_id: string;
  data: { status: string; error?: RunError } & Record<string, unknown>;
}

/**
 * Completes the parent's task when a child run has ended. Safe to repeat, because the first result wins;
 * no-op for a run without a parent.
 */
export async function completeParentTask(engine: Engine, childId: string): Promise<void> {
  const [child] = await engine.db.$queryRaw<EndedChild[]>`
    SELECT r.kind, r.parent_run_id, r.parent_task_id, e.data
    FROM runs r JOIN run_events e ON e.run_id = r.id AND e.effect_key = 'done'
    WHERE r.id = ${childId} AND r.parent_run_id IS NOT NULL`;
  if (!child) return;
  const { status } = child.data;
  const completion = {
    taskId: child.parent_task_id,
    runId: child.parent_run_id,
    result: resultOf(childId, child.data),
    by: childId,
    event: {
      type: 'child_run' as const,
      data: { run_id: childId, kind: child.kind, status },
      effectKey: `child_run/${childId}/ended`,
    },
  };
  const row = await writeCompletion(engine.db.$statement, completion);
  if (row) await afterCompletion(engine, child.parent_task_id, row);
}

function resultOf(runId: string, { status, error, ...result }: EndedChild['data']): TaskResult {
  if (status === 'completed' || status === 'rejected')
    return { ok: true, output: { run_id: runId, status, error: error ?? null, result } };
  const detail = error ? detailOf(error) : phrase('run_error.child_failed', { run: runId, status });
  return { ok: false, error: { code: error?.code ?? 'child_failed', ...messageOf(detail) } };
}
