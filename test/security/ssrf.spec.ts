import fc from 'fast-check';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { DestinationGuard, RefusedUrlError, type Resolver } from '#egress/destination.js';
import { post } from '#gateway/webhooks/post.js';
import { SecretSeal } from '#egress/secret-seal.js';
import { WebhookSender, newSigningSecret } from '#gateway/webhooks/sender.js';
import { isPublicAddress } from '#egress/destination.js';
import { PUBLIC, refusedAddresses, publicAddresses, refusedUrls } from './ssrf-addresses.js';

const resolvingTo =
  (...addresses: string[]): Resolver =>
  () =>
    Promise.resolve(addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })));

async function listen(
  handler: RequestListener,
): Promise<{ server: Server; port: number; sockets: Socket[] }> {
  const server = createServer(handler);
  const sockets: Socket[] = [];
  server.on('connection', (socket) => sockets.push(socket));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { server, port: (server.address() as AddressInfo).port, sockets };
}

/** API7: a tenant's webhook URL never gives access to the network of the service. */
describe('server-side request forgery', () => {
  describe('addresses', () => {
    it.each(Object.entries(refusedAddresses))('%s are rejected', (_, addresses) => {
      expect(addresses.filter(isPublicAddress)).toEqual([]);
    });

    it('public ones are accepted', () => {
      expect(publicAddresses.filter((address) => !isPublicAddress(address))).toEqual([]);
    });

    it('an invalid address is rejected', () => {
      fc.assert(fc.property(fc.string(), (text) => /^[\d.:a-fA-FxX]+$/.test(text) || !isPublicAddress(text)));
    });

    it('a private IPv4 address is rejected in every form of IPv6 that contains it', () => {
      const octet = fc.integer({ min: 0, max: 255 });
      const forms = (hex: string) => [`::ffff:${hex}`, `::${hex}`, `64:ff9b::${hex}`, `::ffff:0:${hex}`];
      fc.assert(
        fc.property(octet, octet, octet, (b, c, d) => {
          const hex = `${((10 << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`;
          return [...forms(hex), `2002:${hex}::1`].every((address) => !isPublicAddress(address));
        }),
      );
    });
  });

  describe('URLs', () => {
    const anywhere = new DestinationGuard(false, resolvingTo(PUBLIC));

    it.each(refusedUrls)('%s is rejected', async (url) => {
      await expect(anywhere.check(url)).rejects.toThrow(RefusedUrlError);
    });

    it('the checked host is the one to which the request goes', async () => {
      const { url } = await anywhere.check('https://hooks.example\\@127.0.0.1:1/');
      expect([url.hostname, url.port]).toEqual(['hooks.example', '']);
    });

    it('names that resolve to nothing, to private, or to public and private addresses are rejected with the same error', async () => {
      const messages = new Set<string>();
      const failing: Resolver = () => Promise.reject(new Error('ENOTFOUND'));
      for (const resolve of [
        failing,
        resolvingTo(),
        resolvingTo('10.0.0.1'),
        resolvingTo(PUBLIC, '127.0.0.1'),
        resolvingTo(PUBLIC, '::1'),
        resolvingTo('localhost'),
      ]) {
        const refused = await new DestinationGuard(false, resolve)
          .check('https://a.example/')
          .catch((e: Error) => e);
        expect(refused).toBeInstanceOf(RefusedUrlError);
        messages.add((refused as Error).message);
      }
      expect(messages.size).toBe(1);
    });

    it.each(['https://localhost/', 'https://localhost./', 'https://LOCALHOST:8443/'])(
      '%s is refused with the resolver of the system',
      async (url) => {
        await expect(new DestinationGuard(false).check(url)).rejects.toThrow(RefusedUrlError);
      },
    );

    it.each(['https://hooks.example:22/', 'https://hooks.example:8443/', 'https://hooks.example:6379/'])(
      '%s is refused for its port, unless the operator allows it',
      async (url) => {
        await expect(anywhere.check(url)).rejects.toThrow('port');
        const ports = [443, Number(new URL(url).port)];
        const allowing = new DestinationGuard(false, resolvingTo(PUBLIC), ports);
        expect((await allowing.check(url)).url.href).toBe(url);
      },
    );

    it('public ones are accepted, with ports and in their normal form', async () => {
      for (const [url, href] of [
        ['https://hooks.example/a?b=c#d', 'https://hooks.example/a?b=c'],
        ['https://hooks.example:443/', 'https://hooks.example/'],
        ['https://hooks.example:80/', 'https://hooks.example:80/'],
        ['https://8.8.8.8/', 'https://8.8.8.8/'],
        ['https://[2606:4700:4700::1111]/', 'https://[2606:4700:4700::1111]/'],
      ] as const)
        expect((await anywhere.check(url)).url.href).toBe(href);
    });

    it('the operator may allow private ones and http, but no other protocol', async () => {
      const guard = new DestinationGuard(true);
      expect((await guard.check('http://127.0.0.1:1/')).addresses).toEqual([
        { address: '127.0.0.1', family: 4 },
      ]);
      await expect(guard.check('file:///etc/passwd')).rejects.toThrow(RefusedUrlError);
      await expect(guard.check('http://a:b@127.0.0.1/')).rejects.toThrow(RefusedUrlError);
    });
  });

  describe('requests', () => {
    const servers: Server[] = [];
    const open = async (handler: RequestListener) => {
      const listening = await listen(handler);
      servers.push(listening.server);
      return listening;
    };
    afterEach(async () => {
      for (const server of servers.splice(0)) {
        server.closeAllConnections();
        await new Promise((resolve) => server.close(resolve));
      }
    });
    const allowed = new DestinationGuard(true, resolvingTo('127.0.0.1'));
    const send = async (url: string, guard = allowed, timeoutMs = 10_000) =>
      post(await guard.check(url), { 'content-length': '2' }, '{}', timeoutMs);

    it('go to the checked address, whatever the name resolves to afterwards (DNS rebinding)', async () => {
      const victim = await open((_, response) => response.end());
      const answers = [[PUBLIC], ['127.0.0.1']];
      const rebinding: Resolver = (host) => resolvingTo(...(answers.shift() ?? ['127.0.0.1']))(host);
      const guard = new DestinationGuard(false, rebinding, [victim.port]);
      const checked = await guard.check(`https://rebind.example:${victim.port}/`);
      // The second look-up, at delivery, is checked like the first.
      await expect(guard.check(checked.url.href)).rejects.toThrow(RefusedUrlError);
      // The request itself looks nothing up: its name does not even exist here.
      const { port, sockets } = await open((_, response) => response.end());
      const pinned = await allowed.check(`http://rebind.example:${port}/`);
      expect(await post(pinned, {}, '{}', 10_000)).toEqual({ statusCode: 200, error: null });
      expect(sockets).toHaveLength(1);
      expect(victim.sockets).toHaveLength(0);
    });

    it('are not sent if the name resolves to a private address at delivery, nor unsigned', async () => {
      const victim = await open((_, response) => response.end());
      const url = `https://rebind.example:${victim.port}/`;
      const seal = new SecretSeal('s'.repeat(32));
      const target = { webhookId: 'whk_a', url, secrets: [seal.seal(newSigningSecret(), 'whk_a')] };
      const inside = new DestinationGuard(false, resolvingTo('127.0.0.1'), [victim.port]);
      const refused = await new WebhookSender(inside, seal, 10_000).send(target, 'msg_1', {});
      expect(refused).toEqual({ statusCode: null, error: 'url_refused' });
      const other = new SecretSeal('t'.repeat(32));
      const unsigned = await new WebhookSender(allowed, other, 10_000).send(target, 'msg_1', {});
      expect(unsigned).toEqual({ statusCode: null, error: 'secret_unreadable' });
      expect(victim.sockets).toHaveLength(0);
    });

    it('do not follow redirects', async () => {
      const inside = await open((_, response) => response.end());
      for (const status of [301, 302, 303, 307, 308]) {
        const { port } = await open((_, response) =>
          response.writeHead(status, { location: `http://127.0.0.1:${inside.port}/` }).end(),
        );
        expect(await send(`http://a.example:${port}/`)).toEqual({ statusCode: status, error: 'bad_status' });
      }
      expect(inside.sockets).toHaveLength(0);
    });

    it('ignore the proxy of the environment', async () => {
      const proxy = await open((_, response) => response.end());
      const { port } = await open((_, response) => response.end());
      const names = ['HTTP_PROXY', 'http_proxy', 'HTTPS_PROXY', 'ALL_PROXY', 'NODE_USE_ENV_PROXY'];
      for (const name of names)
        process.env[name] = name === 'NODE_USE_ENV_PROXY' ? '1' : `http://127.0.0.1:${proxy.port}`;
      try {
        expect((await send(`http://a.example:${port}/`)).statusCode).toBe(200);
      } finally {
        for (const name of names) delete process.env[name];
      }
      expect(proxy.sockets).toHaveLength(0);
    });

    it('read at most 64 KB of a response and end after their time limit', async () => {
      let written = 0;
      const endless = await open((_, response) => {
        const chunk = Buffer.alloc(16 * 1024);
        const more = () => {
          while (!response.destroyed && response.write(chunk)) written += chunk.length;
        };
        response.on('drain', more);
        more();
      });
      expect(await send(`http://a.example:${endless.port}/`)).toEqual({ statusCode: 200, error: null });
      expect(written).toBeLessThan(32 * 1024 * 1024);

      const silent = await open(() => undefined);
      const dripping = await open((_, response) => void response.writeHead(200).write('.'));
      for (const { port } of [silent, dripping])
        expect(await send(`http://a.example:${port}/`, allowed, 200)).toEqual({
          statusCode: null,
          error: 'timeout',
        });
    });

    it('end with the process, and distinguish a broken connection from a response', async () => {
      const { port } = await open((request) => void request.socket.destroy());
      expect(await send(`http://a.example:${port}/`)).toEqual({
        statusCode: null,
        error: 'connection_failed',
      });
      const silent = await open(() => stop.abort(new Error('stopped')));
      const stop = new AbortController();
      const destination = await allowed.check(`http://a.example:${silent.port}/`);
      await expect(post(destination, {}, '{}', 10_000, stop.signal)).rejects.toThrow('stopped');
    });
  });
});
