import type { GatewaySettings } from '#config/settings.js';
import type { Caller } from '#db/repositories/api-keys.js';
import { Controller, Inject, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { SETTINGS } from '#kit/runtime/infrastructure.module.js';
import { Route, type EndpointRequest } from '../http/route.js';
import {
  clearSessionCookie,
  requireSameOrigin,
  sessionSecretOf,
  setSessionCookie,
} from './session-cookie.js';
import { StudioService } from './studio.service.js';

/** Signs browsers of the web studio in and out. */
@Controller()
export class StudioController {
  constructor(
    private readonly studio: StudioService,
    @Inject(SETTINGS) private readonly settings: GatewaySettings,
  ) {}

  @Route('signIn')
  async signIn(
    { caller, raw: request }: EndpointRequest<'signIn'>,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    requireSameOrigin(request);
    const { secret, expiresAt } = await this.studio.signIn(caller, sessionSecretOf(request));
    setSessionCookie(request, reply, secret, expiresAt);
    return this.view({ ...caller, tokenExpiresAt: expiresAt });
  }

  @Route('getWebSession')
  session({ caller }: EndpointRequest<'getWebSession'>) {
    return this.view(caller);
  }

  @Route('signOut')
  async signOut(
    { raw: request }: EndpointRequest<'signOut'>,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    await this.studio.signOut(sessionSecretOf(request));
    clearSessionCookie(request, reply);
  }

  @Route('createSignInLink')
  async createLink({ caller }: EndpointRequest<'createSignInLink'>) {
    const { secret, expiresAt } = await this.studio.createLink(caller);
    // Put the secret into the URL fragment, which logs and other sites do not receive.
    return { path: `/sign-in#${secret}`, expires_at: expiresAt.toISOString() };
  }

  private async view({ tenantId, apiKeyId, apiKeyName, scopes, tokenExpiresAt }: Caller) {
    return {
      tenant_id: tenantId,
      tenant_name: await this.studio.tenantName(tenantId),
      api_key_id: apiKeyId,
      api_key_name: apiKeyName,
      scopes: [...scopes],
      expires_at: tokenExpiresAt?.toISOString() ?? null,
      can_fetch_pages: this.settings.FETCH_URL,
    };
  }
}
