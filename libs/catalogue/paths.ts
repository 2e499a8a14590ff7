import type { z } from 'zod';
import type { ProblemDetails } from '#contracts/errors.js';
import type { Endpoint, endpoints } from './endpoints.js';

type Endpoints = typeof endpoints;

/** A path in OpenAPI syntax: `/api/keys/{key_id}` for `/api/keys/:key_id`. */
type PathOf<Path extends string> = Path extends `${infer Start}:${infer Name}/${infer Rest}`
  ? `${Start}{${Name}}/${PathOf<Rest>}`
  : Path extends `${infer Start}:${infer Name}`
    ? `${Start}{${Name}}`
    : Path;

/** The names of the parameters of a path. */
export type ParameterOf<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | ParameterOf<Rest>
  : Path extends `${string}:${infer Name}`
    ? Name
    : never;

type PathParameters<E extends Endpoint> = [ParameterOf<E['path']>] extends [never]
  ? { path?: never }
  : { path: Record<ParameterOf<E['path']>, string> };

/**
 * A query as a client passes it: parameters with a default are optional, and numbers are numbers, not the
 * text of the URL.
 */
type QueryOf<Query extends z.ZodObject> = {
  [Name in keyof z.input<Query>]: z.output<Query>[Name & keyof z.output<Query>];
};

type QueryParameters<E extends Endpoint> = E extends { query: infer Query extends z.ZodObject }
  ? object extends QueryOf<Query>
    ? { query?: QueryOf<Query> }
    : { query: QueryOf<Query> }
  : { query?: never };

type Json<Schema> = { 'application/json': Schema };
type Multipart<E extends Endpoint> = E extends { multipart: string }
  ? { 'multipart/form-data': Record<string, string> }
  : object;

type RequestOf<E extends Endpoint> = E extends { body: infer Body extends z.ZodType }
  ? { requestBody: { content: Json<z.input<Body>> & Multipart<E> } }
  : E extends { multipart: string }
    ? { requestBody: { content: Multipart<E> } }
    : { requestBody?: never };

/** The JSON of a response; streams and files are read as a `Response`. */
type ResponseOf<E extends Endpoint> = E extends { response: infer Response extends z.ZodType }
  ? Json<z.output<Response>>
  : object;

/**
 * An endpoint as openapi-fetch expects it. Each success is listed as 200: a client reads the same content
 * from a 201.
 */
type OperationOf<E extends Endpoint> = RequestOf<E> & {
  parameters: PathParameters<E> & QueryParameters<E>;
  responses: {
    200: { content: ResponseOf<E> };
    default: { content: { 'application/problem+json': ProblemDetails } };
  };
};

/** The endpoints of a path. */
type NameAt<Path extends string> = {
  [Name in keyof Endpoints]: PathOf<Endpoints[Name]['path']> extends Path ? Name : never;
}[keyof Endpoints];

/** The paths of the API with their operations, from the endpoint catalogue. */
export type Paths = {
  [Path in PathOf<Endpoints[keyof Endpoints]['path']>]: {
    [Name in NameAt<Path> as Lowercase<Endpoints[Name]['method']>]: OperationOf<Endpoints[Name]>;
  };
};
