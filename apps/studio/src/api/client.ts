import type { Paths } from '#catalogue/paths.js';
import type { Schemas } from '#catalogue/named-schemas.js';
import { type ApiProblem, createProblem } from '#contracts/api/responses.js';
import createClient from 'openapi-fetch';

export type { Schemas } from '#catalogue/named-schemas.js';
export { ApiProblem, unwrap } from '#contracts/api/responses.js';

/** Time limit of GET requests in ms, because a dead connection may not be reported. */
const TIMEOUT_MS = 30_000;

/**
 * Sends a request. Only GET requests have a time limit, because requests that change something may have taken
 * effect.
 */
async function fetchInTime(request: Request): Promise<Response> {
  if (request.method !== 'GET') return fetch(request);
  const late = new AbortController();
  const timer = window.setTimeout(() => late.abort(), TIMEOUT_MS);
  try {
    return await fetch(request, { signal: late.signal });
  } finally {
    window.clearTimeout(timer);
  }
}

/** Client of the public API, typed by the endpoint catalogue. The browser sends the session cookie. */
export const api = createClient<Paths>({ baseUrl: window.location.origin, fetch: fetchInTime });

/** Returns the problem of a response that failed. */
export const problemOf = async (response: Response): Promise<ApiProblem> =>
  createProblem(response, await response.json().catch(() => null));

/** Uploads files as a form. @returns the files that the service skipped @throws ApiProblem */
export async function upload(url: string, files: File[]): Promise<Schemas['LeftOutFile'][]> {
  const form = new FormData();
  for (const file of files) form.append('file', file, file.name);
  const response = await fetch(url, { method: 'POST', body: form });
  if (!response.ok) throw await problemOf(response);
  return ((await response.json()) as { left_out: Schemas['LeftOutFile'][] }).left_out;
}
