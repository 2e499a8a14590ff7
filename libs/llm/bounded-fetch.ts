import { phrase } from '#contracts/phrases/phrase.js';
import { ModelError } from './model-error.js';
import { fetchApi, isWebPage } from './wire/api-url.js';
import { asEvents } from './wire/as-events.js';
import { usualError } from './wire/usual-error.js';

export type { Send } from './fetch-within-origin.js';

const MIB = 1024 * 1024;
/** Limit of a streamed answer: 128,000 tokens, each in a separate event. */
const MAX_STREAM_BYTES = 64 * MIB;
/** Limit of one event; a server that does not really stream sends a single event. */
const MAX_EVENT_BYTES = 4 * MIB;
/** Limit of a body that is read as a whole: a model's answer, or the vectors of a request. */
const MAX_WHOLE_BYTES = 16 * MIB;
/** Quotation marks within a text are escaped, so this only matches the field. */
const FINISH_REASON = /"finish_reason"\s*:\s*"(?!"|null")/;
const END_OF_STREAM = /^data: ?\[DONE\]/m;
/** Some servers give no reason to finish, only the end mark. Without both, the stream was cut. */
const USUAL_END = 'data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\n\ndata: [DONE]';
const END_OF_EVENT = ['\n\n', '\r\n\r\n'];

/**
 * Fetches within the origin of the URL. Aborts an answer that is longer than any model's, because an endless
 * answer would fill the memory. An error has the form that OpenAI's client reads.
 *
 * @throws ModelError `model_answer_too_long`, while the body is read
 */
export async function boundedFetch(...request: Parameters<typeof fetchApi>): Promise<Response> {
  const response = await fetchApi(...request);
  if (!response.body) return response;
  const { status, statusText, headers } = response;
  const type = (headers.get('content-type') ?? '').toLowerCase();
  const isStream = type.startsWith('text/event-stream');
  const body = response.body.pipeThrough(
    isStream ? passEvents() : passBytes(MAX_WHOLE_BYTES, (chunk) => chunk),
  );
  if (!response.ok) {
    const error = usualError(await new Response(body).text());
    return new Response(error, { status, statusText, headers: withoutLength(headers) });
  }
  if (isWebPage(response) && request[1]?.method === 'POST') throw notTheApi();
  if (isStream || !asksForStream(request[1]?.body))
    return new Response(body, { status, statusText, headers });
  const events = (await asEvents(body)).pipeThrough(passEvents());
  return new Response(events, { status, headers: { 'content-type': 'text/event-stream' } });
}

const notTheApi = (): ModelError =>
  new ModelError('model_not_found', phrase('model_failure.model_not_found.web_page'), false);

/** The body has another length than the server's. */
function withoutLength(headers: Headers): Headers {
  const others = new Headers(headers);
  others.delete('content-length');
  return others;
}

/** Returns a base URL without slashes at its end. */
export function baseUrlOf(url: string): string {
  let end = url.length;
  while (url[end - 1] === '/') end -= 1;
  return url.slice(0, end);
}

const asksForStream = (body: unknown): boolean => typeof body === 'string' && /"stream":\s*true\b/.test(body);

/**
 * Emits whole events only: the client searches an incomplete event again with every chunk, in quadratic time.
 */
function passEvents(): TransformStream<Uint8Array, Uint8Array> {
  let event = Buffer.alloc(0);
  let hasReason = false;
  const take = (chunk: Uint8Array) => {
    event = Buffer.concat([event, chunk]);
    const ends = END_OF_EVENT.map((mark) => {
      const at = event.lastIndexOf(mark);
      return at < 0 ? 0 : at + mark.length;
    });
    const whole = event.subarray(0, Math.max(...ends));
    event = event.subarray(whole.length);
    if (event.length > MAX_EVENT_BYTES) throw answerTooLong();
    if (whole.length === 0) return whole;
    const given = whole.toString('utf8');
    hasReason ||= FINISH_REASON.test(given);
    const text = withoutOtherData(hasReason ? given : given.replace(END_OF_STREAM, USUAL_END));
    return text === given ? whole : Buffer.from(text);
  };
  return passBytes(MAX_STREAM_BYTES, take, () => event);
}

/** Data that is neither an object nor the end mark; some servers send it to keep the connection open. */
const OTHER_DATA = /^data:(?! ?[{[])/m;
const AFTER_EVENT = /(?<=\n\r?\n)/;

function withoutOtherData(events: string): string {
  if (!OTHER_DATA.test(events)) return events;
  const isOther = (event: string) => {
    const lines = event.split('\n').filter((line) => line.startsWith('data:'));
    const data = lines.map((line) => line.slice('data:'.length).trim()).join('');
    return lines.length > 0 && !data.startsWith('{') && !data.startsWith('[');
  };
  return events
    .split(AFTER_EVENT)
    .filter((event) => !isOther(event))
    .join('');
}

function passBytes(
  most: number,
  take: (chunk: Uint8Array) => Uint8Array,
  rest: () => Uint8Array = () => new Uint8Array(),
): TransformStream<Uint8Array, Uint8Array> {
  let bytes = 0;
  return new TransformStream({
    transform(chunk, controller) {
      bytes += chunk.length;
      if (bytes > most) throw answerTooLong();
      controller.enqueue(take(chunk));
    },
    flush: (controller) => controller.enqueue(rest()),
  });
}

/** Not retryable: another attempt would most likely be as long. */
export const answerTooLong = (): ModelError =>
  new ModelError('model_answer_too_long', phrase('model_failure.model_answer_too_long'), false);
