import type { Paths } from '#catalogue/paths.js';
import type { Page } from '#contracts/api/responses.js';
import {
  infiniteQueryOptions,
  type QueryKey,
  queryOptions,
  type UndefinedInitialDataOptions,
} from '@tanstack/react-query';
import { api, unwrap } from './client';
import { queryClient } from './query-client';

/** The endpoints that are read with GET, by path. */
type Reads = { [Path in keyof Paths as Paths[Path] extends { get: object } ? Path : never]: Paths[Path] };
type Get<Path extends keyof Reads> = Reads[Path] extends { get: infer Operation } ? Operation : never;
type ParametersOf<Path extends keyof Reads> = Get<Path> extends { parameters: infer P } ? P : never;
type ResponseOf<Path extends keyof Reads> =
  Get<Path> extends { responses: { 200: { content: { 'application/json': infer Json } } } } ? Json : never;
type ItemOf<Path extends keyof Reads> = ResponseOf<Path> extends Page<infer Item> ? Item : never;
type QueryOf<Path extends keyof Reads> = ParametersOf<Path> extends { query?: infer Query } ? Query : never;
type Options<Data> = Omit<UndefinedInitialDataOptions<Data>, 'queryKey' | 'queryFn'>;

/** Reads the response of an endpoint. @throws ApiProblem */
const read = <Path extends keyof Reads>(path: Path, params: object) =>
  unwrap(api.GET(path, { params } as never)) as Promise<ResponseOf<Path>>;

/**
 * Query for the response of an endpoint.
 *
 * @param queryKey names it for `apiChange` and `refresh.ts`
 */
export const apiQuery = <Path extends keyof Reads>(
  queryKey: QueryKey,
  path: Path,
  params: ParametersOf<Path>,
  options?: Options<ResponseOf<Path>>,
) => queryOptions({ queryKey, queryFn: () => read(path, params as object), ...options });

/**
 * Query for a list that is read page by page, as far as the user asks.
 *
 * @param queryKey names it for `apiChange` and `refresh.ts`
 */
export const apiPages = <Path extends keyof Reads>(
  queryKey: QueryKey,
  path: Path,
  query: Omit<QueryOf<Path>, 'limit' | 'cursor'>,
  refetchInterval?: number,
) => {
  const readPage = (cursor: string) => {
    const params = { query: { ...query, limit: 50, ...(cursor === '' ? {} : { cursor }) } };
    return read(path, params) as Promise<Page<ItemOf<Path>>>;
  };
  return infiniteQueryOptions({
    queryKey,
    queryFn: ({ pageParam }) => readPage(pageParam),
    initialPageParam: '',
    getNextPageParam: (page) => page.next_cursor,
    ...(refetchInterval === undefined ? {} : { refetchInterval }),
  });
};

/** A call of the client. */
export type Call<Data> = Promise<{ data?: Data; error?: unknown; response: Response }>;

/**
 * Sends a request that changes something, and refetches the queries whose keys begin with one of `stale`.
 *
 * @throws ApiProblem
 */
export async function apiChange<Data>(call: Call<Data>, ...stale: QueryKey[]): Promise<Data> {
  const data = await unwrap(call);
  await Promise.all(stale.map((queryKey) => queryClient.invalidateQueries({ queryKey })));
  return data;
}
