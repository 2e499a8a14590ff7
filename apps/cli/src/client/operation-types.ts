import type { Schemas } from '#contracts/api/named-schemas.js';
import type { Paths } from '#contracts/api/paths.js';
import type { Part } from './multipart.js';

/** A schema that the OpenAPI document names. */
export type Schema<Name extends keyof Schemas> = Schemas[Name];

export type Method = 'GET' | 'POST' | 'DELETE';

/** The paths that have an operation of the method. */
export type PathOf<M extends Method> = {
  [P in keyof Paths]: Paths[P] extends Record<Lowercase<M>, object> ? P : never;
}[keyof Paths];

/** The operation of a method and path. */
export type OperationOf<M extends Method, P extends PathOf<M>> =
  Paths[P] extends Record<Lowercase<M>, infer Operation> ? Operation : never;

type ContentOf<Operation> = Operation extends { requestBody: { content: infer Content } } ? Content : never;

/** Values for the `{name}` parts of the path. */
type PathValues<Operation> = Operation extends {
  parameters: { path: infer Values extends Record<string, string> };
}
  ? { params: Values }
  : { params?: undefined };

export type QueryParameters = Record<string, string | number | boolean | undefined>;

type QueryValues<Operation> = Operation extends {
  parameters: { query?: infer Values extends QueryParameters };
}
  ? { query?: Values }
  : { query?: undefined };

/** A JSON body, or the parts of a multipart body that are read while they are sent: whatever the operation takes. */
export type BodyOf<Operation> =
  | (ContentOf<Operation> extends { 'application/json': infer Json }
      ? { json: Json; parts?: undefined }
      : never)
  | (ContentOf<Operation> extends { 'multipart/form-data': unknown }
      ? { parts: Part[]; json?: undefined }
      : never)
  | ([ContentOf<Operation>] extends [never] ? { json?: undefined; parts?: undefined } : never);

/** What a call sends: the parameters and the body of the operation, and what any request may have. */
export type CallOptions<Operation> = PathValues<Operation> &
  QueryValues<Operation> &
  BodyOf<Operation> & { headers?: Record<string, string>; signal?: AbortSignal };

/** The options of a call, which may be left out when none is needed. */
export type OptionalArgument<Options> = object extends Options ? [options?: Options] : [options: Options];

/** The JSON that an operation answers with when it succeeds. */
export type ResponseOf<Operation> = Operation extends { responses: infer Responses }
  ? JsonOf<Responses[keyof Responses & (200 | 201 | 202)]>
  : never;

type JsonOf<Response> = Response extends { content: { 'application/json': infer Json } } ? Json : never;
