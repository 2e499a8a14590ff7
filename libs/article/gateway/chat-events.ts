import type { RunEvent } from '#contracts/events.js';

/**
 * Start of a thread's stream: after an event's sequence number, or after the question that was just answered.
 */
export type ChatStart = { after: number } | { answered: string };

interface ChatEvent {
  seq: number;
  type: 'token' | 'node_complete' | 'hitl_pause' | 'done';
  data: Record<string, unknown>;
}

/** Returns the event as pages of a conversation show it (A10); null for event types that they do not need. */
function chatEvent({ seq, type, data }: RunEvent): ChatEvent | null {
  if (type === 'decision_required') return { seq, type: 'hitl_pause', data };
  if (type === 'token' || type === 'node_complete' || type === 'done') return { seq, type, data };
  return null;
}

/**
 * Yields the server-sent events of an article's run. Ends with the run, or at a question that is still open;
 * questions answered in the meantime are sent, and the stream continues.
 *
 * @param isOpen returns whether a question is still open
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
    const sent = chatEvent(event);
    if (!sent) continue;
    const data = { thread_id: threadId, run_id: event.run_id, ...sent.data };
    yield `id: ${event.run_id}.${sent.seq}\nevent: ${sent.type}\ndata: ${JSON.stringify(data)}\n\n`;
    if (sent.type === 'done') return;
    if (sent.type === 'hitl_pause' && (await isOpen(String(sent.data['decision_id'])))) return;
  }
}
