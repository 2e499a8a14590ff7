import type { HistoryEntry, ModelCall } from '../../api/runs';
import type { RunEvent } from '../../api/run-events';

/** A period of a run: a completed step, or a wait for an answer. */
export interface Step {
  /** `seq` of the event that ended it; identifies the step in links. */
  seq: number;
  kind: 'step' | 'wait';
  /** Node, or type of the decision. */
  name: string;
  /** Milliseconds since 1970. */
  from: number;
  to: number;
  /** Whether it is still in progress. */
  isOpen: boolean;
  /** Its model calls, and the sum of their input and output tokens. */
  calls: ModelCall[];
  tokens: number;
  /** The checkpoint saved at its end; null if it no longer exists. */
  checkpoint: HistoryEntry | null;
}

const text = (value: unknown): string => (typeof value === 'string' ? value : '');

/**
 * Returns the steps and waits of a run in order, from its events. If these do not contain steps, uses its
 * checkpoints.
 */
export function stepsOf(
  events: readonly RunEvent[],
  calls: readonly ModelCall[],
  history: readonly HistoryEntry[],
): Step[] {
  const reported = stepsInEvents(events);
  const steps = reported.some(({ kind }) => kind === 'step')
    ? reported
    : [...reported, ...savedSteps(history)].sort((one, other) => one.to - other.to);
  addCalls(steps, calls);
  addCheckpoints(steps, history);
  return steps;
}

const stepAt = (of: Pick<Step, 'seq' | 'kind' | 'name' | 'from' | 'to'>): Step => ({
  ...of,
  isOpen: false,
  calls: [],
  tokens: 0,
  checkpoint: null,
});

function stepsInEvents(events: readonly RunEvent[]): Step[] {
  const steps: Step[] = [];
  let last = events[0] ? Date.parse(events[0].at) : 0;
  let asked: { name: string; since: number; seq: number } | null = null;
  const end = ({ seq, at }: RunEvent, kind: Step['kind'], name: string, from: number) => {
    last = Date.parse(at);
    steps.push(stepAt({ seq, kind, name, from, to: last }));
  };
  for (const event of events) {
    if (event.type === 'node_complete') end(event, 'step', text(event.data['node']), last);
    if (event.type === 'run_status' && event.data['status'] === 'running' && steps.length === 0)
      last = Date.parse(event.at);
    if (event.type === 'decision_required')
      asked ??= { name: text(event.data['decision_type']), since: Date.parse(event.at), seq: event.seq };
    if (event.type === 'decision_answered' && asked) {
      end(event, 'wait', asked.name, asked.since);
      asked = null;
    }
  }
  if (asked) {
    const { seq, name, since } = asked;
    steps.push({ ...stepAt({ seq, kind: 'wait', name, from: since, to: since }), isOpen: true });
  }
  return steps;
}

/**
 * Returns the steps from checkpoints. Their numbers are negative, which keeps them apart from the numbers of
 * events.
 */
function savedSteps(history: readonly HistoryEntry[]): Step[] {
  const byId = new Map(history.map((entry) => [entry.checkpoint_id, entry]));
  return history.flatMap((entry) => {
    const before = byId.get(entry.parent_checkpoint_id ?? '');
    if (!before || before.source === 'input') return [];
    const [from, to] = [Date.parse(before.at), Date.parse(entry.at)];
    return [stepAt({ seq: -entry.step, kind: 'step', name: before.next.join(', '), from, to })];
  });
}

/** Assigns each call to the first step that ends after it. Both lists are in order of time. */
function addCalls(steps: Step[], calls: readonly ModelCall[]): void {
  let at = 0;
  for (const call of calls) {
    const time = Date.parse(call.at);
    while (at < steps.length - 1 && (steps[at]!.to < time || steps[at]!.kind === 'wait')) at++;
    const step = steps[at];
    if (!step) return;
    step.tokens += call.input_tokens + call.output_tokens;
    step.calls.push(call);
  }
}

/** Maximum time between the event of a step and its checkpoint, in either order. */
const CLOSE_MS = 2_000;

/**
 * Assigns each checkpoint to the nearest step in time, of the same node if known; many checkpoints are not
 * kept.
 */
function addCheckpoints(steps: Step[], history: readonly HistoryEntry[]): void {
  const byId = new Map(history.map((entry) => [entry.checkpoint_id, entry]));
  for (const entry of history) {
    const at = Date.parse(entry.at);
    const nodes = byId.get(entry.parent_checkpoint_id ?? '')?.next;
    const distance = ({ to }: Step) => Math.abs(to - at);
    const [nearest] = steps
      .filter(
        (step) =>
          step.kind === 'step' &&
          distance(step) <= CLOSE_MS &&
          (!nodes || step.name === nodes.join(', ') || nodes.includes(step.name)),
      )
      .sort((one, other) => distance(one) - distance(other));
    if (nearest) nearest.checkpoint ??= entry;
  }
}
