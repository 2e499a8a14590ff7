import type { ApiKeyRepository } from '#db/repositories/api-keys.js';
import type { OAuthSecretRepository } from '#db/repositories/oauth-secrets.js';
import { createHash } from 'node:crypto';
import { z } from 'zod';

/** Lifetime of an access token, which a revocation of the grant does not end. */
const ACCESS_SECONDS = 10 * 60;
/** Lifetime of an unused refresh token. */
const REFRESH_SECONDS = 30 * 24 * 3_600;

/** Error of the protocol (RFC 6749), with the status of its response. */
export class OAuthError extends Error {
  override readonly name = 'OAuthError';

  constructor(
    readonly code: string,
    description: string,
    readonly status = 400,
  ) {
    super(description);
  }
}

const param = z.string().min(1).max(2_000);
const requestSchema = z.discriminatedUnion('grant_type', [
  z.object({
    grant_type: z.literal('authorization_code'),
    code: param,
    redirect_uri: param,
    client_id: param,
    code_verifier: param,
    resource: param.optional(),
  }),
  z.object({
    grant_type: z.literal('refresh_token'),
    refresh_token: param,
    client_id: param,
    resource: param.optional(),
  }),
]);

/** Exchanges codes and refresh tokens for access tokens to `/mcp`. */
export class TokenService {
  /** @param tokenSecret the gateway's TOKEN_SECRET */
  constructor(
    private readonly secrets: OAuthSecretRepository,
    private readonly keys: ApiKeyRepository,
    private readonly tokenSecret: string | undefined,
  ) {}

  /**
   * @param body form of the token endpoint
   * @param resource address of `/mcp`, the only one that tokens are for
   * @throws OAuthError
   */
  async exchange(body: unknown, resource: string) {
    const parsed = requestSchema.safeParse(body);
    if (!parsed.success) throw new OAuthError('invalid_request', z.prettifyError(parsed.error));
    requireResource(parsed.data.resource, resource);
    const { grant, refreshToken } = await this.use(parsed.data);
    const { apiKeyId, scopes } = grant;
    const token = { scopes, seconds: ACCESS_SECONDS, audience: 'mcp' as const };
    const accessToken =
      scopes.length === 0 ? null : await this.keys.issueToken(apiKeyId, token, this.tokenSecret);
    if (accessToken === null) throw new OAuthError('invalid_grant', 'the API key of the sign-in has ended');
    return {
      access_token: accessToken,
      token_type: 'Bearer',
      expires_in: ACCESS_SECONDS,
      refresh_token: refreshToken,
      scope: scopes.join(' '),
    };
  }

  /** Uses up the code or token. @throws OAuthError `invalid_grant` */
  private async use(request: z.output<typeof requestSchema>) {
    const { client_id: clientId } = request;
    const used =
      request.grant_type === 'refresh_token'
        ? await this.secrets.exchange(
            'refresh',
            request.refresh_token,
            (grant) => grant.clientId === clientId,
            REFRESH_SECONDS,
          )
        : await this.secrets.exchange(
            'code',
            request.code,
            (grant) =>
              grant.clientId === clientId &&
              grant.redirectUri === request.redirect_uri &&
              grant.challenge === challengeOf(request.code_verifier),
            REFRESH_SECONDS,
          );
    if (used) return used;
    throw new OAuthError(
      'invalid_grant',
      'unknown, used or expired, not issued for this request, or its API key has ended',
    );
  }
}

/** Returns the challenge of a verifier by S256, the only method that is accepted. */
const challengeOf = (verifier: string) => createHash('sha256').update(verifier).digest('base64url');

/** @throws OAuthError `invalid_target` for a token of another resource (RFC 8707) */
export function requireResource(asked: string | undefined, resource: string): void {
  if (asked === undefined || asked.replace(/\/$/, '') === resource) return;
  throw new OAuthError('invalid_target', `tokens are only for ${resource}`);
}
