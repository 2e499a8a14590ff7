import type { PlanConfig, PlanDecision, PlanTask, PlanTaskResult } from '#contracts/kinds/plan/schemas.js';
import { Annotation } from '@langchain/langgraph';
import type { Requirement } from './replan.js';

/** Something said in the conversation with the agent (P3). Results stand in it by the task whose result it was. */
export interface PlanMessage {
  role: 'plan' | 'agent';
  text: string;
  /** Tasks whose results belong to it, in full. */
  results: string[];
  at: string;
}

export type PlanStatus =
  'planning' | 'running' | 'deciding' | 'completed' | 'rejected' | 'aborted' | 'failed';

const append = <T>() => Annotation<T[]>({ reducer: (all, more) => [...all, ...more], default: () => [] });

/** The state of a plan's run (P10): `messages`, `results` and `decisions` append, `context` merges. */
export const PlanStateAnnotation = Annotation.Root({
  session_id: Annotation<string>(),
  /** Names of the session's inputs, so that a fork has them. */
  input_files: Annotation<string[]>(),
  intent: Annotation<string | null>(),
  config: Annotation<PlanConfig>(),
  /** prepare, replan and the answer to a request for approval set it. */
  tasks: Annotation<PlanTask[]>(),
  /** Tasks whose tools have side effects, and those that lack arguments; set with `tasks`. */
  with_side_effects: Annotation<string[]>(),
  incomplete: Annotation<string[]>(),
  confidence: Annotation<number | null>(),
  /** Each attempt at a task appends one; the newest of a task counts. */
  results: append<PlanTaskResult>(),
  messages: append<PlanMessage>(),
  decisions: append<PlanDecision>(),
  context: Annotation<Record<string, unknown>>({
    reducer: (all, more) => ({ ...all, ...more }),
    default: () => ({}),
  }),
  /** Layers that have run. */
  layer: Annotation<number>(),
  /** Tasks of the layer that runs or ran last. */
  running: Annotation<string[]>(),
  /** Undecided plan steps of the last layer whose calls may have taken effect; set by `collect`. */
  unknown: Annotation<string[]>(),
  /** Tasks of the next layer that were approved; another layer asks anew. */
  approved: Annotation<string[]>(),
  /** Pauses so far; they number the checkpoint ids. */
  pauses: Annotation<number>(),
  replans: Annotation<number>(),
  /** What an agent or a command asked to plan for; replan clears it. */
  requirement: Annotation<Requirement | null>(),
  /** Ids of the commands that were followed, so that none is followed twice. */
  commands_followed: append<string>(),
  status: Annotation<PlanStatus>(),
  error: Annotation<{ code: string; message: string } | null>(),
});
export type PlanState = typeof PlanStateAnnotation.State;
export type PlanUpdate = Partial<PlanState>;

/** The newest result of each task. */
export function newestResults(state: Pick<PlanState, 'results'>): Map<string, PlanTaskResult> {
  return new Map(state.results.map((result) => [result.task_id, result]));
}

/** The newest result of a task of the last layer that failed, but of none that a person wants repeated. */
export function failedTask(
  state: Pick<PlanState, 'results' | 'running' | 'approved'>,
): PlanTaskResult | undefined {
  const newest = newestResults(state);
  return state.running
    .filter((id) => !state.approved.includes(id))
    .map((id) => newest.get(id))
    .find((result) => result?.status === 'failed');
}

/** Tasks that succeeded, in the order in which they ended. */
export function completedTasks(state: Pick<PlanState, 'results'>): PlanTaskResult[] {
  const newest = newestResults(state);
  return state.results.filter(
    (result) => result.status === 'completed' && newest.get(result.task_id) === result,
  );
}

type Given = 'session_id' | 'input_files' | 'intent' | 'config' | 'tasks' | 'context';

/** Returns the state of a plan that has not started. */
export const newPlanState = (
  given: Pick<PlanState, Given>,
): Omit<PlanState, 'results' | 'messages' | 'decisions' | 'commands_followed'> => ({
  ...given,
  with_side_effects: [],
  incomplete: [],
  confidence: null,
  layer: 0,
  running: [],
  unknown: [],
  approved: [],
  pauses: 0,
  replans: 0,
  requirement: null,
  status: 'planning',
  error: null,
});
