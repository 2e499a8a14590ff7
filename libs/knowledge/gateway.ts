import type { GatewayFeature } from '#gateway/feature.js';
import { CollectionSyncs } from '#gateway/runs/feature-ports.js';
import { CollectionSyncsService } from './gateway/collection-syncs.js';
import { KnowledgeController } from './gateway/knowledge.controller.js';
import { KnowledgeService } from './gateway/knowledge.service.js';
import { ReferencesService } from './gateway/references.service.js';
import { TranscriptsService } from './gateway/transcripts/transcripts.service.js';
import { provideRepositories } from '#kit/runtime/provide-repositories.js';
import { CollectionRepository } from './store/collections.js';
import { SourceRepository } from './store/sources.js';

/** Collections of sources, and search in them. */
export const knowledgeGateway: GatewayFeature = {
  controllers: [KnowledgeController],
  providers: [
    ...provideRepositories(CollectionRepository, SourceRepository),
    KnowledgeService,
    { provide: CollectionSyncs, useClass: CollectionSyncsService },
    TranscriptsService,
    ReferencesService,
  ],
};
