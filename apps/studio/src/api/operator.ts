import { fetched, type Schemas } from './api-query';

/** HTTP Basic credentials of the operator; only in the memory of the page. */
export interface Operator {
  user: string;
  password: string;
}

/** Lists for the operator. */
export type ServiceState = Awaited<ReturnType<typeof readService>>;

/** @throws ApiProblem `unauthorized` */
export async function readService(operator: Operator) {
  const list = async <T>(path: string): Promise<T[]> => {
    const response = await fetched(`/api/admin/${path}`, { headers: basic(operator), credentials: 'omit' });
    return ((await response.json()) as { items: T[] }).items;
  };
  const [tenants, stuck, dead, queues] = await Promise.all([
    list<Schemas['Tenant']>('tenants?limit=100'),
    list<Schemas['StuckRun']>('runs/stuck?limit=100'),
    list<Schemas['DeadLetter']>('dead-letters?limit=100'),
    list<Schemas['QueueDepth']>('queues'),
  ]);
  return { tenants, stuck, dead, queues };
}

/** Retries a job that failed permanently. @throws ApiProblem */
export async function retryDeadLetter(operator: Operator, queue: string, jobId: string): Promise<void> {
  const path = `/api/admin/dead-letters/${queue}/${encodeURIComponent(jobId)}/retry`;
  await fetched(path, { method: 'POST', headers: basic(operator), credentials: 'omit' });
}

function basic({ user, password }: Operator): Record<string, string> {
  const bytes = new TextEncoder().encode(`${user}:${password}`);
  return { authorization: `Basic ${btoa(String.fromCharCode(...bytes))}` };
}
