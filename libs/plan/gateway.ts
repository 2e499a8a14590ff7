import type { GatewayFeature } from '#gateway/feature.js';
import { SavedPlans } from '#gateway/runs/feature-ports.js';
import { provideRepositories } from '#kit/runtime/provide-repositories.js';
import { planFacts } from './facts.js';
import { FilledPlansService } from './gateway/filled-plans.service.js';
import { McpServersController } from './gateway/mcp-servers.controller.js';
import { McpServersService } from './gateway/mcp-servers.service.js';
import { PlanTools } from './gateway/mcp-tools.js';
import { PlansController } from './gateway/plans.controller.js';
import { PlansService } from './gateway/plans.service.js';
import { SavedPlanTools } from './gateway/saved-plan-tools.js';
import { SavedPlansController } from './gateway/saved-plans.controller.js';
import { SavedPlansService } from './gateway/saved-plans.service.js';
import { SecretsController } from './gateway/secrets.controller.js';
import { SecretsService } from './gateway/secrets.service.js';
import { SuggestionsService } from './gateway/suggestions.service.js';
import { ToolsService } from './gateway/tools.service.js';
import { PlanCommandRepository } from './store/commands.js';
import { McpServerRepository } from './store/mcp-servers.js';
import { SecretRepository, PlanHostsRepository } from './store/secrets.js';
import { SavedPlanRepository } from './store/saved-plans.js';
import { ToolGraphRepository } from './store/tool-graph.js';

/** Plans, their tools, and the MCP servers that provide more of them. */
export const planGateway: GatewayFeature = {
  facts: planFacts,
  controllers: [PlansController, SavedPlansController, McpServersController, SecretsController],
  providers: [
    ...provideRepositories(
      PlanCommandRepository,
      ToolGraphRepository,
      McpServerRepository,
      SecretRepository,
      PlanHostsRepository,
      SavedPlanRepository,
    ),
    PlansService,
    FilledPlansService,
    SavedPlansService,
    { provide: SavedPlans, useExisting: SavedPlansService },
    ToolsService,
    McpServersService,
    SecretsService,
    SuggestionsService,
  ],
  mcpTools: [PlanTools, SavedPlanTools],
};
