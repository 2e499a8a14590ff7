import { sha256 } from '#contracts/sha256.js';
import { withoutEnding } from '#contracts/text.js';
import type { GatewaySettings } from '#config/settings.js';
import type { Scope } from '#contracts/api/access-schemas.js';
import { ProblemError } from '#contracts/errors.js';
import { phrase, type Phrase } from '#contracts/phrases/phrase.js';
import type { Database } from '#db/client.js';
import { ApiKeyRepository, type Caller } from '#db/repositories/api-keys.js';
import { OAuthSecretRepository } from '#db/repositories/oauth-secrets.js';
import { WebSessionRepository } from '#db/repositories/web-sessions.js';
import { DestinationGuard, systemResolver } from '#egress/destination.js';
import { translatorFor } from '#contracts/phrases/translator.js';
import { escapeHtml } from '#verbatim/report/page-text.js';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { AuditService } from '../http/audit.service.js';
import { countByAddress } from '../http/rate-limit.js';
import { answerFrameworkError } from '../http/problem.filter.js';
import { sendHtmlPage } from '../http/html-page.js';
import { parseOrReject } from '../http/route.js';
import { requireSameOrigin, sessionSecretOf } from '../studio/session-cookie.js';
import { CLIENT_SCOPES, originOf, resourceMetadata, resourceOf, serverMetadata } from './metadata.js';
import { acceptsRedirect, hostOf, type OAuthClient, OAuthClients, registerClient } from './oauth-client.js';

/** Lifetime of an access token, which a revocation of the grant does not end. */
const ACCESS_SECONDS = 10 * 60;
/** Lifetime of an unused refresh token. */
const REFRESH_SECONDS = 30 * 24 * 3_600;

/** Error of the protocol (RFC 6749), with the status of its response. */
class OAuthError extends Error {
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
class TokenService {
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
const challengeOf = (verifier: string) => sha256(verifier, 'base64url');

/** @throws OAuthError `invalid_target` for a token of another resource (RFC 8707) */
function requireResource(asked: string | undefined, resource: string): void {
  if (asked === undefined || withoutEnding(asked, '/') === resource) return;
  throw new OAuthError('invalid_target', `tokens are only for ${resource}`);
}

/** Lifetime of an authorization code. */
const CODE_SECONDS = 60;

const formSchema = z.record(z.string(), z.unknown());
const stateSchema = z.string().max(2_000).optional();
const targetSchema = z.object({ client_id: param, redirect_uri: param, state: stateSchema.catch(undefined) });
const authorizeSchema = targetSchema.extend({
  response_type: z.literal('code'),
  code_challenge: z.string().regex(/^[\w-]{43}$/),
  code_challenge_method: z.literal('S256'),
  scope: z.string().max(500).optional(),
  state: stateSchema,
  resource: param.optional(),
});
type AuthorizeRequest = z.output<typeof authorizeSchema>;

/** Where a response to the browser goes. */
interface Target {
  client: OAuthClient;
  redirectUri: string;
  /** Returned to the client unchanged. */
  state: string | undefined;
}

/**
 * Authorization server for clients of `/mcp` (OAuth 2.1): a person signs in with an API key or a session of the
 * studio, and the client gets tokens with scopes of that key and the audience `mcp`. The MCP library has only the
 * part of a resource server; tokens and sign-in are those of the service.
 */
class AuthorizationServer {
  private readonly keys: ApiKeyRepository;
  private readonly sessions: WebSessionRepository;
  private readonly secrets: OAuthSecretRepository;
  private readonly tokens: TokenService;
  private readonly clients: OAuthClients;

  constructor(
    db: Database,
    private readonly settings: GatewaySettings,
    private readonly audit: AuditService,
    private readonly countFailedLogin: (request: FastifyRequest, reply: FastifyReply) => Promise<void>,
  ) {
    this.keys = new ApiKeyRepository(db);
    this.sessions = new WebSessionRepository(db);
    this.secrets = new OAuthSecretRepository(db);
    this.tokens = new TokenService(this.secrets, this.keys, settings.TOKEN_SECRET);
    this.clients = new OAuthClients(new DestinationGuard(false, systemResolver, settings.EGRESS_PORTS));
  }

  /** Shows the page on which a person decides. */
  async show(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const target = await this.requireTarget(request.query);
    const asked = readAsked(request.query, request, reply, target);
    if (asked) await this.sendPage(request, reply, target, asked);
  }

