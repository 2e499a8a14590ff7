import type { ApiClient } from './api-client.js';
import type { QueueColumn, StoreColumn } from './columns.js';
import { newTenant, TestStack } from './test-stack.js';

/**
 * `whole`: every app, on PostgreSQL's queue and the directory store. `gateway`: no worker, so that a run stays queued, and five files a
 * session at most.
 */
export type SharedStackName = 'whole' | 'gateway';

/** A stack that other specs use at the same time: what a spec sees and changes is its own tenants'. */
export interface SharedStack {
  /** The gateway's base URL. */
  url: string;
  /** The settings the apps run with. */
  env: NodeJS.ProcessEnv;
  database: { url: string };
  /** A new tenant with an API key. */
  tenant(name?: string): Promise<ApiClient>;
}

/**
 * The stack that jest's global set-up starts for the first spec that asks for it, and stops after the last one. A spec that kills a
 * process, needs other settings, or looks at more than its tenants' rows starts a `TestStack` of its own.
 *
 * @throws Error when jest's global set-up did not run, or the stack does not start
 */
export async function sharedStack(name: SharedStackName = 'whole'): Promise<SharedStack> {
  const keeper = process.env['TEST_SHARED_STACKS'];
  if (keeper === undefined)
    throw new Error('TEST_SHARED_STACKS is not set: run jest with test/setup/global-setup.js');
  const response = await fetch(`${keeper}/${name}`);
  if (!response.ok) throw new Error(`The shared stack did not start: ${await response.text()}`);
  const { url, env, databaseUrl } = (await response.json()) as {
    url: string;
    env: NodeJS.ProcessEnv;
    databaseUrl: string;
  };
  return {
    url,
    env,
    database: { url: databaseUrl },
    tenant: (tenantName = 'tenant') => newTenant(url, databaseUrl, tenantName),
  };
}

/** A stack that a spec stops when it has done: the shared one goes on. */
export interface ColumnStack extends SharedStack {
  stop(): Promise<void>;
}

/** A stack with this queue and store: the shared one where it has both, else one of the spec's own. */
export async function columnStack(column: {
  queue?: QueueColumn;
  store?: StoreColumn;
}): Promise<ColumnStack> {
  const { queue, store } = column;
  const isShared = (queue?.name ?? 'postgres') === 'postgres' && (store?.name ?? 'directory') === 'directory';
  if (!isShared) return TestStack.start(column);
  return { ...(await sharedStack()), stop: () => Promise.resolve() };
}
