import { goneSignal } from '#gateway/runs/event-stream.js';
import { Controller, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { IdFromKey, Route, type EndpointRequest } from '#gateway/http/route.js';
import { PlansService } from './plans.service.js';
import { SuggestionsService } from './suggestions.service.js';
import { ToolsService } from './tools.service.js';
import { englishText, phrase } from '#contracts/phrases/phrase.js';
import type { z } from 'zod';
import type { planTemplatesSchema } from '../contract/schemas.js';
import { planTemplates } from '../templates/catalogue.js';

/** Plans and the tools that they use (P1–P13). */
@Controller()
export class PlansController {
  constructor(
    private readonly plans: PlansService,
    private readonly tools: ToolsService,
    private readonly suggestions: SuggestionsService,
  ) {}

  @Route('startPlan')
  start({ tenantId, body }: EndpointRequest<'startPlan'>, @IdFromKey('run') runId: string | undefined) {
    return this.plans.start(tenantId, body, runId);
  }

  @Route('suggestPlan')
  suggest(
    { tenantId, body }: EndpointRequest<'suggestPlan'>,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    return this.suggestions.suggest(tenantId, body, goneSignal(reply));
  }

  @Route('listPlanTemplates')
  templates() {
    return { items: templateViews };
  }

  @Route('getPlan')
  get({ tenantId, params: { run_id: runId } }: EndpointRequest<'getPlan'>) {
    return this.plans.read(tenantId, runId);
  }

  @Route('commandPlan')
  command(
    { caller, params: { run_id: runId }, body: command }: EndpointRequest<'commandPlan'>,
    @IdFromKey('cmd') id: string | undefined,
  ) {
    return this.plans.command(caller, runId, command, id);
  }

  @Route('getPlanResult')
  async result(
    { tenantId, params: { run_id: runId, name: task } }: EndpointRequest<'getPlanResult'>,
    @Res() reply: FastifyReply,
  ) {
    return reply.type('application/json; charset=utf-8').send(await this.plans.result(tenantId, runId, task));
  }

  @Route('listTools')
  list({ tenantId, query: { query, limit } }: EndpointRequest<'listTools'>) {
    return this.tools.list(tenantId, query, limit);
  }

  @Route('getToolGraph')
  graph({ tenantId }: EndpointRequest<'getToolGraph'>) {
    return this.tools.learnt(tenantId);
  }

  @Route('resetToolGraph')
  reset({ tenantId }: EndpointRequest<'resetToolGraph'>) {
    return this.tools.reset(tenantId);
  }
}

/** The templates of plans as clients see them. */
const templateViews: z.infer<typeof planTemplatesSchema>['items'] = planTemplates.map((template) => {
  const { name, tasks } = template;
  const title = phrase(`plan_template.${name}`);
  const about = phrase(`plan_template.${name}.about`);
  return {
    name,
    title: englishText(title),
    title_phrase: title,
    description: englishText(about),
    description_phrase: about,
    tools: [...new Set(tasks.map(({ tool }) => tool))],
    parameters: template.parameters.map((parameter) => {
      const label = phrase(`plan_template.parameter.${parameter.name}`);
      return {
        ...parameter,
        label: englishText(label),
        label_phrase: label,
      };
    }),
  };
});
