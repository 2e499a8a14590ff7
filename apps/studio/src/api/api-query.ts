import type { Paths } from '#catalogue/paths.js';
import type { Schemas } from '#catalogue/named-schemas.js';
import { ApiProblem, createProblem, unwrap, type Page } from '#contracts/api/responses.js';
import createClient from 'openapi-fetch';
import {
  infiniteQueryOptions,
  type QueryKey,
  queryOptions,
  type UndefinedInitialDataOptions,
} from '@tanstack/react-query';
import { queryClient } from './query-client';

export type { Schemas } from '#catalogue/named-schemas.js';
export { ApiProblem } from '#contracts/api/responses.js';

/** Time limit of GET requests in ms, because a dead connection may not be reported. */
const TIMEOUT_MS = 30_000;

/** Sends a request. Only GET requests have a time limit, until their answer begins: others may have taken effect. */
const fetchInTime = (request: Request): Promise<Response> => {
  if (request.method !== 'GET') return fetch(request);
  const late = new AbortController();
  const timer = window.setTimeout(() => late.abort(), TIMEOUT_MS);
  return fetch(request, { signal: late.signal }).finally(() => window.clearTimeout(timer));
};

/** Client of the public API, typed by the endpoint catalogue. The browser sends the session cookie. */
const api = createClient<Paths>({ baseUrl: window.location.origin, fetch: fetchInTime });

/** Endpoints of the API, such as `POST /api/plans`. */
export type Endpoint = {
  [Path in keyof Paths]: `${Uppercase<keyof Paths[Path] & string>} ${Path}`;
}[keyof Paths];

type OperationOf<E extends Endpoint> = E extends `${infer Method} ${infer Path extends keyof Paths}`
  ? Paths[Path][Lowercase<Method> & keyof Paths[Path]]
  : never;
type PartOf<Whole, Name extends string> = Whole extends { [Key in Name]?: infer Part }
  ? NonNullable<Part>
  : never;
type Optional<Part> = [Part] extends [never] ? unknown : Part;
type BodyOf<Operation> = Operation extends { requestBody: { content: { 'application/json': infer Body } } }
  ? { body: Body }
  : unknown;

/** What an endpoint is given: the parameters of its path and query by name, and its body. */
export type Given<E extends Endpoint> = Optional<PartOf<PartOf<OperationOf<E>, 'parameters'>, 'path'>> &
  Optional<PartOf<PartOf<OperationOf<E>, 'parameters'>, 'query'>> &
  BodyOf<OperationOf<E>> & {
    headers?: Record<string, string>;
    /** Whether the request is sent although the page closes. */
    keepalive?: boolean;
  };

/** The JSON that an endpoint returns. */
export type Answer<E extends Endpoint> =
  OperationOf<E> extends { responses: { 200: { content: { 'application/json': infer Json } } } }
    ? Json
    : void;

/** Calls an endpoint. @throws ApiProblem */
export const call = send as <E extends Endpoint>(endpoint: E, given: Given<E>) => Promise<Answer<E>>;

/** As `call`, for any endpoint. */
export function send(endpoint: string, given: object): Promise<unknown> {
  const [method = '', url = ''] = endpoint.split(' ');
  const { body, headers, keepalive, ...params } = given as Record<string, unknown>;
  const [path, query]: Record<string, unknown>[] = [{}, {}];
  for (const [name, value] of Object.entries(params))
    (url.includes(`{${name}}`) ? path : query)![name] = value;
  const init = { params: { path, query }, body, headers, keepalive };
  return unwrap(api.request(method.toLowerCase() as 'get', url as never, init as never));
}

/** Sends a request that the typed client cannot: of texts and files. @throws ApiProblem */
export async function fetched(url: string, init?: RequestInit): Promise<Response> {
  const response = await fetch(url, init);
  if (!response.ok) throw createProblem(response, await response.json().catch(() => null));
  return response;
}

/** Returns null if the service refuses a request with a status. @throws ApiProblem with any other */
export const nullIf = <Data>(status: number, request: Promise<Data>): Promise<Data | null> =>
  request.catch((error: unknown) => {
    if (error instanceof ApiProblem && error.problem.status === status) return null;
    throw error;
  });

/** Fetches what may not exist yet; null then. @throws ApiProblem */
export const fetchedIfAny = (url: string, init?: RequestInit): Promise<Response | null> =>
  nullIf(404, fetched(url, init));

/** Sends files as a form, by their own names or by others. @throws ApiProblem */
export function postFiles(
  url: string,
  files: readonly (File | { name: string; file: File })[],
): Promise<Response> {
  const body = new FormData();
  for (const each of files) body.append('file', each instanceof File ? each : each.file, each.name);
  return fetched(url, { method: 'POST', body });
}

/**
 * Uploads files, and refetches the queries whose keys begin with `stale`.
 *
 * @returns the files that the service skipped
 * @throws ApiProblem
 */
export async function upload(url: string, files: File[], stale: QueryKey): Promise<Schemas['LeftOutFile'][]> {
  try {
    const response = await postFiles(url, files);
    return ((await response.json()) as { left_out: Schemas['LeftOutFile'][] }).left_out;
  } finally {
    await queryClient.invalidateQueries({ queryKey: stale });
  }
}

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
