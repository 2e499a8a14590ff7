import * as schemas from '#contracts/api/schemas.js';
import { defineEndpoints } from '#contracts/api/endpoints/endpoint.js';
import * as studio from '#contracts/api/access-schemas.js';
import * as model from '#contracts/api/operations-schemas.js';

/** Operations with the tag `service`. */
export const serviceEndpoints = defineEndpoints('service', {
  health: {
    method: 'GET',
    path: '/api/health',
    summary: 'Check whether the service and its dependencies are reachable',
    open: true,
    alsoStatus: [503],
    response: schemas.healthSchema,
  },
  live: {
    method: 'GET',
    path: '/api/health/live',
    summary: 'Check whether this process responds, regardless of its dependencies',
    open: true,
    response: schemas.livenessSchema,
  },
  ready: {
    method: 'GET',
    path: '/api/health/ready',
    summary:
      'Check whether this process can serve requests, with the state of each dependency (503 if it cannot)',
    open: true,
    alsoStatus: [503],
    response: schemas.readinessSchema,
  },
});

/** Operations with the tag `studio`. */
export const studioEndpoints = defineEndpoints('studio', {
  signIn: {
    method: 'POST',
    path: '/api/studio/sign-in',
    summary:
      'Exchange an API key, or the secret of a sign-in link (sil_…), for the session cookie of a browser',
    scope: 'any',
    status: 201,
    response: studio.webSessionSchema,
    errors: ['cross_site_request'],
  },
  getWebSession: {
    method: 'GET',
    path: '/api/studio/session',
    summary: 'Read who is signed in, with their permissions',
    scope: 'any',
    response: studio.webSessionSchema,
  },
  signOut: {
    method: 'POST',
    path: '/api/studio/sign-out',
    summary: 'End the session of the browser',
    scope: 'any',
    status: 204,
  },
  createSignInLink: {
    method: 'POST',
    path: '/api/studio/sign-in-links',
    summary: 'Create a link that signs in one browser once, within five minutes, with the scopes of the key',
    scope: 'any',
    status: 201,
    response: studio.signInLinkSchema,
    shownOnce: 'path',
  },
});

/** Operations with the tag `model`. */
export const modelEndpoints = defineEndpoints('model', {
  getModel: {
    method: 'GET',
    path: '/api/model',
    summary: 'Read which models runs use, what they can do, and what follows from it',
    response: model.modelSettingsSchema,
  },
  checkModel: {
    method: 'POST',
    path: '/api/model/check',
    summary: 'Ask the endpoint what its models can do, in a few small requests; at most once a minute',
    scope: 'admin',
    response: model.modelSettingsSchema,
    errors: ['no_model', 'model_failed'],
  },
  setModelEndpoint: {
    method: 'POST',
    path: '/api/model/endpoint',
    summary: 'Use an endpoint of the tenant instead of the installation’s; runs use it from their next step',
    scope: 'admin',
    body: model.newModelEndpointSchema,
    response: model.modelSettingsSchema,
    errors: ['model_endpoint_refused'],
  },
  deleteModelEndpoint: {
    method: 'DELETE',
    path: '/api/model/endpoint',
    summary: 'Delete the tenant’s endpoint with its key, and use the installation’s',
    scope: 'admin',
  },
});
