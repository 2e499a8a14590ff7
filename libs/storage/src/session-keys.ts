import { derivedId } from '#contracts/ids.js';

/** The folders of a session in the object store; they follow the seeds' layout. */
export type SessionFolder =
  | 'inputs'
  | 'assets'
  | 'texts'
  | 'checkpoints'
  | 'manuscript'
  | 'exports'
  | 'ledger'
  | 'structure'
  | 'results';

/** The prefix under which everything of a tenant lies. */
export function tenantPrefix(tenantId: string): string {
  return `tenants/${tenantId}/`;
}

/** The prefix under which everything of a session lies. */
export function sessionPrefix(tenantId: string, sessionId: string): string {
  return `${tenantPrefix(tenantId)}sessions/${sessionId}/`;
}

/** A key within a session. `name` is made by the server, never taken from user input. */
export function sessionKey(tenantId: string, sessionId: string, folder: SessionFolder, name: string): string {
  return `${sessionPrefix(tenantId, sessionId)}${folder}/${name}`;
}

/** Where the result of a task lies that the graph of a plan did itself; what a task is called is no part of the key. */
export function planResultKey(tenantId: string, sessionId: string, runId: string, task: string): string {
  return sessionKey(tenantId, sessionId, 'results', `${derivedId('tsk', `${runId}/${task}`)}.json`);
}
