import type { GatewayFeature } from '#gateway/feature.js';
import { DocumentChanges, DocumentExports } from '#gateway/runs/feature-ports.js';
import { documentFacts } from './facts.js';
import { ConversionsController } from './gateway/conversions.controller.js';
import {
  DocumentExportsController,
  DocumentExportsService,
  LeftDocuments,
} from './gateway/exports.controller.js';

/** Sessions, runs and results serve documents; conversions and new Word files have their own endpoints. */
export const documentGateway: GatewayFeature = {
  facts: documentFacts,
  controllers: [ConversionsController, DocumentExportsController],
  providers: [
    { provide: DocumentExports, useClass: DocumentExportsService },
    { provide: DocumentChanges, useClass: LeftDocuments },
  ],
};
