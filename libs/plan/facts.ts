import { phrase, type Phrase, englishText } from '#contracts/phrases/phrase.js';
import {
  planTaskSchema,
  approvalAnswerSchema,
  MAX_ARGUMENT_BYTES,
  planPauseSchema,
  type ApprovalAnswer,
  type PlanPause,
} from './contract/values.js';
import { labelOf, type RunProgress } from '#contracts/runs.js';
import type { KindFacts, AnswerContext } from '#engine/kind.js';
import { z } from 'zod';
import { InvalidPlanError, layersOf } from './dag/dag.js';
import { settledTasks } from './dag/attempts.js';
import { warningsOf } from './dag/warnings.js';
import { needsModel } from './needs-model.js';
import type { PlanState, PlanStatus } from './graph/state.js';
import type { DecisionRequest } from '#catalogue/decisions.js';
import { ProblemError } from '#contracts/errors.js';
import { problemOfCalls } from './dag/progress.js';
import { problemsOfGiven } from './planner/check.js';
import { codeChecksFor, schemaChecksFor } from './store/tenant-checks.js';
import { platformCatalogue } from './tools/catalogue.js';

/**
 * P6: rejects an approval that cannot be executed. The question stays open.
 *
 * @throws ProblemError `invalid_answer`
 */
export async function checkApproval(
  answer: Record<string, unknown>,
  request: DecisionRequest,
  { tenantId }: Pick<AnswerContext, 'tenantId'>,
): Promise<Record<string, unknown>> {
  const { approved, arguments: edits = {} } = approvalAnswerSchema.parse(answer);
  const next = planPauseSchema.parse(request.details).next_layer;
  const errors = Object.keys(edits)
    .filter((id) => !next.some(({ task_id }) => task_id === id))
    .map((id) => ({ path: `arguments.${id}`, message: 'is not a task of the next layer' }));
  for (const { task_id, tool, arguments: planned, missing } of approved ? next : []) {
    const problem = problemOfCalls({ tool, arguments: { ...planned, ...edits[task_id] } });
    if (problem) errors.push({ path: `arguments.${task_id}`, message: englishText(problem) });
    if (Buffer.byteLength(JSON.stringify({ ...planned, ...edits[task_id] })) > MAX_ARGUMENT_BYTES)
      errors.push({ path: `arguments.${task_id}`, message: 'is too long' });
    for (const name of missing.filter((wanted) => !Object.hasOwn(edits[task_id] ?? {}, wanted)))
      errors.push({
        path: `arguments.${task_id}.${name}`,
        message: 'is required before the task can run',
      });
  }
  if (errors.length === 0 && approved) errors.push(...(await editErrors(next, edits, tenantId)));
  if (errors.length > 0)
    throw new ProblemError('invalid_answer', phrase('invalid_answer.plan_arguments'), errors);
  return answer;
}

const platformTools = new Map(platformCatalogue.map((tool) => [tool.name, tool]));

/** Returns why changed arguments would make a task fail, such as a query that cannot be read. */
async function editErrors(
  next: PlanPause['next_layer'],
  edits: NonNullable<ApprovalAnswer['arguments']>,
  tenantId: string,
): Promise<{ path: string; message: string }[]> {
  const [schemas, codes] = [schemaChecksFor(tenantId), codeChecksFor(tenantId)];
  const edited = next.filter(({ task_id, tool }) => edits[task_id] && platformTools.has(tool));
  const found = edited.map(async ({ task_id: id, tool, arguments: planned }) => {
    const task = { id, tool, arguments: { ...planned, ...edits[id] }, depends_on: [] };
    const known = { tools: platformTools, inputs: [], schemas, codes };
    const problems = await problemsOfGiven([task], known);
    return problems.map(({ message }) => ({ path: `arguments.${id}`, message }));
  });
  return (await Promise.all(found)).flat();
}

/** Graph version, recorded with each run. Increment it if a change affects parked runs. */
const PLAN_GRAPH_VERSION = '6';

/** Nodes of the graph, in the order of a plan's life. */
export const PLAN_NODES = [
  'prepare',
  'approve',
  'commands',
  'start_layer',
  'run_task',
  'collect',
  'ask_outcome',
  'ask_model',
  'ask_budget',
  'agent',
  'ask_agent',
  'replan',
  'finish',
] as const;
export type PlanNode = (typeof PLAN_NODES)[number];

const LABELS: Record<PlanStatus, Phrase> = {
  planning: phrase('progress.plan.planning'),
  running: phrase('progress.plan.running'),
  deciding: phrase('progress.plan.deciding'),
  completed: phrase('progress.done'),
  rejected: phrase('progress.rejected'),
  aborted: phrase('progress.ended_early'),
  failed: phrase('progress.failed'),
};
/** Maximum number of decisions and of attempts in a run's progress; the state has all of them. */
const MAX_TOLD = 500;

function describe(graphState: Record<string, unknown>): RunProgress {
  const state = graphState as Partial<PlanState>;
  const { status, tasks = [], results = [], decisions = [], with_side_effects = [] } = state;
  return {
    phase: status ?? null,
    ...labelOf(status ? LABELS[status] : null),
    done: settledTasks({ results, tasks, given_up: state.given_up }).size,
    total: tasks.length,
    details: {
      intent: state.intent ?? null,
      tasks,
      layers: safeLayers(tasks),
      results: results.slice(-MAX_TOLD).map(({ result: _, result_key: __, ...told }) => told),
      decisions: decisions.slice(-MAX_TOLD),
      planning: state.planning ?? null,
      confidence: state.confidence ?? null,
      replans: state.replans ?? 0,
      warnings: warningsOf({
        results,
        tasks,
        with_side_effects,
        given_up: state.given_up,
        status: status ?? 'planning',
      }),
    },
  };
}

function safeLayers(tasks: PlanState['tasks']): string[][] {
  try {
    return layersOf(tasks);
  } catch (error) {
    if (error instanceof InvalidPlanError) return [];
    throw error;
  }
}

/** Facts about plans that every process can use without building the graph. */
export const planFacts: KindFacts = {
  kind: 'plan',
  version: PLAN_GRAPH_VERSION,
  nodes: PLAN_NODES,
  continuation: {
    asideModes: ['suggest'],
    state: z.object({
      session_id: z.string(),
      input_files: z.array(z.string()),
      tasks: z.array(planTaskSchema),
      layer: z.number().int(),
    }),
    carriedTasks: [],
    prose: ['messages', 'decisions', 'intent'],
    companions: () => [],
    needs: (state) => ({
      inputs: state['input_files'] as string[],
      assets: [],
      checkpointId: null,
      exportId: null,
    }),
    shownKeys: ['layer'],
    shown: ({ layer }) => ({ chapter: typeof layer === 'number' ? layer : null, manuscript: null }),
  },
  describe,
  results: () => ({}),
  needsModel: (_, inputs) => needsModel(inputs),
  answerResolvers: { plan_approval: { resolve: checkApproval } },
};
