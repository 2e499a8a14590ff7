import { asTenant } from '#db/tenant-scope.js';
import { Injectable, type CallHandler, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
import { Observable } from 'rxjs';
import type { AuthenticatedRequest } from './route.js';

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
