/** URIs of the resources of `/mcp`. IDs come from the service, so they need no escaping. */
const SESSIONS = 'scriptorium://sessions';

export const manuscriptUri = (sessionId: string) => `${SESSIONS}/${sessionId}/manuscript`;
export const ledgerUri = (sessionId: string) => `${SESSIONS}/${sessionId}/ledger`;
export const exportUri = (sessionId: string, exportId: string) =>
  `${SESSIONS}/${sessionId}/exports/${exportId}`;

/** The same URIs as templates (RFC 6570). */
export const resourceTemplates = {
  manuscript: manuscriptUri('{session_id}'),
  ledger: ledgerUri('{session_id}'),
  export: exportUri('{session_id}', '{export_id}'),
};
