import type { GatewayFeature } from '#gateway/feature.js';
import { documentFacts } from './facts.js';

/** Sessions, runs and results serve documents, so there are no document endpoints. */
export const documentGateway: GatewayFeature = { facts: documentFacts, controllers: [], providers: [] };