  /** Sends the browser back with a code after the person agreed, or with an error. */
  async decide(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    requireSameOrigin(request);
    const { decision, api_key: key, ...fields } = parseOrReject(formSchema, request.body, 'body');
    const target = await this.requireTarget(fields);
    const asked = readAsked(fields, request, reply, target);
    if (!asked) return;
    if (decision !== 'allow') return sendBack(request, reply, target, { error: 'access_denied' });
    const caller = await this.signIn(request, key);
    if (!caller && key !== undefined && key !== '') await this.countFailedLogin(request, reply);
    const scopes = scopesOf(asked).filter((scope) => caller?.scopes.includes(scope));
    if (!caller || caller.isSuspended || scopes.length === 0) {
      const problem = phrase(caller ? 'oauth_page.no_scope' : 'oauth_page.not_signed_in');
      return this.sendPage(request, reply, target, asked, problem);
    }
    const { tenantId, apiKeyId } = caller;
    const { client, redirectUri } = target;
    const grant = { tenantId, apiKeyId, clientId: client.id, scopes };
    const code = await this.secrets.issueCode(
      grant,
      { redirectUri, challenge: asked.code_challenge },
      CODE_SECONDS,
    );
    const entry = {
      action: 'authorizeClient',
      resource: apiKeyId,
      outcome: 'done' as const,
      requestId: request.id,
    };
    await this.audit.record(caller, entry);
    return sendBack(request, reply, target, { code });
  }

  token(request: FastifyRequest) {
    return this.tokens.exchange(request.body, resourceOf(request));
  }

  /** Ends the grant of a refresh token (RFC 7009); access tokens end within 10 minutes, or with the API key. */
  async revoke({ body }: FastifyRequest): Promise<object> {
    const { token } = parseOrReject(z.object({ token: param }), body, 'body');
    await this.secrets.revoke(token);
    return {};
  }

  private async signIn(request: FastifyRequest, key: unknown): Promise<Caller | null> {
    if (typeof key === 'string' && key !== '') {
      const caller = await this.keys.authenticate(key.trim(), this.settings.TOKEN_SECRET);
      // A token of limited time must not become a grant of unlimited time.
      return caller?.tokenExpiresAt === null ? caller : null;
    }
    const secret = sessionSecretOf(request);
    return secret === undefined ? null : this.sessions.authenticate(secret);
  }

  /** Before the target is known to be the client's, no error may be sent there. */
  private async requireTarget(params: unknown): Promise<Target> {
    const given = targetSchema.safeParse(params);
    if (!given.success) throw new ProblemError('invalid_request', phrase('invalid_request.oauth_target'));
    const { client_id: id, redirect_uri: redirectUri, state } = given.data;
    const client = await this.clients.find(id);
    if (client && acceptsRedirect(client, redirectUri)) return { client, redirectUri, state };
    throw new ProblemError('invalid_request', phrase('invalid_request.oauth_target'));
  }

