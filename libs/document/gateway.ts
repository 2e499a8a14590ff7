import type { GatewayFeature } from '#gateway/feature.js';
import { documentFacts } from './facts.js';

/** Documents need no endpoints of their own: sessions, runs and results serve them. */
export const documentGateway: GatewayFeature = { facts: documentFacts, controllers: [], providers: [] };
