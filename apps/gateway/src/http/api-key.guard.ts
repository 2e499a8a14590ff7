import { endpoints, type Endpoint, type EndpointName } from '#contracts/api/endpoints.js';
import { ProblemError } from '#contracts/errors.js';
import type { Database } from '#db/client.js';
import { TenantRepository } from '#db/repositories/tenants.js';
import { DATABASE } from '#runtime/infrastructure.module.js';
import { Inject, Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { ENDPOINT, type AuthenticatedRequest } from './route.js';

/** Lets a request in only with a valid API key (`Authorization: Bearer scr_…`), unless its endpoint is open. */
@Injectable()
export class ApiKeyGuard implements CanActivate {
  private readonly tenants: TenantRepository;

  constructor(
    private readonly reflector: Reflector,
    @Inject(DATABASE) db: Database,
  ) {
    this.tenants = new TenantRepository(db);
  }

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const name = this.reflector.get<EndpointName | undefined>(ENDPOINT, context.getHandler());
    const endpoint: Endpoint | undefined = name && endpoints[name];
    if (endpoint?.open) return true;
    const request = context.switchToHttp().getRequest<AuthenticatedRequest>();
    const [scheme, key] = (request.headers.authorization ?? '').split(' ');
    const caller = scheme?.toLowerCase() === 'bearer' && key ? await this.tenants.authenticate(key) : null;
    if (!caller) {
      throw new ProblemError('unauthorized', 'Send a valid API key as "Authorization: Bearer scr_…".');
    }
    request.caller = caller;
    return true;
  }
}
