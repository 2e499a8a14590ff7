import { apiQuery, type Schemas } from './api-query';

export type ModelSettings = Schemas['ModelSettings'];
export type Model = ModelSettings['models'][number];

/** Query for the models that runs use, and what they can do. */
export const modelQuery = apiQuery(['model'], '/api/model', {});
