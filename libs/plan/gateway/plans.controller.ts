import type { newPlanSchema, newSuggestionSchema } from '../contract/schemas.js';
import type { PlanCommand } from '../contract/values.js';
import type { Caller } from '#db/repositories/tenants.js';
import { goneSignal } from '#gateway/runs/event-stream.js';
import { Controller, Param, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import type { z } from 'zod';
import { FromCaller, IdFromKey, Route, ValidBody, ValidQuery } from '#gateway/http/route.js';
import { PlansService } from './plans.service.js';
import { SuggestionsService } from './suggestions.service.js';
import { ToolsService } from './tools.service.js';

/** Plans and the tools that they use (P1–P13). */
@Controller()
export class PlansController {
  constructor(
    private readonly plans: PlansService,
    private readonly tools: ToolsService,
    private readonly suggestions: SuggestionsService,
  ) {}

  @Route('startPlan')
  start(
    @FromCaller() { tenantId }: Caller,
    @ValidBody('startPlan') body: z.infer<typeof newPlanSchema>,
    @IdFromKey('run') runId: string | undefined,
  ) {
    return this.plans.start(tenantId, body, runId);
  }

  @Route('suggestPlan')
  suggest(
    @FromCaller() { tenantId }: Caller,
    @ValidBody('suggestPlan') body: z.infer<typeof newSuggestionSchema>,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    return this.suggestions.suggest(tenantId, body, goneSignal(reply));
  }

  @Route('getPlan')
  get(@FromCaller() { tenantId }: Caller, @Param('run_id') runId: string) {
    return this.plans.read(tenantId, runId);
  }

  @Route('commandPlan')
  command(
    @FromCaller() caller: Caller,
    @Param('run_id') runId: string,
    @ValidBody('commandPlan') command: PlanCommand,
    @IdFromKey('cmd') id: string | undefined,
  ) {
    return this.plans.command(caller, runId, command, id);
  }

  @Route('getPlanResult')
  async result(
    @FromCaller() { tenantId }: Caller,
    @Param('run_id') runId: string,
    @Param('name') task: string,
    @Res() reply: FastifyReply,
  ) {
    return reply.type('application/json; charset=utf-8').send(await this.plans.result(tenantId, runId, task));
  }

  @Route('listTools')
  list(
    @FromCaller() { tenantId }: Caller,
    @ValidQuery('listTools') { query, limit }: { query?: string; limit: number },
  ) {
    return this.tools.list(tenantId, query, limit);
  }

  @Route('getToolGraph')
  graph(@FromCaller() { tenantId }: Caller) {
    return this.tools.learnt(tenantId);
  }

  @Route('resetToolGraph')
  reset(@FromCaller() { tenantId }: Caller) {
    return this.tools.reset(tenantId);
  }
}
