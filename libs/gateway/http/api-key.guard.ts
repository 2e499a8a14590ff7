import type { GatewaySettings } from '#config/settings.js';
import type { TokenAudience } from '#contracts/api/access-schemas.js';
import { endpoints, scopeOf, type Endpoint, type EndpointName } from '#catalogue/endpoints.js';
import { ProblemError } from '#contracts/errors.js';
import { phrase } from '#contracts/phrases/phrase.js';
import { ApiKeyRepository, type Caller } from '#db/repositories/api-keys.js';
import { isLinkSecret, WebSessionRepository } from '#db/repositories/web-sessions.js';
import { SETTINGS } from '#kit/runtime/infrastructure.module.js';
import { Inject, Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { HttpAdapterHost, Reflector } from '@nestjs/core';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { resourceOf } from './interceptors.js';
import { AuditService } from './audit.service.js';
import { countFailedLogin, isOperator, limitRate } from './rate-limit.js';
import { OPERATOR_CHALLENGE } from '../auth/admin-credentials.js';
import { requireSameOrigin, sessionSecretOf } from '../studio/session-cookie.js';
import { AUDIENCE, ENDPOINT, type AuthenticatedRequest } from './route.js';
import { refuseOtherSites } from './request-hooks.js';

/**
 * Admits a request only with a valid API key or token (`Authorization: Bearer …`) or a browser's session
 * cookie, with the scope of the endpoint, and within the rate limits. Open endpoints need none of that; the
 * operator's endpoints need the admin's credentials.
 */
@Injectable()
export class ApiKeyGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly host: HttpAdapterHost,
    private readonly audit: AuditService,
    @Inject(SETTINGS) private readonly settings: GatewaySettings,
    private readonly keys: ApiKeyRepository,
    private readonly webSessions: WebSessionRepository,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const name = this.reflector.get<EndpointName | undefined>(ENDPOINT, context.getHandler());
    const endpoint: Endpoint | undefined = name && endpoints[name];
    if (endpoint?.open) return true;
    const request = context.switchToHttp().getRequest<AuthenticatedRequest>();
    const reply = context.switchToHttp().getResponse<FastifyReply>();
    const fastify = this.host.httpAdapter.getInstance<FastifyInstance>();
    if (endpoint?.admin) return this.requireAdmin(fastify, request, reply);
    const audience = this.reflector.get<TokenAudience | undefined>(AUDIENCE, context.getHandler()) ?? 'api';
    request.caller = await this.callerOf(fastify, request, reply, name === 'signIn', audience === 'api');
    requireAudience(request.caller, audience);
    await limitRate(fastify, request, reply);
    if (request.caller.isSuspended)
      throw new ProblemError('tenant_suspended', phrase('tenant_suspended.ask_operator'));
    if (name && endpoint) await this.requireScope(request, name, endpoint);
    return true;
  }

  private async requireAdmin(
    fastify: FastifyInstance,
    request: AuthenticatedRequest,
    reply: FastifyReply,
  ): Promise<true> {
    refuseOtherSites(request);
    if (await isOperator(fastify, request, reply, this.settings)) return true;
    reply.header('www-authenticate', OPERATOR_CHALLENGE);
    throw new ProblemError('unauthorized', phrase('unauthorized.operator'));
  }

  private async callerOf(
    fastify: FastifyInstance,
    request: AuthenticatedRequest,
    reply: FastifyReply,
    isSignIn: boolean,
    takesCookies: boolean,
  ): Promise<Caller> {
    const cookie = takesCookies ? sessionSecretOf(request) : undefined;
    if (request.headers.authorization === undefined && cookie !== undefined)
      return this.signedIn(request, cookie);
    const [scheme, credential] = (request.headers.authorization ?? '').split(' ');
    const isBearer = scheme?.toLowerCase() === 'bearer' && credential;
    const isLink = isSignIn && Boolean(isBearer) && isLinkSecret(credential!);
    if (isLink) requireSameOrigin(request);
    const caller = isBearer ? await this.callerBy(credential, isLink) : null;
    if (caller) return caller;
    await countFailedLogin(fastify, request, reply);
    if (isLink) throw new ProblemError('unauthorized', phrase('unauthorized.link_used'));
    throw new ProblemError('unauthorized', phrase('unauthorized.send_key'));
  }

  /**
   * Redeems a link or authenticates a credential. A link is valid for one sign-in, and an attempt uses it up.
   */
  private callerBy(credential: string, isLink: boolean): Promise<Caller | null> {
    if (isLink) return this.webSessions.redeemLink(credential);
    return this.keys.authenticate(credential, this.settings.TOKEN_SECRET);
  }

  private async signedIn(request: AuthenticatedRequest, secret: string): Promise<Caller> {
    const caller = await this.webSessions.authenticate(secret);
    if (!caller) throw new ProblemError('unauthorized', phrase('unauthorized.session_ended'));
    if (request.method !== 'GET') requireSameOrigin(request);
    return caller;
  }

  private async requireScope(
    { caller, params, id }: AuthenticatedRequest,
    name: EndpointName,
    endpoint: Endpoint,
  ): Promise<void> {
    const scope = scopeOf(endpoint);
    if (scope === 'any' || caller.scopes.includes(scope)) return;
    await this.audit.record(caller, {
      action: name,
      resource: resourceOf(params),
      outcome: 'denied',
      requestId: id,
    });
    throw missingScope(scope, caller.scopes);
  }
}

/** Refuses a token for another audience, so that a token issued for /mcp does not work at the API. */
function requireAudience({ tokenAudience }: Caller, audience: TokenAudience): void {
  if (tokenAudience === null || tokenAudience === audience) return;
  throw new ProblemError('unauthorized', phrase('unauthorized.audience', { audience }));
}

/** Returns the problem of a caller whose credentials lack the scope. */
export function missingScope(scope: string, scopes: readonly string[]): ProblemError {
  const detail =
    scopes.length === 0
      ? phrase('forbidden.no_scope', { scope })
      : phrase('forbidden.scope', { scope, scopes: scopes.join(', ') });
  return new ProblemError('forbidden', detail);
}
