import type { GatewayFeature } from '#gateway/feature.js';
import { provideRepositories } from '#kit/runtime/provide-repositories.js';
import { reviewFacts } from './facts.js';
import { CommentsController } from './gateway/comments.controller.js';
import { ReviewsController } from './gateway/reviews.controller.js';
import { ReviewsService } from './gateway/reviews.service.js';
import { ReviewTargets } from './gateway/targets.js';
import { CommentRepository } from '#db/repositories/comments.js';
import { ProposalRepository } from '#db/repositories/proposals.js';

/** Word files that came back, and comments about texts. */
export const reviewGateway: GatewayFeature = {
  facts: reviewFacts,
  controllers: [ReviewsController, CommentsController],
  providers: [...provideRepositories(ProposalRepository, CommentRepository), ReviewsService, ReviewTargets],
};
