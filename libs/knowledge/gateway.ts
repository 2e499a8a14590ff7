import type { GatewayFeature } from '#gateway/feature.js';
import { KnowledgeController } from './gateway/knowledge.controller.js';
import { KnowledgeService } from './gateway/knowledge.service.js';
import { TranscriptsService } from './gateway/transcripts/transcripts.service.js';

/** Collections of sources, and search in them. */
export const knowledgeGateway: GatewayFeature = {
  controllers: [KnowledgeController],
  providers: [KnowledgeService, TranscriptsService],
};
