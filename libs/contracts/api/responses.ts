import type { ProblemDetails } from '../errors.js';

/** A problem reported by the service (RFC 9457): `code` is stable, `detail` advises what to do. */
export class ApiProblem extends Error {
  override readonly name = 'ApiProblem';

  constructor(
    readonly problem: Pick<ProblemDetails, 'status' | 'code' | 'detail' | 'title'> &
      Partial<Pick<ProblemDetails, 'phrase' | 'errors'>>,
  ) {
    super(problem.detail);
  }
}

/** Returns the data of a response. @throws ApiProblem */
export async function unwrap<T>(
  call: Promise<{ data?: T; error?: unknown; response: Response }>,
): Promise<T> {
  const { data, error, response } = await call;
  if (response.ok) return data as T;
  throw createProblem(response, error);
}

/**
 * Returns the problem in the body of a response; bodies from elsewhere (such as a proxy's page) get the code
 * `unavailable`.
 */
export function createProblem({ status, statusText: title }: Response, body: unknown): ApiProblem {
  const problem = body as ProblemDetails | null | undefined;
  if (typeof problem?.code === 'string') return new ApiProblem(problem);
  return new ApiProblem({ status, code: 'unavailable', title, detail: `HTTP ${status}` });
}

export interface Page<Item> {
  items: Item[];
  next_cursor: string | null;
}

/** Reads a page of a list that begins after `cursor`. */
export type ReadPage<Item> = (query: { limit: number; cursor?: string }) => Promise<Page<Item>>;

/** Returns every item of a list. */
export async function everyItem<Item>(read: ReadPage<Item>): Promise<Item[]> {
  const limit = 100;
  let page = await read({ limit });
  const all = [...page.items];
  while (page.next_cursor !== null) {
    page = await read({ limit, cursor: page.next_cursor });
    all.push(...page.items);
  }
  return all;
}
