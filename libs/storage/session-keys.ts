import { derivedId } from '#contracts/ids.js';

/** Folders of a session in the object store; they follow the seeds' layout. */
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

/** Returns the prefix of all objects of a tenant. */
export function tenantPrefix(tenantId: string): string {
  return `tenants/${tenantId}/`;
}

/** Returns the prefix of all objects of a collection of sources. */
export function collectionPrefix(tenantId: string, collectionId: string): string {
  return `${tenantPrefix(tenantId)}knowledge/${collectionId}/`;
}

/** Returns the key of a Word template of a tenant. */
export function wordTemplateKey(tenantId: string, templateId: string): string {
  return `${tenantPrefix(tenantId)}word-templates/${templateId}`;
}

/** Returns the prefix of all objects of a session. */
export function sessionPrefix(tenantId: string, sessionId: string): string {
  return `${tenantPrefix(tenantId)}sessions/${sessionId}/`;
}

/** Returns a key within a session. `name` is made by the server, never from user input. */
export function sessionKey(tenantId: string, sessionId: string, folder: SessionFolder, name: string): string {
  return `${sessionPrefix(tenantId, sessionId)}${folder}/${name}`;
}

/** Returns the key of the texts that Word files of a book or an article show. @param digest SHA-256 of the whole text */
export const publishedTextsKey = (tenantId: string, sessionId: string, digest: string): string =>
  sessionKey(tenantId, sessionId, 'exports', `texts-${digest}.json`);

/** Returns the prefix for the finished items of a plan step that the graph itself executes. */
export function planItemsPrefix(tenantId: string, sessionId: string, runId: string, step: string): string {
  return sessionKey(tenantId, sessionId, 'results', `${derivedId('tsk', `${runId}/${step}`)}.items/`);
}

/**
 * Returns the key for the result of a plan step that the graph itself executed; the name of the step is
 * hashed.
 */
export function planResultKey(tenantId: string, sessionId: string, runId: string, task: string): string {
  return sessionKey(tenantId, sessionId, 'results', `${derivedId('tsk', `${runId}/${task}`)}.json`);
}
