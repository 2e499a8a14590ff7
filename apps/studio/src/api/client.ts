import type { components, paths } from '#api-client/generated/api.js';
import createClient from 'openapi-fetch';

export type Schemas = components['schemas'];
export type Problem = Schemas['Problem'];

/** What the service says is wrong (RFC 9457); `code` is stable, `detail` says what to do. */
export class ApiProblem extends Error {
  override readonly name = 'ApiProblem';

  constructor(readonly problem: Pick<Problem, 'status' | 'code' | 'detail' | 'title'>) {
    super(problem.detail);
  }
}

/** Milliseconds for which the answer to a question is waited for: a connection may be dead without anybody saying so. */
const ANSWER_MS = 30_000;

/** What changes something is not cut off: it may have been done. */
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

/** The public API, typed by its OpenAPI document. The session cookie is sent by the browser. */
export const api = createClient<paths>({ baseUrl: window.location.origin, fetch: fetchInTime });

/** A problem of any failed answer; what is none of ours (a proxy's page, no network) gets a code of its own. */
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

/** Returns the files that an upload left out. @throws ApiProblem */
export async function leftOutOf(response: Response): Promise<Schemas['LeftOutFile'][]> {
  if (!response.ok) throw await problemOf(response);
  return ((await response.json()) as { left_out: Schemas['LeftOutFile'][] }).left_out;
}

/** The data of an answer. @throws ApiProblem */
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
