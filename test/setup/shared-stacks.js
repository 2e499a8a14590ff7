/**
 * Keeps the stacks that specs share (libs/testing/shared-stack.ts): each is started for the first spec that asks for it over HTTP, and
 * stopped at the end of the jest run.
 *
 *   GET  /stacks/NAME       its address, settings and database
 *   GET  /stacks/NAME/log   what its processes have logged
 *   POST /leases/NAME       answers when no other spec has the stack; the lease ends with the connection. The body names the servers behind
 *                           the stack's relays while it lasts: `{ "model": URL, "exa": URL }`
 *   *    /relays/NAME/SERVER/…   passed on to the server of the stack's leaseholder
 */
import { once } from 'node:events';
import { createServer, request as httpRequest } from 'node:http';
import { text } from 'node:stream/consumers';
import { TestStack } from '../../dist/libs/testing/test-stack.js';

const NO_WORKERS = { 'agent-runner': 0, scanner: 0, validator: 0, converter: 0, tools: 0 };
/** Many specs of one tenant each send requests as fast as possible. */
const RATE_LIMIT_PER_MINUTE = '100000';
const TOKEN_SECRET = 'a secret of forty characters for the test';
const PRICES = {
  'draft-model': { input: 2_000_000, output: 8_000_000 },
  'fast-model': { input: 100_000, output: 400_000 },
};

/** @param relays base URL of the relays */
const profiles = (relays) => ({
  whole: { fewProcesses: true, env: { RATE_LIMIT_PER_MINUTE } },
  gateway: { workers: NO_WORKERS, env: { RATE_LIMIT_PER_MINUTE, MAX_FILES_PER_SESSION: '5' } },
  private: {
    fewProcesses: true,
    env: {
      RATE_LIMIT_PER_MINUTE,
      WEBHOOK_ALLOW_PRIVATE: 'true',
      EGRESS_ALLOW_PRIVATE: 'true',
      FETCH_URL: 'true',
      TOKEN_SECRET,
    },
  },
  model: {
    fewProcesses: true,
    env: {
      RATE_LIMIT_PER_MINUTE,
      OPENAI_API_KEY: 'sk-of-the-test',
      OPENAI_BASE_URL: `${relays}/model/model`,
      OPENAI_MODEL: 'draft-model',
      OPENAI_FAST_MODEL: 'fast-model',
      MODEL_PRICES: JSON.stringify(PRICES),
      EXA_API_KEY: 'exa-of-the-test',
      EXA_BASE_URL: `${relays}/model/exa`,
    },
  },
  own: { fewProcesses: true, env: { RATE_LIMIT_PER_MINUTE, REQUEST_BODY_SECONDS: '1' } },
});

/** @returns {Promise<{ url: string, stop(): Promise<void> }>} */
export async function keepSharedStacks() {
  const stacks = new Map();
  /** End of the last lease, by stack. */
  const leases = new Map();
  /** Servers of the leaseholder, by stack. */
  const servers = new Map();
  const server = createServer((request, response) => {
    answer(request, response).catch((error) => response.writeHead(500).end(String(error?.message ?? error)));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${server.address().port}`;
  const optionsOf = profiles(`${url}/relays`);
  const stackOf = (name) => {
    if (!stacks.has(name)) stacks.set(name, TestStack.start(optionsOf[name]));
    return stacks.get(name);
  };

  async function answer(request, response) {
    const [, kind, name, ...rest] = request.url.split('/');
    if (kind === 'relays')
      return relay(servers.get(name)?.[rest[0]], rest.slice(1).join('/'), request, response);
    if (kind === 'leases') return lease(name, await text(request), response);
    const { url, env, database, lines } = await stackOf(name);
    if (rest[0] === 'log') return response.end(lines.join('\n'));
    response.end(JSON.stringify({ url, env, databaseUrl: database.url }));
  }

  async function lease(name, body, response) {
    const before = leases.get(name);
    const ended = new Promise((resolve) => response.once('close', resolve));
    leases.set(name, Promise.all([before, ended]));
    await before;
    servers.set(name, JSON.parse(body));
    response.write('leased\n');
  }

  return {
    url,
    stop: async () => {
      server.closeAllConnections();
      server.close();
      const started = await Promise.allSettled(stacks.values());
      await Promise.all(started.map(({ value }) => value?.stop()));
    },
  };
}

/** Forwards a request; if either end breaks off, the other is closed as well. */
function relay(target, path, request, response) {
  if (target === undefined) return response.writeHead(503).end('no spec has this stack');
  const { method, headers } = request;
  const onward = httpRequest(`${target}/${path}`, { method, headers, agent: false }, (answer) => {
    response.writeHead(answer.statusCode, answer.headers);
    answer.pipe(response);
    answer.once('aborted', () => response.destroy());
    answer.once('error', () => response.destroy());
  });
  onward.once('error', () => response.destroy());
  response.once('close', () => onward.destroy());
  request.pipe(onward);
}
