import { noop, type BeforeCommit } from '#db/client.js';
import { ProblemError } from '#contracts/errors.js';
import { derivedId, type IdPrefix } from '#contracts/ids.js';
import { endpoints, type Endpoint, type EndpointName } from '#contracts/api/endpoints.js';
import {
  applyDecorators,
  createParamDecorator,
  Delete,
  Get,
  HttpCode,
  Patch,
  Post,
  SetMetadata,
  type ExecutionContext,
} from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { z } from 'zod';
import type { Caller } from '#db/repositories/tenants.js';

/** Keeps the answer of a request in the transaction that does it: a repeated request finds both or neither. */
export type KeepAnswer = BeforeCommit<object>;

export const ENDPOINT = 'scriptorium:endpoint';
/** On a handler: tokens have to be for this audience; without it for `api`. */
export const AUDIENCE = 'scriptorium:audience';

/** A request whose API key was checked. */
export type AuthenticatedRequest = FastifyRequest & {
  caller: Caller;
  /** With an `Idempotency-Key`: the same when the request is done again because its process died. */
  idempotencySeed?: string;
  /** With an `Idempotency-Key`. */
  keepAnswer?: KeepAnswer;
};

const methods = { GET: Get, POST: Post, PATCH: Patch, DELETE: Delete };

/** Makes a controller's method the handler of an endpoint of the catalogue. */
export function Route(name: EndpointName): MethodDecorator {
  const endpoint: Endpoint = endpoints[name];
  return applyDecorators(
    methods[endpoint.method](endpoint.path),
    HttpCode(endpoint.status),
    SetMetadata(ENDPOINT, name),
  );
}

/** Who calls, as the API key says. */
export const FromCaller = createParamDecorator(
  (_: unknown, context: ExecutionContext) => context.switchToHttp().getRequest<AuthenticatedRequest>().caller,
);

/**
 * The id of what a request makes, when it has an `Idempotency-Key`: done again after a crash, it finds what the first made.
 * Undefined without a key.
 */
export const IdFromKey = createParamDecorator((prefix: IdPrefix, context: ExecutionContext) => {
  const { idempotencySeed } = context.switchToHttp().getRequest<AuthenticatedRequest>();
  return idempotencySeed === undefined ? undefined : derivedId(prefix, idempotencySeed);
});

/** For what cannot be found again by an id, since its secret is shown once. Keeps nothing without an `Idempotency-Key`. */
export const KeepingAnswer = createParamDecorator((_: unknown, context: ExecutionContext): KeepAnswer => {
  const { keepAnswer } = context.switchToHttp().getRequest<AuthenticatedRequest>();
  return keepAnswer ?? noop;
});

/** Keeps the answer as the client sees it, once what it tells of is made. */
export const keepView =
  <Made>(keepAnswer: KeepAnswer, view: (made: Made) => object): BeforeCommit<Made> =>
  (tx, made) =>
    keepAnswer(tx, view(made));

/** @throws ProblemError `invalid_request` that names every wrong field */
export function parseOrReject<S extends z.ZodType>(schema: S, value: unknown, what: string): z.infer<S> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const errors = parsed.error.issues.map((issue) => ({ path: issue.path.join('.'), message: issue.message }));
  throw new ProblemError(
    'invalid_request',
    `The ${what} does not fit its schema; "errors" names each wrong field.`,
    errors,
  );
}

/** The validated JSON body of an endpoint. */
export const ValidBody = createParamDecorator((name: EndpointName, context: ExecutionContext) => {
  const endpoint: Endpoint = endpoints[name];
  return parseOrReject(endpoint.body!, context.switchToHttp().getRequest<FastifyRequest>().body, 'body');
});

/** The validated query of an endpoint. */
export const ValidQuery = createParamDecorator((name: EndpointName, context: ExecutionContext) => {
  const endpoint: Endpoint = endpoints[name];
  return parseOrReject(endpoint.query!, context.switchToHttp().getRequest<FastifyRequest>().query, 'query');
});
