import { DeadLettersService } from '#gateway/admin/dead-letters.service.js';
import type { GatewaySettings } from '#config/settings.js';
import type { Database } from '#db/client.js';
import { ApiKeyRepository } from '#db/repositories/api-keys.js';
import { AuditRepository } from '#db/repositories/audit.js';
import { DecisionRepository, EarlyAnswerRepository } from '#db/repositories/decisions.js';
import { ExportRepository } from '#db/repositories/exports.js';
import { GraphCheckpointRepository } from '#db/repositories/graph-checkpoints.js';
import { KeptKeys } from '#db/repositories/kept-keys.js';
import { LinkRepository } from '#db/repositories/links.js';
import { ModelUsageRepository } from '#db/repositories/model-usage.js';
import { NamedCheckpointRepository } from '#db/repositories/named-checkpoints.js';
import { OverruledFindingRepository } from '#db/repositories/overruled-findings.js';
import { RunRepository } from '#db/repositories/runs.js';
import { WorkRepository } from '#db/repositories/work.js';
import { SessionFileRepository } from '#db/repositories/session-files.js';
import { SessionResultRepository } from '#db/repositories/session-results.js';
import { ScheduleRepository } from '#db/repositories/schedules.js';
import { WordTemplateRepository } from '#db/repositories/word-templates.js';
import { SessionRepository } from '#db/repositories/sessions.js';
import { TenantRepository } from '#db/repositories/tenants.js';
import { UsageRepository } from '#db/repositories/usage.js';
import { WebSessionRepository } from '#db/repositories/web-sessions.js';
import { WebhookRepository } from '#db/repositories/webhooks.js';
import { OperationsController, QueueDepthsService } from '#gateway/admin/operations.controller.js';
import { StuckRunsService, ParkedRunsService } from '#gateway/admin/stuck-runs.service.js';
import { UsageController, UsageService } from '#gateway/admin/usage.service.js';
import { AccessController } from '#gateway/auth/access.controller.js';
import { INTERCEPTORS } from '#gateway/http/interceptors.js';
import { AuditService } from '#gateway/http/audit.service.js';
import { CallerWatch } from '#gateway/auth/caller-watch.js';
import { KeysService } from '#gateway/auth/keys.service.js';
import { NotificationListener } from '#engine/events/listener.js';
import { DecisionsController } from '#gateway/decisions/decisions.controller.js';
import { DecisionsService } from '#gateway/decisions/decisions.service.js';
import { Dependencies } from '#gateway/health/dependencies.js';
import { HealthController } from '#gateway/health/health.controller.js';
import { DiffService } from '#gateway/history/diff.service.js';
import { HistoryController } from '#gateway/history/history.controller.js';
import { HistoryService } from '#gateway/history/history.service.js';
import { ApiKeyGuard } from '#gateway/http/api-key.guard.js';
import { CallOnce, RunWait } from '#gateway/mcp/run-calls.js';
import { McpController } from '#gateway/mcp/mcp.controller.js';
import { McpService } from '#gateway/mcp/mcp.service.js';
import { McpResources } from '#gateway/mcp/resources.js';
import { Workplace } from '#gateway/mcp/workplace.js';
import { ModelController, ModelService } from '#gateway/model/model.service.js';
import { LinksController } from '#gateway/links/links.controller.js';
import { LinksService } from '#gateway/links/links.service.js';
import { ResultsController } from '#gateway/results/results.controller.js';
import { ResultsService } from '#gateway/results/results.service.js';
import { RunsController } from '#gateway/runs/runs.controller.js';
import { RunsService, SettledRuns } from '#gateway/runs/runs.service.js';
import { EventValues } from '#gateway/schedules/event-values.js';
import { ScheduleClock } from '#gateway/schedules/schedule-clock.js';
import { SchedulesController } from '#gateway/schedules/schedules.controller.js';
import { SchedulesService } from '#gateway/schedules/schedules.service.js';
import { TriggerBuckets } from '#gateway/schedules/trigger-buckets.js';
import { WordTemplatesController } from '#gateway/word-templates/word-templates.controller.js';
import { WordTemplatesService } from '#gateway/word-templates/word-templates.service.js';
import { FileIntake } from '#gateway/sessions/file-intake.js';
import { InputsController } from '#gateway/sessions/inputs.controller.js';
import { InputsService } from '#gateway/sessions/inputs.service.js';
import { SessionAccess } from '#gateway/tenants/session-access.js';
import { SessionsController } from '#gateway/sessions/sessions.controller.js';
import { StudioController } from '#gateway/studio/studio.controller.js';
import { StudioService } from '#gateway/studio/studio.service.js';
import { PurgeService } from '#gateway/tenants/purge.service.js';
import { QuotaService } from '#gateway/tenants/quota.service.js';
import { TenantsController } from '#gateway/tenants/tenants.controller.js';
import { TenantsService } from '#gateway/tenants/tenants.service.js';
import { WebhooksController } from '#gateway/webhooks/webhooks.controller.js';
import { WebhooksService } from '#gateway/webhooks/webhooks.service.js';
import { ModelEndpoints } from '#kit/model/model-endpoints.js';
import { DATABASE, SETTINGS } from '#kit/runtime/infrastructure.module.js';
import { provideRepositories } from '#kit/runtime/provide-repositories.js';
import { type GatewayFeature, type McpTools, SESSION_DELETION_HOOKS } from '#gateway/feature.js';
import { MCP_TOOLS } from '#gateway/mcp/mcp-tool.js';
import { Module, type DynamicModule, type Provider } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { WritingTools } from './writing-tools.js';

