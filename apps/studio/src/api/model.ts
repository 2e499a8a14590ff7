import { apiChange, apiQuery } from './api-query';
import { api, type Schemas, unwrap } from './client';
import { queryClient } from './query-client';

export type ModelSettings = Schemas['ModelSettings'];
export type Model = ModelSettings['models'][number];

/** Query for the models that runs use, and what they can do. */
export const modelQuery = apiQuery(['model'], '/api/model', {});

const show = (settings: ModelSettings) => queryClient.setQueryData(modelQuery.queryKey, settings);

/** Asks the endpoint what its models can do. @throws ApiProblem */
export const checkModel = async () => show(await unwrap(api.POST('/api/model/check')));

/** @throws ApiProblem */
export const setEndpoint = async (body: Schemas['NewModelEndpoint']) =>
  show(await unwrap(api.POST('/api/model/endpoint', { body })));

/** Returns to the endpoint of the installation. @throws ApiProblem */
export const removeEndpoint = () => apiChange(api.DELETE('/api/model/endpoint'), modelQuery.queryKey);
