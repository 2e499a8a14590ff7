import { noop, type BeforeCommit } from '#db/client.js';
import { ProblemError } from '#contracts/errors.js';
import { phrase } from '#contracts/phrases/phrase.js';
import { derivedId, type IdPrefix } from '#contracts/ids.js';
import { endpoints, type Endpoint, type EndpointName } from '#catalogue/endpoints.js';
import type { ParameterOf } from '#catalogue/paths.js';
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

/**
 * Stores the response in the transaction that performs the request, so that a repeat finds both or neither.
 */
export type KeepAnswer = BeforeCommit<object>;

type Endpoints = typeof endpoints;

export const ENDPOINT = 'scriptorium:endpoint';
/** Handler metadata: the audience that tokens must have, by default `api`. */
export const AUDIENCE = 'scriptorium:audience';

/** A request with an authenticated caller. */
export type AuthenticatedRequest = FastifyRequest & {
  caller: Caller;
  /** Set with an `Idempotency-Key`; the same when the request is repeated after a crash. */
  idempotencySeed?: string;
  /** Set with an `Idempotency-Key`. */
  keepAnswer?: KeepAnswer;
};

const methods = { GET: Get, POST: Post, PATCH: Patch, DELETE: Delete };

/**
 * A request of an endpoint, as its handler receives it. `query` and `body` are validated by the catalogue when
 * they are read.
 */
export interface EndpointRequest<Name extends EndpointName> {
  /** Identified by the API key; absent if the endpoint is open or the operator's. */
  caller: Caller;
  tenantId: string;
  params: Record<ParameterOf<Endpoints[Name]['path']>, string>;
  query: Endpoints[Name] extends { query: infer Schema extends z.ZodType } ? z.output<Schema> : never;
  body: Endpoints[Name] extends { body: infer Schema extends z.ZodType } ? z.output<Schema> : never;
  raw: FastifyRequest;
}

type Handler<Name extends EndpointName> = (request: EndpointRequest<Name>, ...more: never[]) => unknown;

/** Reads from the request what a handler asks for. */
class ValidatedRequest {
  constructor(
    private readonly endpoint: Endpoint,
    readonly raw: AuthenticatedRequest,
  ) {}

  get caller() {
    return this.raw.caller;
  }

  get tenantId() {
    return this.raw.caller.tenantId;
  }

  get params() {
    return this.raw.params;
  }

  get query() {
    return parseOrReject(this.endpoint.query!, this.raw.query, 'query');
  }

  get body() {
    return parseOrReject(this.endpoint.body!, this.raw.body, 'body');
  }
}

const InjectRequest = createParamDecorator(
  (endpoint: Endpoint, context: ExecutionContext) =>
    new ValidatedRequest(endpoint, context.switchToHttp().getRequest<AuthenticatedRequest>()),
);

/**
 * Makes a controller's method the handler of an endpoint of the catalogue. Its first parameter is the
 * `EndpointRequest<Name>`; other parameters need a decorator.
 */
export function Route<Name extends EndpointName>(name: Name) {
  const endpoint: Endpoint = endpoints[name];
  return <Method extends Handler<Name>>(
    target: object,
    method: string,
    descriptor: TypedPropertyDescriptor<Method>,
  ): void => {
    InjectRequest(endpoint)(target, method, 0);
    applyDecorators(
      methods[endpoint.method](endpoint.path),
      HttpCode(endpoint.status),
      SetMetadata(ENDPOINT, name),
    )(target, method, descriptor);
  };
}

/**
 * Injects the id of the resource that a request creates, derived from its `Idempotency-Key`, so that a repeat
 * after a crash finds the resource of the first attempt. Undefined without a key.
 */
export const IdFromKey = createParamDecorator((prefix: IdPrefix, context: ExecutionContext) => {
  const { idempotencySeed } = context.switchToHttp().getRequest<AuthenticatedRequest>();
  return idempotencySeed === undefined ? undefined : derivedId(prefix, idempotencySeed);
});

/**
 * Injects the function that stores the response, for resources whose secret is shown once and that a repeat
 * cannot look up. A no-op without an `Idempotency-Key`.
 */
export const KeepingAnswer = createParamDecorator((_: unknown, context: ExecutionContext): KeepAnswer => {
  const { keepAnswer } = context.switchToHttp().getRequest<AuthenticatedRequest>();
  return keepAnswer ?? noop;
});

/** Stores the API view of a resource in the transaction that creates it. */
export const keepView =
  <Made>(keepAnswer: KeepAnswer, view: (made: Made) => object): BeforeCommit<Made> =>
  (tx, made) =>
    keepAnswer(tx, view(made));

/** @throws ProblemError `invalid_request`, which names every wrong field */
export function parseOrReject<S extends z.ZodType>(
  schema: S,
  value: unknown,
  what: 'body' | 'query',
): z.infer<S> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const errors = parsed.error.issues.map((issue) => ({ path: issue.path.join('.'), message: issue.message }));
  throw new ProblemError('invalid_request', phrase(`invalid_request.${what}`), errors);
}
