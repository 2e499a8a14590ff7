import type { GuardedFetch } from './guarded-fetch.js';

const MAX_REDIRECTS = 3;

/** A page redirects more often than is followed. */
export class TooManyRedirectsError extends Error {
  override readonly name = 'TooManyRedirectsError';
}

/**
 * Gets a page and follows its redirects; each address is checked.
 *
 * @returns the response and the address that gave it
 * @throws TooManyRedirectsError; errors of `fetch`
 */
export async function fetchFollowing(
  fetch: GuardedFetch,
  first: string,
  signal: AbortSignal,
): Promise<{ answer: Response; url: string }> {
  let url = first;
  for (let hop = 0; hop <= MAX_REDIRECTS; hop++) {
    const answer = await fetch(url, { headers: { 'user-agent': 'Scriptorium' }, signal });
    const location = answer.headers.get('location');
    if (answer.status < 300 || answer.status >= 400 || location === null) return { answer, url };
    await answer.body?.cancel();
    url = new URL(location, url).href;
  }
  throw new TooManyRedirectsError(`The page redirects more than ${MAX_REDIRECTS} times.`);
}
