import { Module } from '@nestjs/common';
import { APP_GUARD, APP_INTERCEPTOR } from '@nestjs/core';
import { DeadLettersService } from '#gateway/admin/dead-letters.service.js';
import { OperationsController } from '#gateway/admin/operations.controller.js';
import { ParkedRunsService } from '#gateway/admin/parked-runs.service.js';
import { QueueDepthsService } from '#gateway/admin/queue-depths.service.js';
import { StuckRunsService } from '#gateway/admin/stuck-runs.service.js';
import { UsageService } from '#gateway/admin/usage.service.js';
import { ArticlesController } from '#article/gateway/articles.controller.js';
import { ChatService } from '#article/gateway/chat.service.js';
import { AccessController } from '#gateway/auth/access.controller.js';
import { AuditInterceptor } from '#gateway/auth/audit.interceptor.js';
import { AuditService } from '#gateway/auth/audit.service.js';
import { CallerWatch } from '#gateway/auth/caller-watch.js';
import { KeysService } from '#gateway/auth/keys.service.js';
import { BookAccess } from '#book/gateway/book-access.js';
import { BookChaptersController } from '#book/gateway/chapters.controller.js';
import { ChapterTexts } from '#book/gateway/chapter-texts.js';
import { BookChaptersService } from '#book/gateway/chapters.service.js';
import { BookSourcesController } from '#book/gateway/sources.controller.js';
import { ChapterImpactService } from '#book/gateway/impact.service.js';
import { BookProjectsController } from '#book/gateway/projects.controller.js';
import { ProfileAssistant } from '#book/gateway/profile-assistant.service.js';
import { BookProjectsService } from '#book/gateway/projects.service.js';
import { DecisionsController } from '#gateway/decisions/decisions.controller.js';
import { DecisionsService } from '#gateway/decisions/decisions.service.js';
import { Dependencies } from '#gateway/health/dependencies.js';
import { HealthController } from '#gateway/health/health.controller.js';
import { DiffService } from '#gateway/history/diff.service.js';
import { HistoryController } from '#gateway/history/history.controller.js';
import { HistoryService } from '#gateway/history/history.service.js';
import { ApiKeyGuard } from '#gateway/http/api-key.guard.js';
import { IdempotencyInterceptor } from '#gateway/http/idempotency.interceptor.js';
import { TraceInterceptor } from '#gateway/http/trace-requests.js';
import { TenantScopeInterceptor } from '#gateway/http/tenant-scope.interceptor.js';
import { CorpusController } from '#article/gateway/corpus.controller.js';
import { CorpusService } from '#article/gateway/corpus.service.js';
import { KnowledgeController } from '#knowledge/gateway/knowledge.controller.js';
import { KnowledgeService } from '#knowledge/gateway/knowledge.service.js';
import { TranscriptsService } from '#knowledge/gateway/transcripts/transcripts.service.js';
import { McpController } from '#gateway/mcp/mcp.controller.js';
import { McpService } from '#gateway/mcp/mcp.service.js';
import { McpServersController } from '#plan/gateway/mcp-servers.controller.js';
import { McpServersService } from '#plan/gateway/mcp-servers.service.js';
import { PlanTools } from '#plan/gateway/mcp-tools.js';
import { McpResources } from '#gateway/mcp/resources.js';
import { CallOnce } from '#gateway/mcp/call-once.js';
import { RunWait } from '#gateway/mcp/run-wait.js';
import { Workplace } from '#gateway/mcp/workplace.js';
import { WritingTools } from '#document/gateway/mcp-tools.js';
import { PlansController } from '#plan/gateway/plans.controller.js';
import { PlansService } from '#plan/gateway/plans.service.js';
import { ToolsService } from '#plan/gateway/tools.service.js';
import { ResultsController } from '#gateway/results/results.controller.js';
import { ResultsService } from '#gateway/results/results.service.js';
import { RunsController } from '#gateway/runs/runs.controller.js';
import { RunsService } from '#gateway/runs/runs.service.js';
import { FileIntake } from '#gateway/sessions/file-intake.js';
import { InputsController } from '#gateway/sessions/inputs.controller.js';
import { InputsService } from '#gateway/sessions/inputs.service.js';
import { SessionAccess } from '#gateway/sessions/session-access.js';
import { SessionsController } from '#gateway/sessions/sessions.controller.js';
import { StudioController } from '#gateway/studio/studio.controller.js';
import { StudioService } from '#gateway/studio/studio.service.js';
import { PurgeService } from '#gateway/tenants/purge.service.js';
import { QuotaService } from '#gateway/tenants/quota.service.js';
import { TenantsController } from '#gateway/tenants/tenants.controller.js';
import { TenantsService } from '#gateway/tenants/tenants.service.js';
import { UsageController } from '#gateway/usage/usage.controller.js';
import { WebhooksController } from '#gateway/webhooks/webhooks.controller.js';
import { WebhooksService } from '#gateway/webhooks/webhooks.service.js';

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
