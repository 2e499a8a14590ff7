import type { GatewayFeature } from '#gateway/feature.js';
import { documentFacts } from './facts.js';
import { DocumentExportsController } from './gateway/exports.controller.js';

/** Sessions, runs and results serve documents; only their Word files have their own endpoint. */
export const documentGateway: GatewayFeature = {
  facts: documentFacts,
  controllers: [DocumentExportsController],
  providers: [],
};
