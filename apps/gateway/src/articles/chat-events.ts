import type { RunEvent } from '#contracts/events.js';

/** Where a stream of a thread goes on: behind an event, or behind the question that was just answered. */
export type ChatStart = { after: number } | { answered: string };

interface ChatEvent {
  seq: number;
  type: 'token' | 'node_complete' | 'hitl_pause' | 'done';
  data: Record<string, unknown>;
}

/** What a page of a conversation needs of a run's events (A10); null for the others. */
function chatEvent({ seq, type, data }: RunEvent): ChatEvent | null {
  if (type === 'decision_required') return { seq, type: 'hitl_pause', data };
  if (type === 'token' || type === 'node_complete' || type === 'done') return { seq, type, data };
  return null;
}

/**
 * The server-sent events of an article's run, in a thread. They end with the run, or with a question that is still open: what was
 * answered since is told and passed.
 *
 * @param isOpen whether a question still waits
 */
export async function* chatFrames(
  threadId: string,
  events: AsyncIterable<RunEvent>,
  from: ChatStart,
  isOpen: (decisionId: string) => Promise<boolean>,
): AsyncGenerator<string> {
  let isPast = 'after' in from;
  for await (const event of events) {
    if (!isPast) {
      isPast =
        event.type === 'decision_required' &&
        'answered' in from &&
        event.data['decision_id'] === from.answered;
      continue;
    }
    const told = chatEvent(event);
    if (!told) continue;
    const data = { thread_id: threadId, run_id: event.run_id, ...told.data };
    yield `id: ${event.run_id}.${told.seq}\nevent: ${told.type}\ndata: ${JSON.stringify(data)}\n\n`;
    if (told.type === 'done') return;
    if (told.type === 'hitl_pause' && (await isOpen(String(told.data['decision_id'])))) return;
  }
}