  private sendPage(
    request: FastifyRequest,
    reply: FastifyReply,
    target: Target,
    asked: AuthorizeRequest,
    problem?: Parameters<typeof sendAuthorizePage>[2]['problem'],
  ): Promise<void> {
    const fields = Object.fromEntries(Object.entries(asked).filter(([, value]) => value !== undefined));
    const shown = { ...target, scopes: scopesOf(asked), fields };
    return sendAuthorizePage(request, reply, problem ? { ...shown, problem } : shown);
  }
}

/** Returns the requested scopes that a client can get; all of these if it names none. */
function scopesOf({ scope }: Pick<AuthorizeRequest, 'scope'>): Scope[] {
  const named = scope?.split(' ').filter((name) => name !== '') ?? [];
  return CLIENT_SCOPES.filter((each) => named.length === 0 || named.includes(each));
}

/** Returns the request; null if it is not valid, which the client learns by a redirect. */
function readAsked(
  params: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  target: Target,
): AuthorizeRequest | null {
  const asked = authorizeSchema.safeParse(params);
  try {
    if (!asked.success) throw new OAuthError('invalid_request', z.prettifyError(asked.error));
    requireResource(asked.data.resource, resourceOf(request));
    if (scopesOf(asked.data).length === 0)
      throw new OAuthError('invalid_scope', `the scopes are ${CLIENT_SCOPES.join(' and ')}`);
    return asked.data;
  } catch (error) {
    if (!(error instanceof OAuthError)) throw error;
    sendBack(request, reply, target, { error: error.code, error_description: error.message });
    return null;
  }
}

function sendBack(
  request: FastifyRequest,
  reply: FastifyReply,
  { redirectUri, state }: Target,
  result: Record<string, string>,
): void {
  const url = new URL(redirectUri);
  const params = { ...result, ...(state === undefined ? {} : { state }), iss: originOf(request) };
  for (const [name, value] of Object.entries(params)) url.searchParams.set(name, value);
  // Not awaited: a reply is thenable, and resolves only when it was sent.
  void reply.redirect(url.href, 303);
}

/**
 * Serves the metadata and the endpoints of the authorization server. Requests of the endpoints are counted by address;
 * of these, only a wrong API key counts as a failed login.
 */
export async function serveOAuth(
  fastify: FastifyInstance,
  db: Database,
  settings: GatewaySettings,
  audit: AuditService,
): Promise<void> {
  const server = new AuthorizationServer(db, settings, audit, (request, reply) =>
    countByAddress('failures', fastify, request, reply),
  );
  await fastify.register(async (scope) => {
    // Only here: elsewhere, a page of another site could send a form.
    scope.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string' },
      async (_: unknown, body: string) => Object.fromEntries(new URLSearchParams(body)),
    );
    scope.addHook('preHandler', async (request, reply) => {
      if (!request.url.startsWith('/.well-known/')) await countByAddress('oauth', fastify, request, reply);
    });
    scope.setErrorHandler<Error>((error, request, reply) => {
      if (!(error instanceof OAuthError)) return answerFrameworkError(error, request, reply);
      return reply.status(error.status).send({ error: error.code, error_description: error.message });
    });
    scope.get('/.well-known/oauth-protected-resource', async (request) => resourceMetadata(request));
    scope.get('/.well-known/oauth-protected-resource/mcp', async (request) => resourceMetadata(request));
    scope.get('/.well-known/oauth-authorization-server', async (request) => serverMetadata(request));
    scope.get('/oauth/authorize', async (request, reply) => {
      await server.show(request, reply);
      return reply;
    });
    scope.post('/oauth/authorize', async (request, reply) => {
      await server.decide(request, reply);
      return reply;
    });
    scope.post('/oauth/token', (request) => server.token(request));
    scope.post('/oauth/revoke', (request) => server.revoke(request));
    scope.post('/oauth/register', async ({ body }, reply) => {
      const client = registerClient(body);
      if (!client)
        throw new OAuthError('invalid_client_metadata', 'needs redirect_uris: https, loopback or an app');
      return reply.status(201).send({ ...client, token_endpoint_auth_method: 'none' });
    });
  });
}

/** What the page shows and sends back. */
interface AuthorizePage {
  client: OAuthClient;
  redirectUri: string;
  scopes: readonly string[];
  /** Parameters of the request, which the form repeats. */
  fields: Record<string, string>;
  problem?: Phrase;
}

/** Sends the page on which a person signs in and lets a client in, in the language of the browser. */
async function sendAuthorizePage(
  request: FastifyRequest,
  reply: FastifyReply,
  { client, redirectUri, scopes, fields, problem }: AuthorizePage,
): Promise<void> {
  const language = (request.headers['accept-language'] ?? 'en').split(/[,;]/)[0]!;
  const translate = await translatorFor(language);
  const text = (asked: Phrase) => escapeHtml(translate(asked));
  const hidden = Object.entries(fields).map(
    ([name, value]) => `<input type="hidden" name="${escapeHtml(name)}" value="${escapeHtml(value)}">`,
  );
  const facts: [Phrase, string][] = [
    [phrase('oauth_page.client'), client.name],
    [
      phrase('oauth_page.described_by'),
      URL.canParse(client.id) ? new URL(client.id).host : translate(phrase('oauth_page.itself')),
    ],
    [phrase('oauth_page.redirect'), hostOf(redirectUri)],
    [phrase('oauth_page.scopes'), scopes.join(', ')],
  ];
  const list = facts.map(([name, value]) => `<dt>${text(name)}</dt><dd>${escapeHtml(value)}</dd>`);
  const target = new URL(redirectUri);
  const body = `<h1>${text(phrase('oauth_page.title'))}</h1><p>${text(phrase('oauth_page.explanation'))}</p><dl>${list.join('')}</dl>
${problem ? `<p role="alert">${text(problem)}</p>` : ''}
<form method="post" action="/oauth/authorize">${hidden.join('')}
<label for="key">${text(phrase('oauth_page.key'))}</label><input id="key" name="api_key" type="password" autocomplete="off" autofocus>
<button name="decision" value="allow">${text(phrase('oauth_page.allow'))}</button><button name="decision" value="deny">${text(phrase('oauth_page.deny'))}</button>
</form>`;
  // Without a referrer, browsers hide the origin of the form, which is checked.
  void reply.header('referrer-policy', 'same-origin');
  await sendHtmlPage(reply, {
    language: translate(phrase('oauth_page.language')),
    title: translate(phrase('oauth_page.title')),
    body,
    // Browsers apply `form-action` to the redirect that follows the form, too.
    formTargets: target.origin === 'null' ? target.protocol : target.origin,
    status: problem ? 401 : 200,
  });
}
