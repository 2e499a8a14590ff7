import { isObject, jsonOf } from '#contracts/lenient.js';
import { waitFor } from '#contracts/wait.js';
import { answerTooLong } from '../model-error.js';

/** Beginning of a stream of server-sent events. */
const EVENT = /^(?:data|event|id|retry)?:/;
/** Number of characters by which the form of a body is recognised. */
const PEEKED = 8;

/**
 * Returns a successful body as server-sent events, which it may be under the wrong type. A server that does not stream
 * sends one JSON value, others send a value per line: each becomes an event.
 *
 * @throws SyntaxError if the body is neither
 */
export async function asEvents(body: ReadableStream<Uint8Array>): Promise<ReadableStream<Uint8Array>> {
  const { start, whole } = await peek(body);
  if (EVENT.test(start)) return whole;
  const values = valuesOf(await new Response(whole).text());
  const events = values.map((value) => `data: ${JSON.stringify(value)}\n\n`);
  return new Response(`${events.join('')}data: [DONE]\n\n`).body!;
}

function valuesOf(text: string): unknown[] {
  try {
    return [JSON.parse(text)];
  } catch {
    const lines = text.split('\n').filter((line) => line.trim() !== '');
    return lines.map((line) => JSON.parse(line) as unknown);
  }
}

/** Returns the first visible characters of a body, and a body with all bytes. */
async function peek(body: ReadableStream<Uint8Array>) {
  const reader = body.getReader();
  const read: Uint8Array[] = [];
  const decoder = new TextDecoder();
  let start = '';
  let isAll = false;
  while (start.length < PEEKED && !isAll) {
    const { done, value } = await reader.read();
    isAll = done;
    if (value === undefined) continue;
    read.push(value);
    start = `${start}${decoder.decode(value, { stream: true })}`.trimStart();
  }
  const whole = new ReadableStream<Uint8Array>({
    start: (controller) => read.forEach((bytes) => controller.enqueue(bytes)),
    async pull(controller) {
      const { done, value } = await reader.read();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    cancel: (reason) => reader.cancel(reason),
  });
  return { start, whole };
}

const MIB = 1024 * 1024;
/** Limit of a streamed answer: 128,000 tokens, each in a separate event. */
const MAX_STREAM_BYTES = 64 * MIB;
/** Limit of one event; a server that does not really stream sends a single event. */
const MAX_EVENT_LENGTH = 4 * MIB;
/** Time in ms for what follows the reason to finish: the usage and the end mark. */
const GRACE_MS = 1_000;

/** Quotation marks within a text are escaped, so this only matches the field. */
const FINISH_REASON = /"finish_reason"\s*:\s*"(?!"|null")/;
const END_MARK = '[DONE]';
/** Some servers give no reason to finish, only the end mark. Without both, the stream was cut. */
const USUAL_REASON = '{"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}';

/**
 * Returns a stream of server-sent events in the form that OpenAI's client reads: one `data:` line and an empty line
 * for each event. Servers separate events by single line breaks, put an empty line after the name of an event, or send
 * comments and data that is no JSON. The reason to finish ends the answer: what a server does with the
 * connection afterwards changes nothing.
 *
 * @throws ModelError `model_answer_too_long`
 */
export function usualEvents(body: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  const events = new EventReader();
  const encoder = new TextEncoder();
  let bytes = 0;
  let endsAt = Infinity;
  /** Reads the next bytes; none once the answer has ended. */
  const read = async () => {
    if (endsAt === Infinity) return reader.read();
    const left = Math.max(0, endsAt - performance.now());
    return waitFor(reader.read(), undefined, left, () => new Error('over')).catch(() => NO_BYTES);
  };
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      for (let text = ''; text === '';) {
        const { done, value } = await read();
        bytes += value?.length ?? 0;
        if (bytes > MAX_STREAM_BYTES) throw answerTooLong();
        text = events.add(value);
        if (events.hasReason) endsAt = Math.min(endsAt, performance.now() + GRACE_MS);
        if (text !== '') controller.enqueue(encoder.encode(text));
        if (!done && !events.hasEnded) continue;
        controller.close();
        return reader.cancel().catch(() => undefined);
      }
    },
    cancel: (reason) => reader.cancel(reason),
  });
}

const NO_BYTES = { done: true, value: undefined } as const;
const LINE_END = /\r\n|\n|\r(?!$)/;

/** Reads the events of a body that arrives in parts. */
class EventReader {
  private readonly decoder = new TextDecoder();
  /** Parts of the last line, which has no end so far. */
  private line: string[] = [];
  private length = 0;
  private data: string | null = null;
  hasReason = false;
  hasEnded = false;

  /**
   * @param bytes undefined at the end of the body
   * @returns the events that are complete
   */
  add(bytes: Uint8Array | undefined): string {
    const text = this.decoder.decode(bytes, { stream: bytes !== undefined });
    this.length += text.length;
    this.line.push(text);
    if (this.length > MAX_EVENT_LENGTH) throw answerTooLong();
    if (bytes !== undefined && !/[\r\n]/.test(text)) return '';
    const lines = this.line.join('').split(LINE_END);
    this.line = bytes === undefined ? [] : [lines.pop()!];
    const events = lines.map((line) => this.addLine(line));
    if (bytes === undefined) events.push(this.event());
    this.length = (this.line[0]?.length ?? 0) + (this.data?.length ?? 0);
    return events.join('');
  }

  /** @returns the event that ends before or with the line; empty if none does */
  private addLine(line: string): string {
    if (line === '') return this.event();
    if (!line.startsWith('data:')) return '';
    const value = line.slice('data:'.length).trim();
    // Further lines continue an event only as long as it is no complete JSON.
    const ended = this.data !== null && isComplete(this.data) ? this.event() : '';
    this.data = this.data === null ? value : `${this.data}\n${value}`;
    return ended;
  }

  private event(): string {
    const data = this.data ?? '';
    this.data = null;
    if (this.hasEnded) return '';
    if (data.startsWith(END_MARK)) {
      this.hasEnded = true;
      return `${this.hasReason ? '' : eventOf(USUAL_REASON)}${eventOf(END_MARK)}`;
    }
    // Some servers send other data to keep the connection open.
    if (!data.startsWith('{') && !data.startsWith('[')) return '';
    this.hasReason ||= FINISH_REASON.test(data);
    return eventOf(data);
  }
}

const isComplete = (data: string): boolean => !data.startsWith('{') || isObject(jsonOf(data));
const eventOf = (data: string): string => `data: ${data.replaceAll('\n', ' ')}\n\n`;
