import { pageOf } from '#contracts/api/paging.js';
import { planScheduleSchema, scheduleSchema } from '#catalogue/schedule-schemas.js';
import { noop } from '#db/client.js';
import { CallOnce, idempotencyKey, runIdOf, RunWait, waitSeconds } from '#gateway/mcp/run-calls.js';
import { defineMcpTool, type McpTool } from '#gateway/mcp/mcp-tool.js';
import { Workplace, workplaceArguments } from '#gateway/mcp/workplace.js';
import { isoTimes, scheduleView } from '#gateway/schedules/schedules.controller.js';
import { SchedulesService } from '#gateway/schedules/schedules.service.js';
import { Injectable } from '@nestjs/common';
import { z } from 'zod';
import { savedPlansEndpoints } from '../contract/endpoints.js';
import { savedPlanRunSchema, savedPlanSummarySchema } from '../contract/saved-plan-schemas.js';
import { attendedConfig, planReport } from './mcp-tools.js';
import { PlansService } from './plans.service.js';
import { SavedPlansService } from './saved-plans.service.js';

const { version, parameters, budget } = savedPlanRunSchema.shape;

/** Tools to list, run and schedule saved plans (P12). */
@Injectable()
export class SavedPlanTools {
  constructor(
    private readonly saved: SavedPlansService,
    private readonly plans: PlansService,
    private readonly wait: RunWait,
    private readonly workplace: Workplace,
    private readonly once: CallOnce,
    private readonly schedules: SchedulesService,
  ) {}

  all(): McpTool[] {
    return [this.list(), this.run(), this.schedule()];
  }

  private list() {
    return defineMcpTool({
      name: 'list_saved_plans',
      description: 'List the saved plans with their parameters, newest first.',
      endpoint: 'listSavedPlans',
      effect: 'reads',
      input: savedPlansEndpoints.listSavedPlans.query.strict(),
      output: pageOf(savedPlanSummarySchema),
      run: (query, { caller }) => this.saved.list(caller.tenantId, query),
    });
  }

  private run() {
    return defineMcpTool({
      name: 'run_saved_plan',
      description:
        'Run a saved plan with values for its parameters. Returns when the plan has ended, or immediately when it needs approval, like execute_plan.',
      endpoint: 'runSavedPlan',
      effect: 'acts_outside',
      input: z
        .object({
          saved_plan_id: z.string().min(1).max(100).describe('ID from list_saved_plans'),
          ...workplaceArguments,
          version,
          parameters,
          config: attendedConfig.optional().describe('replaces the configuration of the plan'),
          budget,
          idempotency_key: idempotencyKey,
          wait_seconds: waitSeconds,
        })
        .strict(),
      output: planReport,
      run: async ({ wait_seconds: seconds, idempotency_key: key, ...asked }, call) => {
        const { saved_plan_id: planId, session_id, title, files, ...request } = asked;
        const { tenantId } = call.caller;
        const id = await this.once.run(tenantId, key, asked, async (seed) => {
          const session = await this.workplace.prepare(call.caller, { session_id, title, files }, seed);
          const started = { session_id: session, ...request };
          return (await this.saved.start(tenantId, planId, started, runIdOf(seed))).id;
        });
        await this.wait.settle(call, id, seconds);
        return { workflow_id: id, ...(await this.plans.read(tenantId, id)) };
      },
    });
  }

  private schedule() {
    return defineMcpTool({
      name: 'schedule_saved_plan',
      description:
        'Run a saved plan at planned times: by a cron expression or every so many seconds, in a time zone. Returns the next times.',
      endpoint: 'createSchedule',
      effect: 'acts_outside',
      input: planScheduleSchema,
      output: scheduleSchema.extend({ next_times: z.array(z.iso.datetime()) }),
      run: async (asked, { caller: { tenantId } }) => {
        const { row: made } = await this.schedules.create(tenantId, { ...asked, overlap: 'skip' }, noop);
        return { ...scheduleView(made), next_times: isoTimes(this.schedules.nextTimes(made)) };
      },
    });
  }
}
