import type { GatewayFeature } from '#gateway/feature.js';
import { DocumentExports } from '#gateway/runs/feature-ports.js';
import { documentFacts } from './facts.js';
import { DocumentExportsController, DocumentExportsService } from './gateway/exports.controller.js';

/** Sessions, runs and results serve documents; only their Word files have their own endpoint. */
export const documentGateway: GatewayFeature = {
  facts: documentFacts,
  controllers: [DocumentExportsController],
  providers: [{ provide: DocumentExports, useClass: DocumentExportsService }],
};
