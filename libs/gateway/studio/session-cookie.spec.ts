import fastifyCookie from '@fastify/cookie';
import { fastify } from 'fastify';
import { sessionSecretOf, setSessionCookie } from './session-cookie.js';

/** Server that sets a session cookie and returns the session it received. */
async function server() {
  const app = fastify({ trustProxy: '127.0.0.1' });
  await app.register(fastifyCookie);
  app.post('/sign-in', (request, reply) => {
    setSessionCookie(request, reply, 'secret', new Date(Date.now() + 60_000));
    return reply.send({});
  });
  app.get('/who', (request) => ({ secret: sessionSecretOf(request) ?? null }));
  return app;
}

describe('the cookie of a session', () => {
  it('behind TLS is Secure and bound to this host, and no other cookie name is accepted', async () => {
    const app = await server();
    const headers = { 'x-forwarded-proto': 'https' };
    const { headers: answer } = await app.inject({ method: 'POST', url: '/sign-in', headers });
    const cookie = String(answer['set-cookie']);
    expect(cookie).toMatch(
      /^__Host-scriptorium_session=secret; .*Path=\/; .*HttpOnly; Secure; SameSite=Strict/,
    );
    expect(cookie).not.toContain('Domain');
    const who = async (cookies: string) =>
      (await app.inject({ url: '/who', headers: { ...headers, cookie: cookies } })).json();
    expect(await who('__Host-scriptorium_session=secret')).toEqual({ secret: 'secret' });
    expect(await who('scriptorium_session=planted')).toEqual({ secret: null });
    await app.close();
  });

  it('without TLS is still inaccessible to scripts and other sites', async () => {
    const app = await server();
    const cookie = String((await app.inject({ method: 'POST', url: '/sign-in' })).headers['set-cookie']);
    expect(cookie).toMatch(/^scriptorium_session=secret; .*HttpOnly; SameSite=Strict/);
    await app.close();
  });
});
