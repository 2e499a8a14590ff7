import { accessEndpoints } from './endpoints/access.js';
import { adminEndpoints } from './endpoints/admin.js';
import { articlesEndpoints } from './endpoints/articles.js';
import { bookSourcesEndpoints } from './endpoints/book-sources.js';
import { booksEndpoints } from './endpoints/books.js';
import { corpusEndpoints } from './endpoints/corpus.js';
import { decisionsEndpoints } from './endpoints/decisions.js';
import { historyEndpoints } from './endpoints/history.js';
import { inputsEndpoints } from './endpoints/inputs.js';
import { knowledgeEndpoints } from './endpoints/knowledge.js';
import { mcpEndpoints } from './endpoints/mcp.js';
import { plansEndpoints } from './endpoints/plans.js';
import { resultsEndpoints } from './endpoints/results.js';
import { runsEndpoints } from './endpoints/runs.js';
import { serviceEndpoints } from './endpoints/service.js';
import { sessionsEndpoints } from './endpoints/sessions.js';
import { studioEndpoints } from './endpoints/studio.js';
import { usageEndpoints } from './endpoints/usage.js';
import { webhooksEndpoints } from './endpoints/webhooks.js';

export { isStream, isTagged, scopeOf, type Endpoint } from './endpoints/endpoint.js';

/**
 * THE catalogue of endpoints, one file per tag: the gateway's routes, the OpenAPI document and the checks of both come from
 * it. A trailing slash is optional everywhere. Whatever belongs to another tenant is `not_found`, like whatever does not
 * exist.
 */
export const endpoints = {
  ...serviceEndpoints,
  ...accessEndpoints,
  ...sessionsEndpoints,
  ...inputsEndpoints,
  ...resultsEndpoints,
  ...runsEndpoints,
  ...usageEndpoints,
  ...decisionsEndpoints,
  ...historyEndpoints,
  ...booksEndpoints,
  ...bookSourcesEndpoints,
  ...knowledgeEndpoints,
  ...corpusEndpoints,
  ...plansEndpoints,
  ...articlesEndpoints,
  ...mcpEndpoints,
  ...webhooksEndpoints,
  ...studioEndpoints,
  ...adminEndpoints,
};

/** What the operations of each tag are about. */
export const tagDescriptions: Record<(typeof endpoints)[EndpointName]['tag'], string> = {
  service: 'Whether the service can be reached.',
  access: 'API keys, tokens and the audit log of a tenant.',
  sessions: 'Sessions hold inputs, runs and results.',
  inputs: 'Raw files, and the assets that they refer to.',
  results: 'Manuscript, ledger, checkpoints and exports of a session.',
  runs: 'Runs of the agent: start, follow, cancel.',
  decisions: 'Questions to people, and their answers.',
  history: 'Checkpoints of runs; restore, fork and compare.',
  books: 'Books: concept, outline, chapters and their versions.',
  knowledge: 'Collections of sources, and the search for passages in them.',
  corpus: 'The style corpus: texts, their fingerprint, and texts compared with it.',
  plans: 'Graphs of tools that ask, plan anew and learn; the tools themselves.',
  articles: 'Conversations that end with an article, and the log of those that were approved.',
  mcp: 'MCP servers of the tenant, whose tools plans may use.',
  webhooks: 'Signed requests of the service to a URL of the tenant.',
  studio: 'Signing a browser in, for the web studio.',
  admin: 'For the operator of the service.',
};

export type EndpointName = keyof typeof endpoints;
