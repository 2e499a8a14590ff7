import { beginSpan, failSpan, isTracing, SpanKind, within } from '#telemetry/tracing.js';
import { Injectable, type CallHandler, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Observable } from 'rxjs';
import type { AuthenticatedRequest } from './route.js';

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
