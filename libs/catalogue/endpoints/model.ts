import * as model from '#contracts/api/model-schemas.js';
import { defineEndpoints } from '#contracts/api/endpoints/endpoint.js';

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
