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

/** The steps and waits of a run, in their order, as its events tell them. */
export function stepsOf(
  events: readonly RunEvent[],
  calls: readonly ModelCall[],
  history: readonly HistoryEntry[],
): Step[] {
  const steps: Step[] = [];
  let last = events[0] ? Date.parse(events[0].at) : 0;
  let asked: { name: string; since: number; seq: number } | null = null;
  const end = (event: RunEvent, kind: Step['kind'], name: string, from: number) => {
    const to = Date.parse(event.at);
    steps.push({ seq: event.seq, kind, name, from, to, isOpen: false, tokens: 0, cost: 0, checkpoint: null });
    last = to;
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
  if (asked)
    steps.push({
      ...asked,
      kind: 'wait',
      from: asked.since,
      to: asked.since,
      isOpen: true,
      tokens: 0,
      cost: 0,
      checkpoint: null,
    });
  addCalls(steps, calls);
  addCheckpoints(steps, history);
  return steps;
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

/** The checkpoint of a step is the first one that was saved when it was done or later, before the next step was. */
function addCheckpoints(steps: Step[], history: readonly HistoryEntry[]): void {
  const oldestFirst = history.map((entry) => ({ entry, at: Date.parse(entry.at) })).reverse();
  let at = 0;
  for (const [index, step] of steps.entries()) {
    const until = steps[index + 1]?.to ?? Infinity;
    while (at < oldestFirst.length && oldestFirst[at]!.at < step.to) at++;
    const found = oldestFirst[at];
    if (step.kind === 'step' && found && found.at < until) step.checkpoint = found.entry;
  }
}
