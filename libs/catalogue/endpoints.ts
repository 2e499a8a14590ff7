import { adminEndpoints, accessEndpoints } from './endpoints/admin.js';
import { articlesEndpoints, corpusEndpoints } from '#article/contract/endpoints.js';
import { bookSourcesEndpoints } from '#book/contract/source-endpoints.js';
import { booksEndpoints } from '#book/contract/endpoints.js';
import { changesEndpoints } from '#change/contract/endpoints.js';
import { reviewsEndpoints } from '#review/contract/endpoints.js';
import { documentEndpoints } from '#document/contract/endpoints.js';
import { runsEndpoints, usageEndpoints, historyEndpoints, decisionsEndpoints } from './endpoints/runs.js';
import { inputsEndpoints, sessionsEndpoints } from './endpoints/sessions.js';
import { knowledgeEndpoints } from '#knowledge/contract/endpoints.js';
import { mcpEndpoints, secretsEndpoints } from '#plan/contract/mcp-endpoints.js';
import { modelEndpoints, serviceEndpoints, studioEndpoints } from './endpoints/service.js';
import { plansEndpoints, savedPlansEndpoints } from '#plan/contract/endpoints.js';
import { resultsEndpoints, wordTemplatesEndpoints } from './endpoints/results.js';
import { schedulesEndpoints } from './endpoints/schedules.js';
import { webhooksEndpoints } from './endpoints/webhooks.js';

export {
  isStream,
  isTagged,
  scopeOf,
  tagDescriptions,
  type Endpoint,
} from '#contracts/api/endpoints/endpoint.js';

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
  ...documentEndpoints,
  ...runsEndpoints,
  ...usageEndpoints,
  ...schedulesEndpoints,
  ...wordTemplatesEndpoints,
  ...decisionsEndpoints,
  ...historyEndpoints,
  ...booksEndpoints,
  ...bookSourcesEndpoints,
  ...knowledgeEndpoints,
  ...corpusEndpoints,
  ...plansEndpoints,
  ...savedPlansEndpoints,
  ...articlesEndpoints,
  ...changesEndpoints,
  ...reviewsEndpoints,
  ...mcpEndpoints,
  ...modelEndpoints,
  ...secretsEndpoints,
  ...webhooksEndpoints,
  ...studioEndpoints,
  ...adminEndpoints,
};

export type EndpointName = keyof typeof endpoints;
