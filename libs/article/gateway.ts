import type { GatewayFeature } from '#gateway/feature.js';
import { StyleTexts } from '#gateway/runs/feature-ports.js';
import { articleFacts } from './facts.js';
import { ArticlesController } from './gateway/articles.controller.js';
import { ChatService } from './gateway/chat.service.js';
import { CorpusController } from './gateway/corpus.controller.js';
import { CorpusService } from './gateway/corpus.service.js';
import { forgetArticles } from './store/article-log.js';

/** Articles: conversations about them, their log, and style corpora. */
export const articleGateway: GatewayFeature = {
  facts: articleFacts,
  controllers: [CorpusController, ArticlesController],
  providers: [ChatService, CorpusService, { provide: StyleTexts, useExisting: CorpusService }],
  onSessionDeletion: forgetArticles,
};
