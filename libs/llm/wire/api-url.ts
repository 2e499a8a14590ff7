import { fetchWithinOrigin } from '../fetch-within-origin.js';

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
  let end = path.length;
  while (path[end - 1] === '/') end -= 1;
  const root = path.slice(0, end);
  return root.endsWith(CHAT) ? root.slice(0, -CHAT.length) : root;
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
