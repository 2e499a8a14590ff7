import { phrase } from '#contracts/phrases/phrase.js';
import { ModelError, answerTooLong } from './model-error.js';
import { fetchApi, isWebPage } from './wire/api-url.js';
import { usualEvents, asEvents } from './wire/events.js';
import { usualError } from './wire/usual-error.js';

export type { Send } from './fetch-within-origin.js';

const MIB = 1024 * 1024;
/** Limit of a body that is read as a whole: a model's answer, or the vectors of a request. */
const MAX_WHOLE_BYTES = 16 * MIB;

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
  const isPost = request[1]?.method === 'POST';
  if (isPost && isWebPage(response)) {
    if (answered.has(String(request[0]))) throw interruptedByPage(status);
    if (response.ok) throw notTheApi();
  }
  const type = (headers.get('content-type') ?? '').toLowerCase();
  const isStream = response.ok && type.startsWith('text/event-stream');
  const body = isStream ? usualEvents(response.body) : response.body.pipeThrough(passBytes(MAX_WHOLE_BYTES));
  if (!response.ok) {
    const error = usualError(await new Response(body).text());
    return new Response(error, { status, statusText, headers: withoutLength(headers) });
  }
  if (isPost) answered.add(String(request[0]));
  if (isStream || !asksForStream(request[1]?.body))
    return new Response(body, { status, statusText, headers });
  const events = usualEvents(await asEvents(body));
  return new Response(events, { status, headers: { 'content-type': 'text/event-stream' } });
}

/** URLs that have answered in this process. If they then answer with a web page, it is a proxy's. */
const answered = new Set<string>();

const interruptedByPage = (status: number): ModelError =>
  new ModelError('model_unavailable', phrase('model_failure.model_unavailable', { status }), true);

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

function passBytes(most: number): TransformStream<Uint8Array, Uint8Array> {
  let bytes = 0;
  return new TransformStream({
    transform(chunk, controller) {
      bytes += chunk.length;
      if (bytes > most) throw answerTooLong();
      controller.enqueue(chunk);
    },
  });
}
