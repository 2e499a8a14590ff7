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