const controllers = [
  HealthController,
  AccessController,
  SessionsController,
  InputsController,
  ResultsController,
  LinksController,
  RunsController,
  SchedulesController,
  WordTemplatesController,
  UsageController,
  ModelController,
  HistoryController,
  DecisionsController,
  TenantsController,
  OperationsController,
  WebhooksController,
  StudioController,
  McpController,
];

const providers: Provider[] = [
  ...provideRepositories(
    AuditRepository,
    DecisionRepository,
    EarlyAnswerRepository,
    ExportRepository,
    GraphCheckpointRepository,
    LinkRepository,
    ModelUsageRepository,
    NamedCheckpointRepository,
    OverruledFindingRepository,
    RunRepository,
    WorkRepository,
    ScheduleRepository,
    WordTemplateRepository,
    SessionFileRepository,
    SessionResultRepository,
    SessionRepository,
    TenantRepository,
    UsageRepository,
    WebSessionRepository,
    WebhookRepository,
  ),
  {
    provide: ApiKeyRepository,
    useFactory: (db: Database, listener: NotificationListener) =>
      new ApiKeyRepository(db, new KeptKeys(listener)),
    inject: [DATABASE, NotificationListener],
  },
  McpService,
  McpResources,
  RunWait,
  CallOnce,
  Workplace,
  Dependencies,
  AuditService,
  KeysService,
  CallerWatch,
  TenantsService,
  QuotaService,
  PurgeService,
  QueueDepthsService,
  StuckRunsService,
  ParkedRunsService,
  DeadLettersService,
  UsageService,
  SessionAccess,
  FileIntake,
  InputsService,
  RunsService,
  SettledRuns,
  EventValues,
  TriggerBuckets,
  ScheduleClock,
  SchedulesService,
  WordTemplatesService,
  ResultsService,
  LinksService,
  HistoryService,
  DiffService,
  DecisionsService,
  {
    provide: ModelEndpoints,
    useFactory: (db: Database, settings: GatewaySettings) => new ModelEndpoints(db, settings),
    inject: [DATABASE, SETTINGS],
  },
  ModelService,
  WebhooksService,
  StudioService,
  { provide: APP_GUARD, useClass: ApiKeyGuard },
  ...INTERCEPTORS,
];

/** Controllers and providers of the gateway and its features. */
@Module({})
export class GatewayModule {
  static of(
    features: readonly GatewayFeature[],
  ): Pick<DynamicModule, 'module' | 'controllers' | 'providers'> {
    const mcpTools = [...features.flatMap((feature) => feature.mcpTools ?? []), WritingTools];
    return {
      module: GatewayModule,
      controllers: [...controllers, ...features.flatMap((feature) => feature.controllers)],
      providers: [
        ...providers,
        ...features.flatMap((feature) => feature.providers),
        ...mcpTools,
        {
          provide: MCP_TOOLS,
          useFactory: (...sources: McpTools[]) => sources.flatMap((source) => source.all()),
          inject: mcpTools,
        },
        {
          provide: SESSION_DELETION_HOOKS,
          useValue: features.flatMap(({ onSessionDeletion: hook }) => (hook ? [hook] : [])),
        },
      ],
    };
  }
}
