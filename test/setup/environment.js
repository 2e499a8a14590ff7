/**
 * Node's environment for specs, whose `fetch` connections end with the spec: connections to a server that outlives it
 * would keep jest's worker from ending. `onTestFailure` of a spec's globals can report more about a failed test, before
 * anything ends.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { TestEnvironment } from 'jest-environment-node';

/**
 * Replaces the connections that Node's `fetch` uses, and returns the new ones. Node 26 has a second entry: a wrapper of the first, for
 * packages that expect the older form.
 */
function renewConnections() {
  const keys = Object.getOwnPropertySymbols(globalThis).filter((key) =>
    Symbol.keyFor(key)?.startsWith('undici.globalDispatcher.'),
  );
  const isAgent = (key) => globalThis[key].constructor.name === 'Agent';
  const Agent = globalThis[keys.find(isAgent)].constructor;
  const agent = new Agent();
  for (const key of keys) {
    const { constructor: Wrapper } = globalThis[key];
    globalThis[key] = isAgent(key) ? agent : new Wrapper(agent);
  }
  return agent;
}

/**
 * Hooks of the running spec. Up to Node 22, each of them adds cost to every promise until it is disabled, and retains
 * all modules of its spec.
 */
const storages = new Set();
for (const name of ['run', 'enterWith']) {
  const original = AsyncLocalStorage.prototype[name];
  AsyncLocalStorage.prototype[name] = function (...given) {
    storages.add(this);
    return original.apply(this, given);
  };
}

export default class Environment extends TestEnvironment {
  async setup() {
    await super.setup();
    // Node loads its client only for the first request.
    await fetch('data:,');
    this.connections = renewConnections();
  }

  async handleTestEvent({ name, error }) {
    if (name !== 'test_fn_failure' || !this.global.onTestFailure || !error?.stack) return;
    const told = await this.global.onTestFailure();
    error.stack = error.stack.replace(error.message, () => `${error.message}\n\n${told}`);
  }

  async teardown() {
    for (const storage of storages) storage.disable();
    storages.clear();
    await this.connections?.destroy();
    await super.teardown();
  }
}
