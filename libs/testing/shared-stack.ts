import type { ApiClient, RunView } from './api-client.js';
import type { QueueColumn, StoreColumn } from './columns.js';
import { newTenant, TestStack } from './test-stack.js';

const FINAL = ['completed', 'failed', 'rejected', 'cancelled'];

/**
 * The profiles of test/setup/shared-stacks.js, all on PostgreSQL's queue and the directory store:
 * - `whole`: every app.
 * - `gateway`: no workers, so that runs stay queued, and at most five files per session.
 * - `private`: every app, with tools and webhooks that may reach servers of this machine.
 * - `model`: every app, with a model and Exa over HTTP. `leasedStack` sets their servers.
 * - `own`: every app, for specs that read data of all tenants. Use `leasedStack`.
 */
type SharedStackName = 'whole' | 'gateway' | 'private' | 'model' | 'own';

/** A stack that specs use concurrently: each sees and changes only the data of its tenants. */
export interface SharedStack {
  /** The gateway's base URL. */
  url: string;
  /** Settings of the apps. */
  env: NodeJS.ProcessEnv;
  database: { url: string };
  /** Creates a tenant with an API key. */
  tenant(name?: string): Promise<ApiClient>;
  /** Returns the log of all processes. */
  log(): Promise<string>;
}

/** A stack that no other spec uses until it is released. */
export interface LeasedStack extends SharedStack {
  /** Cancels active runs of the spec's tenants and releases the stack to the next spec. */
  release(): Promise<void>;
}

/** @throws Error if jest's global set-up did not run, or the response is an error */
async function askKeeper(path: string, init?: RequestInit): Promise<Response> {
  const keeper = process.env['TEST_SHARED_STACKS'];
  if (keeper === undefined)
    throw new Error('TEST_SHARED_STACKS is not set: run jest with test/setup/global-setup.js');
  const response = await fetch(`${keeper}${path}`, init);
  if (!response.ok) throw new Error(`The shared stack did not start: ${await response.text()}`);
  return response;
}

/**
 * Returns the stack that jest's global set-up starts for the first spec that asks for it, and stops after the last. A spec that kills
 * a process or needs other settings starts a separate `TestStack`.
 *
 * @throws Error if jest's global set-up did not run, or the stack does not start
 */
export async function sharedStack(name: SharedStackName = 'whole'): Promise<SharedStack> {
  const response = await askKeeper(`/stacks/${name}`);
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
    log: async () => (await askKeeper(`/stacks/${name}/log`)).text(),
  };
}

/**
 * Leases a shared stack to one spec at a time; waits until the previous spec releases it.
 *
 * @param servers base URLs for the stack, as in OPENAI_BASE_URL and EXA_BASE_URL
 * @throws Error like `sharedStack`
 */
export async function leasedStack(
  name: 'model' | 'own',
  servers: { model?: string; exa?: string } = {},
): Promise<LeasedStack> {
  const connection = new AbortController();
  const { signal } = connection;
  const lease = await askKeeper(`/leases/${name}`, { method: 'POST', body: JSON.stringify(servers), signal });
  const reader = lease.body!.getReader();
  await reader.read();
  const stack = await sharedStack(name);
  const tenants: ApiClient[] = [];
  return {
    ...stack,
    tenant: async (tenantName) => {
      tenants.push(await stack.tenant(tenantName));
      return tenants.at(-1)!;
    },
    release: async () => {
      await Promise.all(tenants.map(cancelRuns));
      connection.abort();
      await reader.closed.catch(() => undefined);
    },
  };
}

/** Cancels runs that a failed test left active, because they would call the model of the next spec. */
async function cancelRuns(tenant: ApiClient): Promise<void> {
  const { items } = (await tenant.get('/api/agents/runs?limit=100')).json as { items?: RunView[] };
  const active = (items ?? []).filter(({ status }) => !FINAL.includes(status));
  await Promise.all(active.map(({ id }) => tenant.post(`/api/agents/runs/${id}/cancel`)));
}

/** A stack that a spec stops when done; a shared stack then continues to run. */
export interface ColumnStack extends SharedStack {
  stop(): Promise<void>;
}

/** Returns a stack with this queue and store: the shared one if it has both, otherwise a new one. */
export async function columnStack(column: {
  queue?: QueueColumn;
  store?: StoreColumn;
}): Promise<ColumnStack> {
  const { queue, store } = column;
  const isShared = (queue?.name ?? 'postgres') === 'postgres' && (store?.name ?? 'directory') === 'directory';
  if (!isShared) return TestStack.start({ ...column, fewProcesses: true });
  return { ...(await sharedStack()), stop: () => Promise.resolve() };
}
