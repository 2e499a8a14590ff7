import type { Schemas } from '#contracts/api/named-schemas.js';
import type { Paths } from '#contracts/api/paths.js';
import type { ProblemDetails as Problem } from '#contracts/errors.js';
import createClient from 'openapi-fetch';

export type { Schemas };

/** A problem reported by the service (RFC 9457): `code` is stable, `detail` advises what to do. */
export class ApiProblem extends Error {
  override readonly name = 'ApiProblem';

  constructor(readonly problem: Pick<Problem, 'status' | 'code' | 'detail' | 'title'>) {
    super(problem.detail);
  }
}

/** Time limit of GET requests in ms, because a dead connection may not be reported. */
const ANSWER_MS = 30_000;

/**
 * Sends a request with a time limit. Requests that change something have none, because they may have taken
 * effect.
 */
async function fetchInTime(request: Request): Promise<Response> {
  if (request.method !== 'GET') return fetch(request);
  const late = new AbortController();
  const timer = window.setTimeout(() => late.abort(), ANSWER_MS);
  try {
    return await fetch(request, { signal: late.signal });
  } finally {
    window.clearTimeout(timer);
  }
}

/** Client of the public API, typed by the endpoint catalogue. The browser sends the session cookie. */
export const api = createClient<Paths>({ baseUrl: window.location.origin, fetch: fetchInTime });

/**
 * Returns the problem of a failed response; responses from elsewhere (such as a proxy's page) get the code
 * `unavailable`.
 */
export async function problemOf(response: Response): Promise<ApiProblem> {
  const body = (await response.json().catch(() => null)) as Problem | null;
  if (body && typeof body.code === 'string') return new ApiProblem(body);
  return new ApiProblem({
    status: response.status,
    code: 'unavailable',
    title: response.statusText,
    detail: `HTTP ${response.status}`,
  });
}

/** Returns the files that an upload skipped. @throws ApiProblem */
export async function leftOutOf(response: Response): Promise<Schemas['LeftOutFile'][]> {
  if (!response.ok) throw await problemOf(response);
  return ((await response.json()) as { left_out: Schemas['LeftOutFile'][] }).left_out;
}

/** Returns the data of a response. @throws ApiProblem */
export async function unwrap<T>(
  call: Promise<{ data?: T; error?: unknown; response: Response }>,
): Promise<T> {
  const { data, error, response } = await call;
  if (response.ok) return data as T;
  throw new ApiProblem(
    error && typeof error === 'object' && 'code' in error
      ? (error as Problem)
      : {
          status: response.status,
          code: 'unavailable',
          title: response.statusText,
          detail: `HTTP ${response.status}`,
        },
  );
}
