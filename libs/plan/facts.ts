import { phrase, type Phrase } from '#contracts/phrases/phrase.js';
import { checkApproval } from './approval-answer.js';
import { planTaskSchema } from './contract/values.js';
import { labelOf, type RunProgress } from '#contracts/runs.js';
import type { KindFacts } from '#engine/kind.js';
import { z } from 'zod';
import { InvalidPlanError, layersOf } from './dag/dag.js';
import { settledTasks } from './dag/attempts.js';
import { warningsOf } from './dag/warnings.js';
import { needsModel } from './needs-model.js';
import type { PlanState, PlanStatus } from './graph/state.js';

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
  const { status, tasks = [], results = [], decisions = [] } = state;
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
      warnings: warningsOf({ results, tasks, given_up: state.given_up, status: status ?? 'planning' }),
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
