import type { Database } from '#db/client.js';
import type { GatewayFeature } from '#gateway/feature.js';
import { DocumentChanges, DocumentExports } from '#gateway/runs/feature-ports.js';
import { DATABASE } from '#kit/runtime/infrastructure.module.js';
import { documentFacts } from './facts.js';
import { ConversionsController } from './gateway/conversions.controller.js';
import { DocumentExportsController, DocumentExportsService } from './gateway/exports.controller.js';
import { findLeftDocument } from './store/written-run.js';

/** Sessions, runs and results serve documents; conversions and new Word files have their own endpoints. */
export const documentGateway: GatewayFeature = {
  facts: documentFacts,
  controllers: [ConversionsController, DocumentExportsController],
  providers: [
    { provide: DocumentExports, useClass: DocumentExportsService },
    {
      provide: DocumentChanges,
      useFactory: (db: Database): DocumentChanges => ({
        exist: (tenantId, sessionId) =>
          findLeftDocument(db, tenantId, sessionId).then((left) => left?.isChanged ?? false),
      }),
      inject: [DATABASE],
    },
  ],
};
