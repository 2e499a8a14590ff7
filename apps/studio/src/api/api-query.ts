import type { Page } from '#contracts/api/responses.js';
import {
  infiniteQueryOptions,
  type QueryKey,
  queryOptions,
  type UndefinedInitialDataOptions,
} from '@tanstack/react-query';
import { type Answer, call, type Endpoint, type Given, send } from './client';
import { queryClient } from './query-client';

type ReadBy<E> = E extends `GET ${infer Path}` ? Path : never;
/** Paths of the endpoints that are read. */
type Reads = ReadBy<Endpoint>;
type Get<Path extends Reads> = Extract<Endpoint, `GET ${Path}`>;
type PageOf<Path extends Reads> = Answer<Get<Path>> extends Page<infer Item> ? Page<Item> : never;
type Options<Data> = Omit<UndefinedInitialDataOptions<Data>, 'queryKey' | 'queryFn'>;

/**
 * Query for the response of an endpoint.
 *
 * @param queryKey names it for `change` and `refresh.ts`
 */
export const apiQuery = <Path extends Reads>(
  queryKey: QueryKey,
  path: Path,
  given: Given<Get<Path>>,
  options?: Options<Answer<Get<Path>>>,
) =>
  queryOptions({
    queryKey,
    queryFn: () => send(`GET ${path}`, given) as Promise<Answer<Get<Path>>>,
    ...options,
  });

/**
 * Query for a list that is read page by page, as far as the user asks.
 *
 * @param queryKey names it for `change` and `refresh.ts`
 */
export const apiPages = <Path extends Reads>(
  queryKey: QueryKey,
  path: Path,
  given: Given<Get<Path>>,
  refetchInterval?: number,
) =>
  infiniteQueryOptions({
    queryKey,
    queryFn: ({ pageParam: cursor }) => {
      const page = { ...(given as object), limit: 50, ...(cursor === '' ? {} : { cursor }) };
      return send(`GET ${path}`, page) as Promise<PageOf<Path>>;
    },
    initialPageParam: '',
    getNextPageParam: ({ next_cursor }: Page<unknown>) => next_cursor,
    ...(refetchInterval === undefined ? {} : { refetchInterval }),
  });

/**
 * Calls an endpoint that changes something, and refetches the queries whose keys begin with one of `stale`.
 *
 * @throws ApiProblem
 */
export async function change<E extends Endpoint>(
  endpoint: E,
  given: Given<E>,
  ...stale: QueryKey[]
): Promise<Answer<E>> {
  const data = await call(endpoint, given);
  await Promise.all(stale.map((queryKey) => queryClient.invalidateQueries({ queryKey })));
  return data;
}
