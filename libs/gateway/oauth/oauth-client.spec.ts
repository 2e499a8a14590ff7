import { DestinationGuard } from '#egress/destination.js';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { OAuthClients } from './oauth-client.js';

const APP = 'http://127.0.0.1:4711/callback';

describe('a client whose ID is the URL of its metadata', () => {
  let server: Server;
  let origin: string;
  let document: Record<string, unknown>;
  let requests: number;

  beforeAll(async () => {
    server = createServer((_, response) => {
      requests++;
      response.end(JSON.stringify(document));
    });
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  beforeEach(() => (requests = 0));
  afterAll(() => new Promise((done) => server.close(done)));

  const anywhere = new DestinationGuard(true);

  it('is read where it says, and only under its own ID', async () => {
    const id = `${origin}/app.json`;
    document = { client_id: id, client_name: 'Editor', redirect_uris: [APP] };
    expect(await new OAuthClients(anywhere).find(id)).toEqual({ id, name: 'Editor', redirectUris: [APP] });
    document = { ...document, client_id: 'https://other.example/app.json' };
    expect(await new OAuthClients(anywhere).find(id)).toBeNull();
    expect(await new OAuthClients(anywhere).find(`${origin}/`)).toBeNull();
  });

  it('is fetched once a minute, and at most 100 are cached', async () => {
    let now = 0;
    const clients = new OAuthClients(anywhere, () => now);
    const find = (name: string) => {
      const id = `${origin}/${name}`;
      document = { client_id: id, redirect_uris: [APP] };
      return clients.find(id);
    };
    await find('first');
    now = 59_000;
    expect((await find('first'))?.redirectUris).toEqual([APP]);
    expect(requests).toBe(1);
    now = 60_000;
    await find('first');
    expect(requests).toBe(2);
    for (let index = 0; index < 100; index++) await find(`app${index}`);
    await find('app99');
    expect(requests).toBe(102);
    await find('first');
    expect(requests).toBe(103);
  });

  it('a failure is not cached', async () => {
    const clients = new OAuthClients(anywhere);
    const id = `${origin}/late.json`;
    document = {};
    expect(await clients.find(id)).toBeNull();
    document = { client_id: id, redirect_uris: [APP] };
    expect(await clients.find(id)).not.toBeNull();
  });
});
