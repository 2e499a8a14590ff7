/**
 * Node's environment for specs, with connections of `fetch` that end with the spec: those to a server that outlives it would keep
 * jest's worker from ending. `onTestFailure` of a spec's globals is asked what else is known of a test that fails, before anything ends.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { TestEnvironment } from 'jest-environment-node';

/** The keys under which Node keeps its client; they differ between versions of Node. */
const dispatchers = () =>
  Object.getOwnPropertySymbols(globalThis).filter((key) =>
    Symbol.keyFor(key)?.startsWith('undici.globalDispatcher.'),
  );

/** Of the spec that runs. Up to Node 22 each of them costs with every promise until it is disabled, and keeps all modules of its spec. */
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
    // Node loads its client for the first request only.
    await fetch('data:,');
    for (const key of dispatchers()) globalThis[key] = new globalThis[key].constructor();
  }

  async handleTestEvent({ name, error }) {
    if (name !== 'test_fn_failure' || !this.global.onTestFailure || !error?.stack) return;
    const told = await this.global.onTestFailure();
    error.stack = error.stack.replace(error.message, () => `${error.message}\n\n${told}`);
  }

  async teardown() {
    for (const storage of storages) storage.disable();
    storages.clear();
    await Promise.all(dispatchers().map((key) => globalThis[key].destroy()));
    await super.teardown();
  }
}
