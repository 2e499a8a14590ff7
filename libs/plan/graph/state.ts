import type { TaskError } from '#contracts/task-error.js';
import type {
  ItemOutcomes,
  PlanConfig,
  PlanDecision,
  Planning,
  PlanTask,
  PlanTaskResult,
} from '../contract/values.js';
import type { BudgetShortfall } from '#contracts/budgets.js';
import { NO_RECOVERY, type ModelRecovery } from '#kit/graph/model-recovery.js';
import { Annotation } from '@langchain/langgraph';
import type { Requirement } from './replan.js';

/** An entry of the conversation with the agent (P3). It refers to results by plan step. */
export interface PlanMessage {
  role: 'plan' | 'agent';
  text: string;
  /** Plan steps of which the entry contains the full results. */
  results: string[];
  /** Tool call of a decision or command; absent for other entries. */
  call?: { id: string; name: string; args: Record<string, unknown> };
  /** Set if a client made the call, not the model. */
  by?: 'client';
  at: string;
}

export type PlanStatus =
  'planning' | 'running' | 'deciding' | 'completed' | 'rejected' | 'aborted' | 'failed';

const append = <T>() => Annotation<T[]>({ reducer: (all, more) => [...all, ...more], default: () => [] });

/** State of a plan's run (P10): `messages`, `results` and `decisions` append, `context` merges. */
export const PlanStateAnnotation = Annotation.Root({
  session_id: Annotation<string>(),
  /** Names of the session's inputs, which a fork needs. */
  input_files: Annotation<string[]>(),
  intent: Annotation<string | null>(),
  config: Annotation<PlanConfig>(),
  /** Set by prepare, replan and the answer to an approval request. */
  tasks: Annotation<PlanTask[]>(),
  /** Plan steps with side effects, and missing arguments as `step.argument`. Set with `tasks`. */
  with_side_effects: Annotation<string[]>(),
  incomplete: Annotation<string[]>(),
  /** Plan steps that a model wrote, and that no person has edited since; missing in runs of older releases. Set with `tasks`. */
  planned_by_model: Annotation<string[] | undefined>(),
  confidence: Annotation<number | null>(),
  /** Set by prepare and replan for a plan that was made for the request. */
  planning: Annotation<Planning | null>(),
  /** Each attempt at a plan step appends one; the newest counts. */
  results: append<PlanTaskResult>(),
  messages: append<PlanMessage>(),
  decisions: append<PlanDecision>(),
  context: Annotation<Record<string, unknown>>({
    reducer: (all, more) => ({ ...all, ...more }),
    default: () => ({}),
  }),
  /** Number of completed layers. */
  layer: Annotation<number>(),
  /** Plan steps of the current or last layer. */
  running: Annotation<string[]>(),
  /** Undecided plan steps of the last layer for which it is unknown whether the call took effect. Set by `collect`. */
  unknown: Annotation<string[]>(),
  /** What a person said about the interrupted items of a `map`, by plan step; missing in runs of older releases. Set by `ask_outcome`. */
  item_outcomes: Annotation<Record<string, ItemOutcomes> | undefined>({ reducer: (_, next) => next }),
  /** Plan steps that failed for good; missing in runs of older releases. The others still run, except those that depend on them. */
  given_up: Annotation<string[] | undefined>({ reducer: (_, next) => next }),
  /** Approved plan steps of the next layer; each layer is approved separately. */
  approved: Annotation<string[]>(),
  /** Number of pauses so far; numbers the checkpoint ids. */
  pauses: Annotation<number>(),
  replans: Annotation<number>(),
  /** Set by a command that requests a decision; cleared by the agent's nodes. */
  decision_requested: Annotation<boolean>(),
  /** Whether the model gave no valid decision twice, so that a person is asked; cleared by `ask_agent`. */
  undecided: Annotation<boolean>(),
  /** The failed model that a person is asked about, and the decision; set by the nodes that ask, and by `ask_model`. */
  model_recovery: Annotation<ModelRecovery>({ reducer: (_, next) => next, default: () => NO_RECOVERY }),
  /** The budget that a person is asked about; missing in runs of older releases. Set by the nodes that ask a model, cleared by `ask_budget`. */
  budget_shortfall: Annotation<BudgetShortfall | null | undefined>({ reducer: (_, next) => next }),
  /** Requirement of an agent, or of a command whose model failed; cleared by replan. */
  requirement: Annotation<Requirement | null>(),
  /** Ids of executed commands, so that each runs once. */
  commands_followed: append<string>(),
  status: Annotation<PlanStatus>(),
  error: Annotation<TaskError | null>(),
});
export type PlanState = typeof PlanStateAnnotation.State;
export type PlanUpdate = Partial<PlanState>;

type Given = 'session_id' | 'input_files' | 'intent' | 'config' | 'tasks' | 'context';

/** Returns the state of a plan that has not started. */
export const newPlanState = (
  given: Pick<PlanState, Given>,
): Omit<
  PlanState,
  | 'results'
  | 'messages'
  | 'decisions'
  | 'commands_followed'
  | 'model_recovery'
  | 'budget_shortfall'
  | 'given_up'
  | 'item_outcomes'
> => ({
  ...given,
  with_side_effects: [],
  incomplete: [],
  planned_by_model: [],
  confidence: null,
  planning: null,
  layer: 0,
  running: [],
  unknown: [],
  approved: [],
  pauses: 0,
  replans: 0,
  decision_requested: false,
  undecided: false,
  requirement: null,
  status: 'planning',
  error: null,
});
