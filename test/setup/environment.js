/**
 * Node's environment for specs, with connections of `fetch` that end with the spec: those to a server that outlives it would keep
 * jest's worker from ending.
 */
import { TestEnvironment } from 'jest-environment-node';

const DISPATCHER = Symbol.for('undici.globalDispatcher.1');

// Jest gives a worker that has nothing left to do half a second to be gone; to free the memory of hundreds of specs, as Node does when it
// ends by itself, takes longer. One that has something left never comes here, and jest says so.
if (process.send !== undefined) process.once('beforeExit', () => process.exit());

export default class Environment extends TestEnvironment {
  async setup() {
    await super.setup();
    // Node loads its client for the first request only.
    await fetch('data:,');
    globalThis[DISPATCHER] = new globalThis[DISPATCHER].constructor();
  }

  async teardown() {
    await globalThis[DISPATCHER].destroy();
    await super.teardown();
  }
}
