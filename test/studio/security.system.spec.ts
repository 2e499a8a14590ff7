import { buildOpenApiDocument } from '#gateway/openapi/openapi.js';
import { ApiClient } from '#testing/api-client.js';
import { chromiumPath, launchBrowser } from '#testing/browser.js';
import { sharedStack, type SharedStack } from '#testing/shared-stack.js';

const CHANGES = ['post', 'put', 'patch', 'delete'] as const;
const isSigned = (operation?: { security?: object[] }): boolean =>
  operation?.security?.some((scheme) => 'signature' in scheme) ?? false;
const SAME_ORIGIN = { 'sec-fetch-site': 'same-origin' };

/** Attacks of a stranger on a person who is signed in to the studio; SECURITY.md names these tests. */
describe('a browser that is signed in', () => {
  let stack: SharedStack;
  let tenant: ApiClient;
  let nobody: ApiClient;
  let cookie: string;

  beforeAll(async () => {
    stack = await sharedStack('gateway');
    tenant = await stack.tenant();
    nobody = new ApiClient(stack.url, null);
    const signedIn = await nobody.request('POST', '/api/studio/sign-in', undefined, {
      authorization: `Bearer ${tenant.key!}`,
      ...SAME_ORIGIN,
    });
    cookie = signedIn.headers.get('set-cookie')!.split(';')[0]!;
  });

  it('performs no operation that another site requests (CSRF)', async () => {
    const { paths = {} } = buildOpenApiDocument('0.0.0');
    const operations = Object.entries(paths).flatMap(([path, methods]) =>
      // A signed event is accepted for its signature alone, whoever is signed in.
      CHANGES.filter((method) => method in methods && !isSigned(methods[method])).map((method) => ({
        path,
        method,
      })),
    );
    expect(operations.length).toBeGreaterThan(40);
    for (const { path, method } of operations) {
      if (path.startsWith('/api/admin/')) continue;
      for (const site of ['cross-site', 'same-site', 'none']) {
        const url = path.replace(/\{\w+\}/g, 'x');
        const headers = { cookie, 'sec-fetch-site': site, 'content-type': 'text/plain' };
        const answer = await nobody.request(method.toUpperCase(), url, undefined, headers);
        expect([path, method, site, answer.status]).toEqual([path, method, site, 403]);
        expect(['cross_site_request', 'forbidden']).toContain(answer.json['code']);
      }
    }
  });

  it('cannot be framed, sniffed or cached: pages and responses', async () => {
    for (const [path, accept] of [
      ['/', 'text/html'],
      ['/books', 'text/html'],
      ['/sign-in', 'text/html'],
      ['/api/sessions', 'application/json'],
      ['/api/studio/session', 'application/json'],
    ] as const) {
      const { headers } = await nobody.request('GET', path, undefined, { cookie, accept });
      expect([path, headers.get('x-frame-options')]).toEqual([path, 'DENY']);
      expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
      expect([path, headers.get('x-content-type-options')]).toEqual([path, 'nosniff']);
      expect([path, headers.get('cache-control')]).toEqual([path, 'no-store']);
      expect([path, headers.get('referrer-policy')]).toEqual([path, 'no-referrer']);
    }
  });

  it('returns its session only in the cookie', async () => {
    const secret = cookie.split('=')[1]!;
    for (const path of ['/api/studio/session', '/api/keys', '/api/audit', '/api/sessions']) {
      const { status, text } = await nobody.request('GET', path, undefined, { cookie });
      expect([path, status, text.includes(secret)]).toEqual([path, 200, false]);
    }
  });

  (chromiumPath ? it : it.skip)('is sent nowhere else after the sign-in (open redirect)', async () => {
    const browser = await launchBrowser();
    const page = await browser.newPage();
    const asked: string[] = [];
    page.on('request', (request) => asked.push(new URL(request.url()).origin));
    for (const from of [
      '//evil.test/',
      'https://evil.test/',
      '/\\evil.test',
      'javascript:alert(1)',
      '/%2f/evil.test',
      '\t//evil.test',
      '/\t/evil.test',
      '/..//evil.test',
      '/\n\\evil.test',
    ]) {
      const { path } = (await tenant.post('/api/studio/sign-in-links')).json;
      const [place, secret] = String(path).split('#');
      await page.goto(`${stack.url}${place}?from=${encodeURIComponent(from)}#${secret}`);
      await page.waitForURL((url) => url.pathname !== '/sign-in');
      expect([from, new URL(page.url()).origin]).toEqual([from, stack.url]);
      expect(page.url()).not.toContain(secret);
    }
    expect(new Set(asked)).toEqual(new Set([stack.url]));
    await browser.close();
  });
});
