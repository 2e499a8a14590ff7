/**
 * Keeps the stacks that specs share (libs/testing/src/shared-stack.ts): each is started for the first spec that asks for it over
 * HTTP, and stopped at the end of the jest run.
 */
import { once } from 'node:events';
import { createServer } from 'node:http';
import { TestStack } from '../../dist/libs/testing/src/test-stack.js';

const NO_WORKERS = { 'agent-runner': 0, scanner: 0, validator: 0, converter: 0, tools: 0 };
/** Many specs of one tenant each send requests as fast as they can. */
const RATE_LIMIT_PER_MINUTE = '100000';

const OPTIONS = {
  whole: { env: { RATE_LIMIT_PER_MINUTE } },
  gateway: { workers: NO_WORKERS, env: { RATE_LIMIT_PER_MINUTE, MAX_FILES_PER_SESSION: '5' } },
};

/** @returns {Promise<{ url: string, stop(): Promise<void> }>} */
export async function keepSharedStacks() {
  const stacks = new Map();
  const stackOf = (name) => {
    if (!stacks.has(name)) stacks.set(name, TestStack.start(OPTIONS[name]));
    return stacks.get(name);
  };
  const server = createServer((request, response) => {
    stackOf(request.url.slice(1)).then(
      ({ url, env, database }) => response.end(JSON.stringify({ url, env, databaseUrl: database.url })),
      (error) => response.writeHead(500).end(String(error?.message ?? error)),
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    stop: async () => {
      server.close();
      const started = await Promise.allSettled(stacks.values());
      await Promise.all(started.map(({ value }) => value?.stop()));
    },
  };
}
