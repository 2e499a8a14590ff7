import { sessionKey } from '#storage/session-keys.js';

/** Returns the object key of a Word file that came back. */
export const returnedKey = (tenantId: string, sessionId: string, fileId: string): string =>
  sessionKey(tenantId, sessionId, 'results', `returned-${fileId}.docx`);
