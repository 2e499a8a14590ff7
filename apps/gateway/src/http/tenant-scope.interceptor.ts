import { asTenant } from '#db/tenant-scope.js';
import { Injectable, type CallHandler, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
import { Observable } from 'rxjs';
import type { AuthenticatedRequest } from './route.js';

/**
 * Runs everything that a request with an API key does as its tenant, so that row-level security holds for each of its
 * statements. Requests without a caller are open ones or the operator's.
 */
@Injectable()
export class TenantScopeInterceptor implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const { caller } = context.switchToHttp().getRequest<Partial<AuthenticatedRequest>>();
    if (!caller) return next.handle();
    return new Observable((subscriber) =>
      asTenant(caller.tenantId, () => next.handle().subscribe(subscriber)),
    );
  }
}
