import type { ApiClient, RunView } from './api-client.js';
import type { QueueColumn, StoreColumn } from './columns.js';
import { newTenant, TestStack } from './test-stack.js';

const FINAL = ['completed', 'failed', 'rejected', 'cancelled'];

/**
 * The profiles of test/setup/shared-stacks.js, all on PostgreSQL's queue and the directory store:
 * - `whole`: every app.
 * - `gateway`: no worker, so that a run stays queued, and five files a session at most.
 * - `private`: every app; tools and webhooks reach servers of this machine.
 * - `model`: every app, with a model and Exa over HTTP; `leasedStack` names their servers.
 * - `own`: every app; for a spec that looks at what belongs to all tenants. Take it by `leasedStack`.
 */
export type SharedStackName = 'whole' | 'gateway' | 'private' | 'model' | 'own';

/** A stack that other specs use at the same time: what a spec sees and changes is its own tenants'. */
export interface SharedStack {
  /** The gateway's base URL. */
  url: string;
  /** The settings the apps run with. */
  env: NodeJS.ProcessEnv;
  database: { url: string };
  /** A new tenant with an API key. */
  tenant(name?: string): Promise<ApiClient>;
  /** What the processes have logged. */
  log(): Promise<string>;
}

/** A stack that no other spec uses until it is released. */
export interface LeasedStack extends SharedStack {
  /** Cancels what the spec's tenants still run, and lets the next spec have the stack. */
  release(): Promise<void>;
}

/** @throws Error when jest's global set-up did not run, or the answer is an error */
async function askKeeper(path: string, init?: RequestInit): Promise<Response> {
  const keeper = process.env['TEST_SHARED_STACKS'];
  if (keeper === undefined)
    throw new Error('TEST_SHARED_STACKS is not set: run jest with test/setup/global-setup.js');
  const response = await fetch(`${keeper}${path}`, init);
  if (!response.ok) throw new Error(`The shared stack did not start: ${await response.text()}`);
  return response;
}

/**
 * The stack that jest's global set-up starts for the first spec that asks for it, and stops after the last one. A spec that kills a
 * process or needs other settings starts a `TestStack` of its own.
 *
 * @throws Error when jest's global set-up did not run, or the stack does not start
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
 * A shared stack for one spec at a time; waits until the spec that has it releases it. End the runs of a spec before.
 *
 * @param servers base URLs of the servers that the stack calls: the model's as for OPENAI_BASE_URL, Exa's as for EXA_BASE_URL
 * @throws Error as `sharedStack`
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

/** What a failed test leaves running must not call the model of the next spec. */
async function cancelRuns(tenant: ApiClient): Promise<void> {
  const { items } = (await tenant.get('/api/agents/runs?limit=100')).json as { items?: RunView[] };
  const active = (items ?? []).filter(({ status }) => !FINAL.includes(status));
  await Promise.all(active.map(({ id }) => tenant.post(`/api/agents/runs/${id}/cancel`)));
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
  if (!isShared) return TestStack.start({ ...column, fewProcesses: true });
  return { ...(await sharedStack()), stop: () => Promise.resolve() };
}
