import type { GatewayFeature } from '#gateway/feature.js';
import { tinyFacts } from './facts.js';

export const tinyGateway: GatewayFeature = { facts: tinyFacts, controllers: [], providers: [] };
