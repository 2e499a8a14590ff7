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
