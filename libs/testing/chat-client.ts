import { createParser, type EventSourceMessage } from 'eventsource-parser';
import type { ApiClient } from './api-client.js';

/** Shorter than jest's own time limit of a test, so that the error includes the last event. */
const TIMEOUT_MS = 150_000;

export interface ChatFrame {
  id: string;
  event: string;
  data: Record<string, unknown>;
}

export interface ChatAnswer {
  status: number;
  threadId: string | null;
  frames: ChatFrame[];
  /** Code of the problem if the answer is one. */
  code: unknown;
}

/**
 * Sends a request of a conversation and reads its events until the stream ends or `enough` returns true, which cuts the stream.
 *
 * @param options.enough called with each event
 */
export async function chat(
  { baseUrl, key }: ApiClient,
  path: 'stream' | 'resume',
  body: Record<string, unknown>,
  options: { lastEventId?: string; enough?: (frame: ChatFrame) => boolean } = {},
): Promise<ChatAnswer> {
  const controller = new AbortController();
  const timeout = AbortSignal.timeout(TIMEOUT_MS);
  const response = await fetch(`${baseUrl}/api/chat/${path}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      ...(options.lastEventId ? { 'last-event-id': options.lastEventId } : {}),
    },
    body: JSON.stringify(body),
    signal: AbortSignal.any([controller.signal, timeout]),
  });
  const threadId = response.headers.get('x-thread-id');
  const { status } = response;
  if (status !== 200) {
    const { code } = (await response.json()) as { code: unknown };
    return { status, threadId, frames: [], code };
  }
  const frames: ChatFrame[] = [];
  let isEnough = false;
  const onEvent = ({ id, event, data }: EventSourceMessage) => {
    if (isEnough) return;
    const frame = { id: id!, event: event!, data: JSON.parse(data) as Record<string, unknown> };
    frames.push(frame);
    isEnough = options.enough?.(frame) ?? false;
  };
  const parser = createParser({ onEvent });
  const decoder = new TextDecoder();
  try {
    for await (const chunk of response.body!) {
      parser.feed(decoder.decode(chunk, { stream: true }));
      if (isEnough) break;
    }
  } catch (error) {
    if (!timeout.aborted) throw error;
    const failure = `${options.enough ?? 'its end'}: not within ${TIMEOUT_MS / 1_000} s`;
    throw new Error(`the chat stream until ${failure}. Last seen: ${JSON.stringify(frames.at(-1))}`);
  }
  controller.abort();
  return { status, threadId, frames, code: undefined };
}
