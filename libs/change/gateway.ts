import type { GatewayFeature } from '#gateway/feature.js';
import { ProposalRepository } from '#db/repositories/proposals.js';
import { provideRepositories } from '#kit/runtime/provide-repositories.js';
import { changeFacts } from './facts.js';
import { ChangesController, ChangesService } from './gateway/changes.service.js';
import { ChangeTargets } from './gateway/targets.js';

/** Changes of selected parts of texts. */
export const changeGateway: GatewayFeature = {
  facts: changeFacts,
  controllers: [ChangesController],
  providers: [...provideRepositories(ProposalRepository), ChangesService, ChangeTargets],
};
