const MAX_REDIRECTS = 3;
/** Redirects that repeat the request with its method and body. */
const REPEATING = new Set([307, 308]);

/**
 * Like `fetch`, but follows redirects only within the origin of the URL, so that prompts go to the configured
 * server only.
 *
 * @returns the redirect response itself if it is not followed
 */
export async function fetchWithinOrigin(url: string | URL | Request, init?: RequestInit): Promise<Response> {
  let target = url instanceof Request ? url.url : String(url);
  for (let redirects = 0; ; redirects++) {
    const response = await fetch(target, { ...init, redirect: 'manual' });
    const location = response.headers.get('location');
    if (!REPEATING.has(response.status) || location === null || redirects === MAX_REDIRECTS) return response;
    if (!URL.canParse(location, target)) return response;
    const next = new URL(location, target);
    if (next.origin !== new URL(target).origin) return response;
    await response.body?.cancel();
    target = next.href;
  }
}
