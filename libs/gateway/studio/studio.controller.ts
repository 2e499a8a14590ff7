import type { Caller } from '#db/repositories/api-keys.js';
import { Controller, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { FromCaller, Route } from '../http/route.js';
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
  constructor(private readonly studio: StudioService) {}

  @Route('signIn')
  async signIn(
    @FromCaller() caller: Caller,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    requireSameOrigin(request);
    const { secret, expiresAt } = await this.studio.signIn(caller, sessionSecretOf(request));
    setSessionCookie(request, reply, secret, expiresAt);
    return this.view({ ...caller, tokenExpiresAt: expiresAt });
  }

  @Route('getWebSession')
  session(@FromCaller() caller: Caller) {
    return this.view(caller);
  }

  @Route('signOut')
  async signOut(@Req() request: FastifyRequest, @Res({ passthrough: true }) reply: FastifyReply) {
    await this.studio.signOut(sessionSecretOf(request));
    clearSessionCookie(request, reply);
  }

  @Route('createSignInLink')
  async createLink(@FromCaller() caller: Caller) {
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
    };
  }
}
