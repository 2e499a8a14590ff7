import { Module } from '@nestjs/common';
import { APP_GUARD, APP_INTERCEPTOR } from '@nestjs/core';
import { DeadLettersService } from './admin/dead-letters.service.js';
import { OperationsController } from './admin/operations.controller.js';
import { ParkedRunsService } from './admin/parked-runs.service.js';
import { QueueDepthsService } from './admin/queue-depths.service.js';
import { StuckRunsService } from './admin/stuck-runs.service.js';
import { UsageService } from './admin/usage.service.js';
import { ArticlesController } from './articles/articles.controller.js';
import { ChatService } from './articles/chat.service.js';
import { AccessController } from './auth/access.controller.js';
import { AuditInterceptor } from './auth/audit.interceptor.js';
import { AuditService } from './auth/audit.service.js';
import { CallerWatch } from './auth/caller-watch.js';
import { KeysService } from './auth/keys.service.js';
import { BookAccess } from './books/book-access.js';
import { BookChaptersController } from './books/chapters.controller.js';
import { ChapterTexts } from './books/chapter-texts.js';
import { BookChaptersService } from './books/chapters.service.js';
import { BookSourcesController } from './books/sources.controller.js';
import { ChapterImpactService } from './books/impact.service.js';
import { BookProjectsController } from './books/projects.controller.js';
import { ProfileAssistant } from './books/profile-assistant.service.js';
import { BookProjectsService } from './books/projects.service.js';
import { DecisionsController } from './decisions/decisions.controller.js';
import { DecisionsService } from './decisions/decisions.service.js';
import { Dependencies } from './health/dependencies.js';
import { HealthController } from './health/health.controller.js';
import { DiffService } from './history/diff.service.js';
import { HistoryController } from './history/history.controller.js';
import { HistoryService } from './history/history.service.js';
import { ApiKeyGuard } from './http/api-key.guard.js';
import { IdempotencyInterceptor } from './http/idempotency.interceptor.js';
import { TraceInterceptor } from './http/trace-requests.js';
import { TenantScopeInterceptor } from './http/tenant-scope.interceptor.js';
import { CorpusController } from './corpus/corpus.controller.js';
import { CorpusService } from './corpus/corpus.service.js';
import { KnowledgeController } from './knowledge/knowledge.controller.js';
import { KnowledgeService } from './knowledge/knowledge.service.js';
import { TranscriptsService } from './knowledge/transcripts/transcripts.service.js';
import { McpController } from './mcp/mcp.controller.js';
import { McpService } from './mcp/mcp.service.js';
import { McpServersController } from './mcp-servers/mcp-servers.controller.js';
import { McpServersService } from './mcp-servers/mcp-servers.service.js';
import { PlanTools } from './mcp/plan-tools.js';
import { McpResources } from './mcp/resources.js';
import { CallOnce } from './mcp/call-once.js';
import { RunWait } from './mcp/run-wait.js';
import { Workplace } from './mcp/workplace.js';
import { WritingTools } from './mcp/writing-tools.js';
import { PlansController } from './plans/plans.controller.js';
import { PlansService } from './plans/plans.service.js';
import { ToolsService } from './plans/tools.service.js';
import { ResultsController } from './results/results.controller.js';
import { ResultsService } from './results/results.service.js';
import { RunsController } from './runs/runs.controller.js';
import { RunsService } from './runs/runs.service.js';
import { FileIntake } from './sessions/file-intake.js';
import { InputsController } from './sessions/inputs.controller.js';
import { InputsService } from './sessions/inputs.service.js';
import { SessionAccess } from './sessions/session-access.js';
import { SessionsController } from './sessions/sessions.controller.js';
import { StudioController } from './studio/studio.controller.js';
import { StudioService } from './studio/studio.service.js';
import { PurgeService } from './tenants/purge.service.js';
import { QuotaService } from './tenants/quota.service.js';
import { TenantsController } from './tenants/tenants.controller.js';
import { TenantsService } from './tenants/tenants.service.js';
import { UsageController } from './usage/usage.controller.js';
import { WebhooksController } from './webhooks/webhooks.controller.js';
import { WebhooksService } from './webhooks/webhooks.service.js';

@Module({
  controllers: [
    HealthController,
    AccessController,
    SessionsController,
    InputsController,
    ResultsController,
    RunsController,
    UsageController,
    HistoryController,
    DecisionsController,
    TenantsController,
    OperationsController,
    BookProjectsController,
    BookChaptersController,
    BookSourcesController,
    WebhooksController,
    KnowledgeController,
    CorpusController,
    StudioController,
    PlansController,
    McpController,
    ArticlesController,
    McpServersController,
  ],
  providers: [
    McpService,
    McpServersService,
    McpResources,
    PlanTools,
    WritingTools,
    RunWait,
    CallOnce,
    Workplace,
    PlansService,
    ChatService,
    ToolsService,
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
    ResultsService,
    HistoryService,
    DiffService,
    DecisionsService,
    BookAccess,
    BookProjectsService,
    ProfileAssistant,
    BookChaptersService,
    ChapterTexts,
    ChapterImpactService,
    WebhooksService,
    KnowledgeService,
    TranscriptsService,
    CorpusService,
    StudioService,
    { provide: APP_GUARD, useClass: ApiKeyGuard },
    { provide: APP_INTERCEPTOR, useClass: TraceInterceptor },
    // Outermost of the interceptors with effects, so that everything a tenant's request does runs in the
    // tenant's scope.
    { provide: APP_INTERCEPTOR, useClass: TenantScopeInterceptor },
    // Outside the audit interceptor: a repeated request is answered without being executed, so it is not
    // audited again.
    { provide: APP_INTERCEPTOR, useClass: IdempotencyInterceptor },
    { provide: APP_INTERCEPTOR, useClass: AuditInterceptor },
  ],
})
export class GatewayModule {}
