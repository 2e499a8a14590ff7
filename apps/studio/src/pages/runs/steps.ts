import type { HistoryEntry, ModelCall } from '../../api/history';
import type { RunEvent } from '../../api/run-events';

/** A stretch of a run: a step that was done, or a time in which it waited for somebody. */
export interface Step {
  /** Of the event that ended it; what a link to the step names. */
  seq: number;
  kind: 'step' | 'wait';
  /** The node, or the type of the question. */
  name: string;
  /** Milliseconds since 1970. */
  from: number;
  to: number;
  /** Whether it goes on still. */
  isOpen: boolean;
  /** Of the model calls in it: tokens in and out, and millionths of the currency. */
  tokens: number;
  cost: number;
  /** The checkpoint that was saved when it was done; null when there is none any more. */
  checkpoint: HistoryEntry | null;
}

const text = (value: unknown): string => (typeof value === 'string' ? value : '');

/** The steps and waits of a run, in their order, as its events tell them; where they tell no steps, as its checkpoints do. */
export function stepsOf(
  events: readonly RunEvent[],
  calls: readonly ModelCall[],
  history: readonly HistoryEntry[],
): Step[] {
  const told = toldBy(events);
  const steps = told.some(({ kind }) => kind === 'step')
    ? told
    : [...told, ...savedSteps(history)].sort((one, other) => one.to - other.to);
  addCalls(steps, calls);
  addCheckpoints(steps, history);
  return steps;
}

const stepAt = (of: Pick<Step, 'seq' | 'kind' | 'name' | 'from' | 'to'>): Step => ({
  ...of,
  isOpen: false,
  tokens: 0,
  cost: 0,
  checkpoint: null,
});

function toldBy(events: readonly RunEvent[]): Step[] {
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

/** Steps of the graph as their checkpoints tell them; they have no event, so their numbers are below those of events. */
function savedSteps(history: readonly HistoryEntry[]): Step[] {
  const byId = new Map(history.map((entry) => [entry.checkpoint_id, entry]));
  return history.flatMap((entry) => {
    const before = byId.get(entry.parent_checkpoint_id ?? '');
    if (!before || before.source === 'input') return [];
    const [from, to] = [Date.parse(before.at), Date.parse(entry.at)];
    return [stepAt({ seq: -entry.step, kind: 'step', name: before.next.join(', '), from, to })];
  });
}

/** A call belongs to the first step that ends after it. Both lists are in the order of time. */
function addCalls(steps: Step[], calls: readonly ModelCall[]): void {
  let at = 0;
  for (const call of calls) {
    const time = Date.parse(call.at);
    while (at < steps.length - 1 && (steps[at]!.to < time || steps[at]!.kind === 'wait')) at++;
    const step = steps[at];
    if (!step) return;
    step.tokens += call.input_tokens + call.output_tokens;
    step.cost += call.cost;
  }
}

/** Between the event of a step and the checkpoint that it saved, in whichever order they came. */
const CLOSE_MS = 2_000;

/** Each checkpoint is that of the step next to it in time, of the same node where that is known; many are not kept. */
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
