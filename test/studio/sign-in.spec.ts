import type { ApiClient, ApiResponse } from '#testing/api-client.js';
import { sharedStack, type SharedStack } from '#testing/shared-stack.js';
import { ApiClient as Client } from '#testing/api-client.js';

/** Headers that a browser sends with requests of the service's own pages. */
const SAME_ORIGIN = { 'sec-fetch-site': 'same-origin' };

/** The cookie as a browser sends it back. */
const cookieOf = ({ headers }: ApiResponse) => headers.get('set-cookie')!.split(';')[0]!;

describe('signing a browser in', () => {
  let stack: SharedStack;
  let tenant: ApiClient;
  let nobody: ApiClient;

  beforeAll(async () => {
    stack = await sharedStack('gateway');
    tenant = await stack.tenant();
    nobody = new Client(stack.url, null);
  });

  const signIn = (credential: unknown, headers: Record<string, string> = SAME_ORIGIN) =>
    nobody.request('POST', '/api/studio/sign-in', undefined, {
      authorization: `Bearer ${String(credential)}`,
      ...headers,
    });
  const as = (cookie: string, headers: Record<string, string> = SAME_ORIGIN) => ({ cookie, ...headers });
  const linkSecret = async () =>
    String((await tenant.post('/api/studio/sign-in-links')).json['path']).split('#')[1]!;

  it('an API key becomes a session whose cookie no script can read and no other site can send', async () => {
    const answer = await signIn(tenant.key);
    expect(answer.status).toBe(201);
    const cookie = answer.headers.get('set-cookie')!;
    expect(cookie).toMatch(/^scriptorium_session=[A-Za-z0-9_-]{43};/);
    expect(cookie).toContain('HttpOnly');
    expect(cookie).toContain('SameSite=Strict');
    expect(cookie).not.toContain(tenant.key);
    const session = await nobody.request('GET', '/api/studio/session', undefined, as(cookieOf(answer)));
    expect(session.json).toMatchObject({
      ...{ api_key_name: 'test', scopes: ['read', 'write', 'admin'] },
      can_fetch_pages: false,
    });
  });

  it('a wrong key and a malformed one are rejected', async () => {
    for (const api_key of [`${tenant.key!.slice(0, -1)}x`, 'scr_', 'nothing']) {
      const answer = await signIn(api_key);
      expect([answer.status, answer.json['code']]).toEqual([401, 'unauthorized']);
      expect(answer.headers.get('set-cookie')).toBeNull();
    }
  });

  it('a link signs in once, even with two browsers concurrently', async () => {
    const link = await linkSecret();
    const answers = await Promise.all([signIn(link), signIn(link)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 401]);
    expect((await signIn(link)).json['code']).toBe('unauthorized');
  });

  it('another site can neither sign a browser in nor use its session (CSRF)', async () => {
    const elsewhere = [
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      {},
      { origin: 'http://evil.test' },
    ];
    const cookie = cookieOf(await signIn(tenant.key));
    for (const headers of elsewhere) {
      const signed = await signIn(tenant.key, headers as Record<string, string>);
      const made = await nobody.request(
        'POST',
        '/api/sessions',
        {},
        as(cookie, headers as Record<string, string>),
      );
      expect([signed.json['code'], made.json['code']]).toEqual(['cross_site_request', 'cross_site_request']);
    }
    expect((await nobody.request('POST', '/api/sessions', {}, as(cookie))).status).toBe(201);
    const byOrigin = as(cookie, { origin: stack.url });
    expect((await nobody.request('POST', '/api/sessions', {}, byOrigin)).status).toBe(201);
  });

  it('a planted cookie is invalid after the sign-in (session fixation)', async () => {
    const planted = cookieOf(await signIn(tenant.key));
    const fresh = await signIn(tenant.key, as(planted));
    expect(cookieOf(fresh)).not.toBe(planted);
    expect((await nobody.request('GET', '/api/studio/session', undefined, as(planted))).status).toBe(401);
    const made = await nobody.request(
      'GET',
      '/api/sessions',
      undefined,
      as('scriptorium_session=chosen-by-me'),
    );
    expect(made.json['code']).toBe('unauthorized');
  });

  it('a session ends when the browser signs in, or a program signs out, as another tenant', async () => {
    const other = await stack.tenant();
    const before = cookieOf(await signIn(tenant.key));
    const after = cookieOf(await signIn(other.key, as(before)));
    const byKey = { authorization: `Bearer ${tenant.key!}`, ...as(after) };
    const statusOf = async (cookie: string) =>
      (await nobody.request('GET', '/api/studio/session', undefined, as(cookie))).status;
    expect([await statusOf(before), await statusOf(after)]).toEqual([401, 200]);
    expect((await nobody.request('POST', '/api/studio/sign-out', undefined, byKey)).status).toBe(204);
    expect(await statusOf(after)).toBe(401);
  });

  it('a session ends on sign-out and when its key ends', async () => {
    const cookie = cookieOf(await signIn(tenant.key));
    expect((await nobody.request('POST', '/api/studio/sign-out', undefined, as(cookie))).status).toBe(204);
    expect((await nobody.request('GET', '/api/sessions', undefined, as(cookie))).status).toBe(401);

    const key = (await tenant.post('/api/keys', { name: 'short', scopes: ['read'] })).json;
    const reader = cookieOf(await signIn(key['key']));
    const refused = await nobody.request('POST', '/api/sessions', {}, as(reader));
    expect(refused.json['code']).toBe('forbidden');
    await tenant.request('DELETE', `/api/keys/${String(key['id'])}`);
    expect((await nobody.request('GET', '/api/sessions', undefined, as(reader))).status).toBe(401);
  });

  it('neither a token nor a session can create a link', async () => {
    const token = (await tenant.post('/api/auth/token', { scopes: ['read', 'write'] })).json['access_token'];
    const byToken = await new Client(stack.url, String(token)).post('/api/studio/sign-in-links');
    const cookie = cookieOf(await signIn(tenant.key));
    const bySession = await nobody.request('POST', '/api/studio/sign-in-links', undefined, as(cookie));
    expect([byToken.json['code'], bySession.json['code']]).toEqual(['forbidden', 'forbidden']);
  });

  it('pages allow no inline script, frame or foreign host, and are not cached', async () => {
    const page = await nobody.request('GET', '/documents', undefined, { accept: 'text/html' });
    const policy = page.headers.get('content-security-policy')!;
    expect(page.status).toBe(200);
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toMatch(/unsafe-(?:inline|eval)|https?:/);
    expect(policy).toContain("frame-ancestors 'none'");
    expect(page.headers.get('cache-control')).toBe('no-store');
    expect(page.headers.get('x-content-type-options')).toBe('nosniff');
    const again = await nobody.request('GET', '/documents', undefined, { accept: 'text/html' });
    expect(again.headers.get('content-security-policy')).not.toBe(policy);
  });

  it('files of the studio are cached permanently and compressed; wrong paths are errors, not pages', async () => {
    const page = await nobody.request('GET', '/', undefined, { accept: 'text/html' });
    const script = /src="(\/assets\/[^"]+\.js)"/.exec(page.text)![1]!;
    const asset = await nobody.request('GET', script, undefined, { 'accept-encoding': 'br' });
    expect(asset.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(asset.headers.get('content-encoding')).toBe('br');
    for (const path of ['/api/nothing', '/assets/nothing.js', '/assets/..%2f..%2fpackage.json'])
      expect((await nobody.request('GET', path, undefined, { accept: 'text/html' })).json['code']).toBe(
        'not_found',
      );
  });
});
