import { accessEndpoints } from './endpoints/access.js';
import { adminEndpoints } from './endpoints/admin.js';
import { decisionsEndpoints } from './endpoints/decisions.js';
import { historyEndpoints } from './endpoints/history.js';
import { inputsEndpoints } from './endpoints/inputs.js';
import { resultsEndpoints } from './endpoints/results.js';
import { runsEndpoints } from './endpoints/runs.js';
import { serviceEndpoints } from './endpoints/service.js';
import { sessionsEndpoints } from './endpoints/sessions.js';
import { webhooksEndpoints } from './endpoints/webhooks.js';

export { scopeOf, type Endpoint } from './endpoints/endpoint.js';

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
  ...decisionsEndpoints,
  ...historyEndpoints,
  ...webhooksEndpoints,
  ...adminEndpoints,
};

export type EndpointName = keyof typeof endpoints;
