import { withoutEndSlashes, withoutEnding } from '#contracts/text.js';
import { phrase } from '#contracts/phrases/phrase.js';
import { ModelError, answerTooLong } from './model-error.js';
import { usualEvents, asEvents } from './wire/events.js';
import { usualError } from './wire/usual-error.js';

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

const MAX_REDIRECTS = 3;
/** A fetch without time limits: `callModel` has one, and a model may think for longer than undici's 300 s. */
let connections: Promise<typeof fetch> | undefined;

async function connect(): Promise<typeof fetch> {
  const { Agent, fetch: fetchOf } = await import('undici');
  const dispatcher = new Agent({ headersTimeout: 0, bodyTimeout: 0 });
  return ((url: never, init?: object) => fetchOf(url, { ...init, dispatcher })) as unknown as typeof fetch;
}
/** Redirects that repeat the request with its method and body. */
const REPEATING = new Set([307, 308]);

/** Sends one request; redirects are the caller's. */
export type Send = (url: string, init: RequestInit) => Promise<Response>;

/**
 * Like `fetch`, but follows redirects only within the origin of the URL, so that prompts go to the configured
 * server only.
 *
 * @param via sends the requests; by default without restrictions
 * @returns the redirect response itself if it is not followed
 */
export async function fetchWithinOrigin(
  url: string | URL | Request,
  init?: RequestInit,
  via?: Send,
): Promise<Response> {
  const send = via ?? (await (connections ??= connect()));
  let target = url instanceof Request ? url.url : String(url);
  for (let redirects = 0; ; redirects++) {
    const response = await send(target, { ...init, redirect: 'manual' });
    const location = response.headers.get('location');
    if (!REPEATING.has(response.status) || location === null || redirects === MAX_REDIRECTS) return response;
    if (!URL.canParse(location, target)) return response;
    const next = new URL(location, target);
    if (next.origin !== new URL(target).origin) return response;
    await response.body?.cancel();
    target = next.href;
  }
}

/** Path of an operation of the API. */
type ApiPath = 'chat/completions' | 'embeddings' | 'models';

/**
 * Returns the URL of an operation. The base URL may end in slashes, name the chat API itself, and have a query.
 */
export function apiUrl(baseUrl: string, path: ApiPath): string {
  const url = new URL(baseUrl);
  url.pathname = `${rootOf(url.pathname)}/${path}`;
  return url.href;
}

/** Returns a base URL as OpenAI's client expects it, and its query. */
export function apiRoot(baseUrl: string): { baseURL: string; query: Record<string, string> } {
  const url = new URL(baseUrl);
  const query = Object.fromEntries(url.searchParams);
  return { baseURL: `${url.origin}${rootOf(url.pathname)}`, query };
}

/** Returns the headers with the key. Azure reads another one at URLs with a version in their query. */
export function keyHeaders(baseUrl: string, apiKey: string | undefined): Record<string, string> {
  if (!apiKey) return {};
  return { authorization: `Bearer ${apiKey}`, ...azureKey(baseUrl, apiKey) };
}

/** Returns the header of Azure's key; none for other servers. */
export const azureKey = (baseUrl: string, apiKey: string): Record<string, string> =>
  new URL(baseUrl).searchParams.has('api-version') ? { 'api-key': apiKey } : {};

const CHAT = '/chat/completions';

function rootOf(path: string): string {
  return withoutEnding(withoutEndSlashes(path), CHAT);
}

const OPERATION = /\/(?:chat\/completions|embeddings|models)$/;
const VERSION = /\/v\d/;
/** URLs of operations that only exist below `/v1`, although the base URL does not name it. */
const versioned = new Set<string>();

/**
 * Fetches a URL of the API. If the base URL names no version and the server does not have the path, it is looked
 * for below `/v1`, which is remembered.
 */
export async function fetchApi(
  ...[given, init, via]: Parameters<typeof fetchWithinOrigin>
): Promise<Response> {
  const url = new URL(given instanceof Request ? given.url : given);
  const below = new URL(url);
  below.pathname = url.pathname.replace(OPERATION, '/v1$&');
  const root = `${url.origin}${url.pathname.replace(OPERATION, '')}`;
  if (versioned.has(root)) return fetchWithinOrigin(below, init, via);
  const response = await fetchWithinOrigin(given, init, via);
  if (!isMissing(response) || VERSION.test(url.pathname) || below.pathname === url.pathname) return response;
  const other = await fetchWithinOrigin(below, init, via);
  const [used, unused] = isMissing(other) ? [response, other] : [other, response];
  await unused.body?.cancel();
  if (used === other) versioned.add(root);
  return used;
}

/** Servers with a website answer every unknown path with a page. */
const isMissing = (response: Response): boolean =>
  response.status === 404 || response.status === 405 || (response.ok && isWebPage(response));

export const isWebPage = ({ headers }: Response): boolean =>
  (headers.get('content-type') ?? '').toLowerCase().startsWith('text/html');
