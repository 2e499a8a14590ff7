import { beginSpan, failSpan, isTracing, SpanKind, within } from '#telemetry/tracing.js';
import { Injectable, type CallHandler, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Observable, concatMap } from 'rxjs';
import { type AuthenticatedRequest, ENDPOINT } from './route.js';
import { asTenant } from '#db/tenant-scope.js';
import { endpoints, isStream, type Endpoint, type EndpointName } from '#catalogue/endpoints.js';
import { Reflector } from '@nestjs/core';
import { AuditService } from '../auth/audit.service.js';

const begun = new WeakMap<FastifyRequest, ReturnType<typeof beginSpan>>();
/** Probes and scrapers request these every few seconds. */
const NOT_TRACED = /^\/(api\/health|metrics)/;

/**
 * Creates a span per request, named by its route's pattern, in the trace of the client's `traceparent`. Does
 * nothing if tracing is off.
 */
export function traceRequests(fastify: FastifyInstance): void {
  if (!isTracing()) return;
  fastify.addHook('onRequest', async (request) => {
    const route = request.routeOptions.url ?? 'unknown';
    if (NOT_TRACED.test(route)) return;
    const { traceparent } = request.headers;
    begun.set(
      request,
      beginSpan(`${request.method} ${route}`, {
        kind: SpanKind.SERVER,
        attributes: {
          'http.request.method': request.method,
          'http.route': route,
          'scriptorium.request_id': request.id,
        },
        parent: typeof traceparent === 'string' ? traceparent : null,
      }),
    );
  });
  fastify.addHook('onResponse', async (request, reply) => {
    const span = begun.get(request)?.span;
    if (!span) return;
    const { caller } = request as Partial<AuthenticatedRequest>;
    if (caller) span.setAttribute('scriptorium.tenant_id', caller.tenantId);
    span.setAttribute('http.response.status_code', reply.statusCode);
    if (reply.statusCode >= 500) failSpan(span, { code: String(reply.statusCode) });
    span.end();
  });
}

/** Runs the work of a request within its span. */
@Injectable()
export class TraceInterceptor implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const span = begun.get(context.switchToHttp().getRequest<FastifyRequest>());
    if (!span) return next.handle();
    return new Observable((subscriber) => within(span.context, () => next.handle().subscribe(subscriber)));
  }
}

/**
 * Runs every request with a caller in the scope of its tenant, so that row-level security applies to each
 * statement. Requests without a caller are open ones or the operator's.
 */
@Injectable()
export class TenantScopeInterceptor implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const { caller } = context.switchToHttp().getRequest<Partial<AuthenticatedRequest>>();
    if (!caller) return next.handle();
    return new Observable((subscriber) =>
      asTenant(caller.tenantId, () => next.handle().subscribe(subscriber), caller.apiKeyId),
    );
  }
}

/**
 * Returns the resource of a request: the ids in its path, else the id in its response, else an empty string.
 */
export function resourceOf(params: unknown, answer?: unknown): string {
  const ids = Object.entries((params ?? {}) as Record<string, string>).filter(([name]) =>
    name.endsWith('_id'),
  );
  if (ids.length > 0) return ids.map(([, id]) => id).join('/');
  const { id } = (answer ?? {}) as { id?: unknown };
  return typeof id === 'string' ? id : '';
}

/**
 * Adds an audit entry for each change that a caller made, before the response is sent. Streaming endpoints
 * write their own entries.
 */
@Injectable()
export class AuditInterceptor implements NestInterceptor {
  constructor(
    private readonly reflector: Reflector,
    private readonly audit: AuditService,
  ) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const action = this.reflector.get<EndpointName | undefined>(ENDPOINT, context.getHandler());
    const endpoint: Endpoint | undefined = action && endpoints[action];
    if (!action || !endpoint || endpoint.open || endpoint.method === 'GET' || isStream(endpoint))
      return next.handle();
    const { caller, params, id: requestId } = context.switchToHttp().getRequest<AuthenticatedRequest>();
    return next.handle().pipe(
      concatMap(async (answer: unknown) => {
        if (endpoint.admin) {
          await this.audit.recordOperator(resourceOf(params, answer), action, requestId);
          return answer;
        }
        const resource = resourceOf(params, answer) || caller.apiKeyId;
        await this.audit.record(caller, { action, resource, outcome: 'done', requestId });
        return answer;
      }),
    );
  }
}
