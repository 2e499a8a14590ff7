import { apiQuery, change } from './api-query';
import { call, type Schemas } from './client';
import { queryClient } from './query-client';

export type ModelSettings = Schemas['ModelSettings'];
export type Model = ModelSettings['models'][number];

/** Query for the models that runs use, and what they can do. */
export const modelQuery = apiQuery(['model'], '/api/model', {});

const show = (settings: ModelSettings) => queryClient.setQueryData(modelQuery.queryKey, settings);

/** Asks the endpoint what its models can do. @throws ApiProblem */
export const checkModel = async () => show(await call('POST /api/model/check', {}));

/** @throws ApiProblem */
export const setEndpoint = async (body: Schemas['NewModelEndpoint']) =>
  show(await call('POST /api/model/endpoint', { body }));

/** Returns to the endpoint of the installation. @throws ApiProblem */
export const removeEndpoint = () => change('DELETE /api/model/endpoint', {}, modelQuery.queryKey);
