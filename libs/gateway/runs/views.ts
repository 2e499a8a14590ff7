import type { runSchema } from '#contracts/api/schemas.js';
import type { RunProgress } from '#contracts/runs.js';
import type { Run, RunUsage } from '#db/repositories/runs.js';
import { shownStatus } from '#db/shown-status.js';
import type { NewRun } from '#engine/runs/start.js';
import type { z } from 'zod';

export type RunView = z.infer<typeof runSchema>;

/** Fields of a run that clients see. */
type ShownRun = Pick<
  Run,
  | 'id'
  | 'sessionId'
  | 'kind'
  | 'mode'
  | 'status'
  | 'priority'
  | 'graphVersion'
  | 'summary'
  | 'error'
  | 'model'
  | 'promptVersion'
  | 'maxTokens'
  | 'maxCost'
  | 'defaultMaxTokens'
  | 'originRunId'
  | 'originCheckpointId'
  | 'parentRunId'
  | 'createdAt'
  | 'finishedAt'
>;

const NO_USAGE: RunUsage = {
  inputTokens: 0,
  outputTokens: 0,
  modelCalls: 0,
  cost: 0,
  reservedTokens: 0,
  reservedCost: 0,
};

type Budgets = Pick<Run, 'maxTokens' | 'maxCost' | 'defaultMaxTokens'>;

function usageView(run: Budgets, usage: RunUsage): RunView['usage'] {
  const hasOwn = run.maxTokens !== null || run.maxCost !== null;
  return {
    input_tokens: usage.inputTokens,
    output_tokens: usage.outputTokens,
    model_calls: usage.modelCalls,
    cost: usage.cost,
    reserved: { tokens: usage.reservedTokens, cost: usage.reservedCost },
    budget: {
      ...(run.maxTokens === null ? {} : { max_tokens: Number(run.maxTokens) }),
      ...(run.maxCost === null ? {} : { max_cost: Number(run.maxCost) }),
    },
    default_max_tokens: hasOwn || run.defaultMaxTokens === null ? null : Number(run.defaultMaxTokens),
  };
}

const MAX_TITLE = 200;

/**
 * Returns the title of a run for clients: its session's title, otherwise the title, the topic or the goal in the summary
 * of its kind.
 */
export function shownTitle(sessionTitle: string | null, summary: unknown): string | null {
  const { title, topic, intent } = ((summary as Partial<RunProgress>).details ?? {}) as Partial<
    Record<'title' | 'topic' | 'intent', string | null>
  >;
  return sessionTitle ?? title ?? (topic ?? intent)?.slice(0, MAX_TITLE) ?? null;
}

/** Returns the API view of a run. */
export function runView(
  run: ShownRun,
  sessionTitle: string | null,
  openDecisions: string[],
  usage: RunUsage,
): RunView {
  const summary = run.summary as Partial<RunProgress>;
  // Suggestions share a session, whose title is the goal of the last one.
  const own = run.mode === 'suggest' ? shownTitle(null, run.summary) : null;
  return {
    id: run.id,
    session_id: run.sessionId,
    title: own ?? shownTitle(sessionTitle, run.summary),
    kind: run.kind,
    mode: run.mode,
    priority: run.priority,
    status: shownStatus(run, openDecisions.length > 0),
    model: run.model,
    prompt_version: run.promptVersion,
    graph_version: run.graphVersion,
    origin:
      run.originRunId === null || run.originCheckpointId === null
        ? null
        : { run_id: run.originRunId, checkpoint_id: run.originCheckpointId },
    parent_run_id: run.parentRunId,
    error: run.error as RunView['error'],
    progress: {
      phase: summary.phase ?? null,
      label: summary.label ?? null,
      phrase: summary.phrase ?? null,
      done: summary.done ?? null,
      total: summary.total ?? null,
      details: summary.details ?? {},
    },
    open_decisions: openDecisions,
    usage: usageView(run, usage),
    created_at: run.createdAt.toISOString(),
    finished_at: run.finishedAt?.toISOString() ?? null,
  };
}

/** Returns the view of a run that was just created. */
export function newRunView(
  run: NewRun,
  sessionTitle: string | null,
  made: Pick<Run, 'id' | 'createdAt'>,
): RunView {
  const { sessionId, kind, mode, graphVersion, priority = 0, budget = {}, defaultMaxTokens = null } = run;
  const row: ShownRun = {
    ...made,
    sessionId,
    kind,
    mode,
    graphVersion,
    priority,
    status: 'queued',
    summary: {},
    model: null,
    promptVersion: null,
    error: null,
    maxTokens: budget.max_tokens === undefined ? null : BigInt(budget.max_tokens),
    maxCost: budget.max_cost === undefined ? null : BigInt(budget.max_cost),
    defaultMaxTokens: defaultMaxTokens === null ? null : BigInt(defaultMaxTokens),
    originRunId: null,
    originCheckpointId: null,
    parentRunId: null,
    finishedAt: null,
  };
  return runView(row, sessionTitle, [], NO_USAGE);
}
