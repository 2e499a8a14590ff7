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

export { isStream, isTagged, scopeOf, tagDescriptions, type Endpoint } from './endpoints/endpoint.js';

/**
 * The catalogue of endpoints, one file per tag: source of the gateway's routes, of the OpenAPI document and
 * of the checks of both. A trailing slash is optional everywhere. Resources of other tenants are `not_found`,
 * like resources that do not exist.
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

export type EndpointName = keyof typeof endpoints;
