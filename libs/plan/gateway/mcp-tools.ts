import {
  newPlanSchema,
  newSuggestionSchema,
  planSchema,
  suggestionSchema,
  toolSchema,
} from '../contract/schemas.js';
import { ProblemError } from '#contracts/errors.js';
import { planCommandSchema, type PlanCommand } from '../contract/values.js';
import { Injectable } from '@nestjs/common';
import { z } from 'zod';
import { PlansService } from './plans.service.js';
import { ToolsService } from './tools.service.js';
import { CallOnce, idempotencyKey, runIdOf } from '#gateway/mcp/call-once.js';
import { defineMcpTool, type McpCall, type McpTool } from '#gateway/mcp/mcp-tool.js';
import { RunWait, waitSeconds } from '#gateway/mcp/run-wait.js';
import { Workplace, workplaceArguments } from '#gateway/mcp/workplace.js';

const workflowId = z.string().min(1).max(100).describe('what execute_plan answered with');
const reply = { workflow_id: workflowId, wait_seconds: waitSeconds };
const [, abort, replan, approval] = planCommandSchema.options;

/** A plan as a client of `/mcp` gets it; `approval_required` says what it waits for (P2). */
const planReport = planSchema.extend({ workflow_id: z.string() });

const { intent, dag, context, config, budget } = newPlanSchema.shape;

/** Tools to find tools, to make plans of them and to steer these (P2, P4, P12). */
@Injectable()
export class PlanTools {
  constructor(
    private readonly plans: PlansService,
    private readonly tools: ToolsService,
    private readonly wait: RunWait,
    private readonly workplace: Workplace,
    private readonly once: CallOnce,
  ) {}

  all(): McpTool[] {
    return [this.searchTools(), this.suggestPlan(), this.executePlan(), ...this.commands()];
  }

  private searchTools() {
    return defineMcpTool({
      name: 'search_tools',
      description:
        'Find tools that plans can be made of: by what is wanted, the best first; all of them without a query.',
      endpoint: 'listTools',
      input: z
        .object({
          query: z.string().min(1).max(4_000).optional().describe('what is wanted, in plain words'),
          limit: z.number().int().min(1).max(200).default(10),
        })
        .strict(),
      output: z.object({ items: z.array(toolSchema) }),
      run: async ({ query, limit }, { caller }) => ({
        items: await this.tools.list(caller.tenantId, query, limit),
      }),
    });
  }

  private suggestPlan() {
    return defineMcpTool({
      name: 'suggest_plan',
      description: 'Suggest a plan, a graph of tools, for what is wanted. Nothing is run.',
      endpoint: 'suggestPlan',
      input: newSuggestionSchema,
      output: suggestionSchema,
      isIdempotent: true,
      run: (asked, { caller }) => this.tools.suggest(caller.tenantId, asked.intent, asked.context),
    });
  }

  private executePlan() {
    return defineMcpTool({
      name: 'execute_plan',
      description:
        'Run a plan: one given as `dag`, or one that is suggested for `intent`. Answers when it has ended, or at once when it waits for an approval (`approval_required`): then go on by approval_response, continue_plan, replan, abort_plan, or answer_decision where decision_type is "outcome".',
      endpoint: 'startPlan',
      input: z
        .object({
          ...workplaceArguments,
          intent,
          dag,
          context,
          config,
          budget,
          idempotency_key: idempotencyKey,
          wait_seconds: waitSeconds,
        })
        .strict(),
      output: planReport,
      run: async ({ wait_seconds, idempotency_key: key, ...asked }, call) => {
        const { session_id, title, files, ...plan } = asked;
        const { caller } = call;
        if (plan.intent === undefined && plan.dag === undefined)
          throw new ProblemError('invalid_request', 'Give "intent" or "dag".');
        const id = await this.once.run(caller.tenantId, key, asked, async (seed) => {
          const session = await this.workplace.prepare(caller, { session_id, title, files }, seed);
          return (await this.plans.start(caller.tenantId, { session_id: session, ...plan }, runIdOf(seed)))
            .id;
        });
        return this.report(call, id, wait_seconds);
      },
    });
  }

  private commands(): McpTool[] {
    const command = <S extends z.ZodRawShape>(
      name: string,
      description: string,
      shape: S,
      read: (given: z.output<z.ZodObject<S>>) => PlanCommand,
    ) =>
      defineMcpTool({
        name,
        description,
        endpoint: 'commandPlan',
        input: z.object({ ...reply, ...shape }).strict(),
        output: planReport,
        run: async (given, call) => {
          const {
            workflow_id: id,
            wait_seconds: seconds,
            ...rest
          } = given as z.output<z.ZodObject<typeof reply>>;
          await this.plans.command(call.caller, id, read(rest as z.output<z.ZodObject<S>>));
          return this.report(call, id, seconds);
        },
      });
    const { type: _abort, ...abortShape } = abort.shape;
    const { type: _replan, ...replanShape } = replan.shape;
    const { type: _approval, ...approvalShape } = approval.shape;
    return [
      command(
        'continue_plan',
        'Let a plan go on that waits for its agent (decision_type "ail").',
        {},
        () => ({ type: 'continue' }),
      ),
      command('abort_plan', 'End a plan in good order; what is done stays.', abortShape, (given) => ({
        type: 'abort',
        ...given,
      })),
      command(
        'replan',
        'Have a plan made anew for a requirement that showed up; what is done is kept.',
        replanShape,
        (given) => ({ type: 'replan_dag', ...given }),
      ),
      command(
        'approval_response',
        'Approve or reject what a plan waits for (decision_type "hil"); arguments of the next tasks can be changed.',
        approvalShape,
        (given) => ({ type: 'approval_response', ...given }),
      ),
    ];
  }

  private async report(call: McpCall, runId: string, seconds: number) {
    await this.wait.settle(call, runId, seconds);
    const plan = await this.plans.read(call.caller.tenantId, runId);
    return { workflow_id: runId, ...plan };
  }
}
