import { endpoints, isStream, type Endpoint, type EndpointName } from '#catalogue/endpoints.js';
import { Injectable, type CallHandler, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { concatMap, type Observable } from 'rxjs';
import { ENDPOINT, type AuthenticatedRequest } from '../http/route.js';
import { AuditService } from './audit.service.js';

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
