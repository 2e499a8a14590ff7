import { createDatabase, type Database } from '#db/client.js';
import { TenantRepository } from '#db/repositories/tenants.js';
import type { ApiClient } from '#testing/api-client.js';
import { connectMcp, MCP_ERAS } from '#testing/mcp-client.js';
import { sharedStack, type SharedStack } from '#testing/shared-stack.js';
import { createHash, randomBytes } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

const VERIFIER = randomBytes(32).toString('base64url');
const CHALLENGE = createHash('sha256').update(VERIFIER).digest('base64url');
const APP = 'http://127.0.0.1:4711/callback';

describe('sign-in of MCP clients by OAuth', () => {
  let stack: SharedStack;
  let db: Database;
  let tenant: ApiClient;
  let clientId: string;

  beforeAll(async () => {
    stack = await sharedStack('private');
    db = createDatabase(stack.database.url, 2);
    tenant = await stack.tenant();
    clientId = await registered([APP]);
  });
  afterAll(() => db.$disconnect());

  const post = (path: string, form: Record<string, string>, headers: Record<string, string> = {}) =>
    fetch(`${stack.url}${path}`, {
      method: 'POST',
      headers: { 'sec-fetch-site': 'same-origin', ...headers },
      body: new URLSearchParams(form),
      redirect: 'manual',
    });
  const registered = async (redirect_uris: string[]) => {
    const answer = await fetch(`${stack.url}/oauth/register`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ client_name: '<b>App</b>', redirect_uris }),
    });
    return ((await answer.json()) as { client_id: string }).client_id;
  };
  const asked = (changes: Record<string, string> = {}) => ({
    response_type: 'code',
    client_id: clientId,
    redirect_uri: APP,
    code_challenge: CHALLENGE,
    code_challenge_method: 'S256',
    scope: 'read write',
    state: 'mine',
    resource: `${stack.url}/mcp`,
    ...changes,
  });
  const show = (changes: Record<string, string> = {}) =>
    fetch(`${stack.url}/oauth/authorize?${new URLSearchParams(asked(changes)).toString()}`, {
      redirect: 'manual',
    });
  const decide = (changes: Record<string, string> = {}, headers: Record<string, string> = {}) =>
    post('/oauth/authorize', { ...asked(), decision: 'allow', api_key: tenant.key!, ...changes }, headers);
  const sentBack = (answer: Response) => new URL(answer.headers.get('location')!).searchParams;
  const codeOf = async (changes: Record<string, string> = {}) => sentBack(await decide(changes)).get('code')!;
  const exchange = async (form: Record<string, string>) => {
    const answer = await post('/oauth/token', form);
    return { status: answer.status, json: (await answer.json()) as Record<string, string> };
  };
  const redeem = (code: string, changes: Record<string, string> = {}) =>
    exchange({
      grant_type: 'authorization_code',
      code,
      client_id: clientId,
      redirect_uri: APP,
      code_verifier: VERIFIER,
      ...changes,
    });
  const refresh = (refresh_token: string, changes: Record<string, string> = {}) =>
    exchange({ grant_type: 'refresh_token', refresh_token, client_id: clientId, ...changes });
  const at = async (path: string, bearer: string) =>
    (
      await fetch(`${stack.url}${path}`, {
        method: path === '/mcp' ? 'POST' : 'GET',
        headers: {
          authorization: `Bearer ${bearer}`,
          ...(path === '/mcp' && {
            'content-type': 'application/json',
            accept: 'application/json, text/event-stream',
          }),
        },
        ...(path === '/mcp' && {
          body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }),
        }),
      })
    ).status;

  it('a 401 of /mcp leads to the metadata of resource and authorization server', async () => {
    const refused = await fetch(`${stack.url}/mcp`, { method: 'POST' });
    const at = /resource_metadata="([^"]+)"/.exec(refused.headers.get('www-authenticate')!)![1]!;
    const resource = (await (await fetch(at)).json()) as Record<string, string[]>;
    expect(resource).toMatchObject({ resource: `${stack.url}/mcp`, authorization_servers: [stack.url] });
    const found = await fetch(`${stack.url}/.well-known/oauth-authorization-server`);
    expect(await found.json()).toMatchObject({
      issuer: stack.url,
      code_challenge_methods_supported: ['S256'],
      client_id_metadata_document_supported: true,
      scopes_supported: ['read', 'write'],
    });
    const other = await fetch(`${stack.url}/api/sessions`);
    expect(other.headers.get('www-authenticate')).not.toContain('resource_metadata');
  });

  it('shows the client’s name, host and scopes on a page that nobody can frame', async () => {
    const page = await show();
    const html = await page.text();
    expect(page.status).toBe(200);
    expect(html).toContain('&#60;b&#62;App&#60;/b&#62;');
    expect(html).toContain('127.0.0.1:4711');
    expect(html).toContain('read, write');
    const policy = page.headers.get('content-security-policy')!;
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).toContain("form-action 'self' http://127.0.0.1:4711");
    expect(html).not.toContain('<script');
  });

  it('a token has the tenant, the scopes and only the audience mcp', async () => {
    const back = sentBack(await decide({ scope: 'read admin' }));
    expect([back.get('state'), back.get('iss')]).toEqual(['mine', stack.url]);
    const { status, json } = await redeem(back.get('code')!);
    expect([status, json.scope, json.token_type]).toEqual([200, 'read', 'Bearer']);
    expect(await at('/mcp', json.access_token!)).toBe(200);
    expect(await at('/api/sessions', json.access_token!)).toBe(401);
    const client = await connectMcp(stack.url, json.access_token!, MCP_ERAS[0].mode);
    const refused = await client.callTool({ name: 'write_document', arguments: {} });
    expect(JSON.stringify(refused.content)).toContain('forbidden');
    await client.close();
  });

  it('a code is valid once, for its client, redirect URI and verifier; a second use ends the grant', async () => {
    const wrong: Record<string, string>[] = [
      { code_verifier: randomBytes(32).toString('base64url') },
      { redirect_uri: 'http://127.0.0.1:4712/callback' },
      { client_id: await registered(['https://other.example/cb']) },
    ];
    for (const changes of wrong)
      expect([changes, (await redeem(await codeOf(), changes)).json.error]).toEqual([
        changes,
        'invalid_grant',
      ]);
    const code = await codeOf();
    const both = await Promise.all([redeem(code), redeem(code)]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 400]);
    const first = both.find(({ status }) => status === 200)!;
    expect((await redeem(code)).json.error).toBe('invalid_grant');
    expect((await refresh(first.json.refresh_token!)).json.error).toBe('invalid_grant');
    expect((await redeem(await codeOf(), { resource: 'https://other.example/mcp' })).json.error).toBe(
      'invalid_target',
    );
  });

  /** Dates the use of a refresh token back by more than the time in which a client may repeat it. */
  const usedLongAgo = (token: string) =>
    db.oAuthSecret.updateMany({
      where: { id: createHash('sha256').update(token).digest('hex') },
      data: { usedAt: new Date(Date.now() - 60_000) },
    });

  it('refresh tokens rotate; a late second use of one ends all; they end with the key and by revocation', async () => {
    const first = (await redeem(await codeOf())).json.refresh_token!;
    const second = (await refresh(first)).json.refresh_token!;
    expect((await refresh(second, { client_id: 'https://other.example/app' })).json.error).toBe(
      'invalid_grant',
    );
    const again = (await redeem(await codeOf())).json.refresh_token!;
    const next = (await refresh(again)).json.refresh_token!;
    await usedLongAgo(again);
    expect((await refresh(again)).json.error).toBe('invalid_grant');
    expect((await refresh(next)).json.error).toBe('invalid_grant');

    const revoked = (await redeem(await codeOf())).json.refresh_token!;
    expect((await post('/oauth/revoke', { token: revoked })).status).toBe(200);
    expect((await refresh(revoked)).json.error).toBe('invalid_grant');

    const made = (await tenant.post('/api/keys', { name: 'short', scopes: ['read', 'write'] })).json;
    const tokens = (await redeem(await codeOf({ api_key: String(made.key) }))).json;
    await tenant.request('DELETE', `/api/keys/${String(made.id)}`);
    expect((await refresh(tokens.refresh_token!)).json.error).toBe('invalid_grant');
    expect(await at('/mcp', tokens.access_token!)).toBe(401);
  });

  it('a client that lost the response repeats the refresh; both tokens belong to one grant', async () => {
    const first = (await redeem(await codeOf())).json.refresh_token!;
    const both = await Promise.all([refresh(first), refresh(first)]);
    expect(both.map(({ status }) => status)).toEqual([200, 200]);
    const [lost, next] = both.map(({ json }) => json.refresh_token!);
    expect(lost).not.toBe(next);
    await post('/oauth/revoke', { token: next! });
    expect((await refresh(lost!)).json.error).toBe('invalid_grant');
  });

  it('the suspension of a tenant does not use up its refresh tokens', async () => {
    const suspended = await stack.tenant();
    const token = (await redeem(await codeOf({ api_key: suspended.key! }))).json.refresh_token!;
    const tenants = new TenantRepository(db);
    const { tenantId } = (await tenants.authenticate(suspended.key!))!;
    await tenants.setSuspended(tenantId, true);
    expect((await refresh(token)).json.error).toBe('invalid_grant');
    await tenants.setSuspended(tenantId, false);
    expect((await refresh(token)).status).toBe(200);
  });

  it('scopes that clients cannot get are refused, instead of all being granted', async () => {
    for (const scope of ['openid', 'admin', 'openid profile'])
      expect([scope, sentBack(await show({ scope })).get('error')]).toEqual([scope, 'invalid_scope']);
    const { json } = await redeem(await codeOf({ scope: 'openid read' }));
    expect([json.scope, json.expires_in]).toEqual(['read', 600]);
  });

  it('accepts only S256 and the redirect URIs of the client, loopback at any port', async () => {
    const invalid: Record<string, string>[] = [
      { code_challenge_method: 'plain' },
      { response_type: 'token' },
      { code_challenge: 'short' },
    ];
    for (const changes of invalid)
      expect([changes, sentBack(await show(changes)).get('error')]).toEqual([changes, 'invalid_request']);
    expect(sentBack(await show({ resource: 'https://other.example' })).get('error')).toBe('invalid_target');
    expect((await show({ redirect_uri: 'http://127.0.0.1:9/callback' })).status).toBe(200);
    for (const redirect_uri of [
      'http://127.0.0.1:4711/callback/other',
      'http://127.0.0.1:4711/callback?x=1',
      'http://localhost:4711/callback',
      'https://127.0.0.1:4711/callback',
      'http://127.0.0.1.evil.example/callback',
    ]) {
      const answer = await show({ redirect_uri });
      expect([redirect_uri, answer.status, answer.headers.get('location')]).toEqual([
        redirect_uri,
        422,
        null,
      ]);
    }
    for (const refused of ['http://app.example/cb', 'javascript:alert(1)', 'https://a@b.example/', 'data:x'])
      expect([refused, await registered([refused])]).toEqual([refused, undefined]);
    expect(await registered(['cursor://anysphere.cursor-mcp/oauth/callback'])).toMatch(/^dcr\./);
  });

  it('signs in with a key or a session of the studio, not with a token, and not from another site', async () => {
    expect(sentBack(await decide({ decision: 'deny' })).get('error')).toBe('access_denied');
    const { json } = await tenant.post('/api/auth/token', { audience: 'mcp', scopes: ['read'] });
    for (const api_key of ['scr_000000000000_wrong', '', String(json.access_token)]) {
      const answer = await decide({ api_key });
      expect([api_key, answer.status, answer.headers.get('location')]).toEqual([api_key, 401, null]);
    }
    expect((await decide({}, { 'sec-fetch-site': 'cross-site' })).status).toBe(403);
    const signedIn = await fetch(`${stack.url}/api/studio/sign-in`, {
      method: 'POST',
      headers: { authorization: `Bearer ${tenant.key}`, 'sec-fetch-site': 'same-origin' },
    });
    const cookie = signedIn.headers.get('set-cookie')!.split(';')[0]!;
    const code = sentBack(await decide({ api_key: '' }, { cookie })).get('code')!;
    expect((await redeem(code)).status).toBe(200);
    const { items } = (await tenant.get('/api/audit')).json as { items: { action: string }[] };
    expect(items.map(({ action }) => action)).toContain('authorizeClient');
  });

  it('answers requests that are not valid with an error of the client', async () => {
    for (const path of ['authorize', 'token', 'revoke', 'register'])
      for (const body of ['[]', '7', 'null', '{}', '{"redirect_uris":[7]}']) {
        const headers = { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' };
        const answer = await fetch(`${stack.url}/oauth/${path}`, { method: 'POST', headers, body });
        expect([path, body, answer.status >= 400 && answer.status < 500]).toEqual([path, body, true]);
      }
    expect((await fetch(`${stack.url}/oauth/authorize?client_id=x`)).status).toBe(422);
  });

  it('elsewhere, forms are not accepted', async () => {
    expect(
      (await post('/api/sessions', { title: 'x' }, { authorization: `Bearer ${tenant.key}` })).status,
    ).toBe(415);
  });

  describe('a client whose ID is the URL of its metadata', () => {
    let server: Server;
    let url: string;
    let requests = 0;

    beforeAll(async () => {
      server = createServer((_, response) => {
        requests++;
        response.end(JSON.stringify({ client_id: url, redirect_uris: [APP] }));
      });
      await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
      url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/app.json`;
    });
    afterAll(() => new Promise((done) => server.close(done)));

    it('is not fetched from private addresses, even if the operator allows them to tenants', async () => {
      expect((await show({ client_id: url })).status).toBe(422);
      expect(requests).toBe(0);
    });
  });
});
