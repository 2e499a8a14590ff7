import type { ApiClient } from '#testing/api-client.js';
import { connectMcp, MCP_ERAS } from '#testing/mcp-client.js';
import { sharedStack, type SharedStack } from '#testing/shared-stack.js';

const ping = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} };
const accept = { accept: 'application/json, text/event-stream' };

describe('access to /mcp', () => {
  let stack: SharedStack;
  let tenant: ApiClient;

  beforeAll(async () => {
    stack = await sharedStack();
    tenant = await stack.tenant();
  });

  const send = (headers: Record<string, string>, bearer = tenant.key) =>
    fetch(`${stack.url}/mcp`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...accept,
        ...(bearer === null ? {} : { authorization: `Bearer ${bearer}` }),
        ...headers,
      },
      body: JSON.stringify(ping),
    });
  const token = async (audience: string) => {
    const { json } = await tenant.post('/api/auth/token', { audience, scopes: ['read'] });
    return String(json.access_token);
  };

  it('is denied without a key, with a wrong key, and with a browser’s cookie', async () => {
    const without = await send({}, null);
    expect(without.status).toBe(401);
    expect(without.headers.get('www-authenticate')).toContain('Bearer');
    expect((await send({}, 'scr_000000000000_wrong')).status).toBe(401);
    const cookie = { cookie: 'scriptorium_session=anything', 'sec-fetch-site': 'same-origin' };
    expect((await send(cookie, null)).status).toBe(401);
    expect((await send({})).status).toBe(200);
  });

  it('is denied to pages of other sites, with any key', async () => {
    expect((await send({ origin: 'https://evil.example' })).status).toBe(403);
    expect((await send({ origin: 'null' })).status).toBe(403);
    expect((await send({ 'sec-fetch-site': 'cross-site' })).status).toBe(403);
    expect((await send({ origin: new URL(stack.url).origin })).status).toBe(200);
  });

  it('a token is valid only for its audience', async () => {
    const [forApi, forMcp] = await Promise.all([token('api'), token('mcp')]);
    expect((await send({}, forApi)).status).toBe(401);
    expect((await send({}, forMcp)).status).toBe(200);
    const atApi = (bearer: string) =>
      fetch(`${stack.url}/api/sessions`, { headers: { authorization: `Bearer ${bearer}` } });
    expect((await atApi(forMcp)).status).toBe(401);
    expect((await atApi(forApi)).status).toBe(200);
    const claims = JSON.parse(Buffer.from(forApi.slice(4).split('.')[0]!, 'base64url').toString()) as object;
    const widened = Buffer.from(JSON.stringify({ ...claims, a: 'mcp' })).toString('base64url');
    expect((await send({}, `sct_${widened}.${forApi.split('.')[1]}`)).status).toBe(401);
  });

  it.each(MCP_ERAS)('a token for /mcp works with the official client ($era)', async ({ mode }) => {
    const client = await connectMcp(stack.url, await token('mcp'), mode);
    expect((await client.listTools()).tools.length).toBeGreaterThan(5);
    await client.close();
  });

  it('an invalid message or unknown method returns only an error', async () => {
    const post = (body: string) =>
      fetch(`${stack.url}/mcp`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...accept, authorization: `Bearer ${tenant.key}` },
        body,
      });
    for (const body of [
      '{',
      '[]',
      '7',
      '{"jsonrpc":"2.0"}',
      JSON.stringify({ ...ping, method: 'no/such' }),
    ]) {
      const answer = await post(body);
      const text = await answer.text();
      expect([body, answer.status < 500]).toEqual([body, true]);
      expect(text).toMatch(/error|problems/);
      expect(text).not.toMatch(/node_modules|\/work|at .*\.js/);
    }
    const got = await fetch(`${stack.url}/mcp`, { headers: { authorization: `Bearer ${tenant.key}` } });
    expect(got.status).toBe(405);
  });
});
