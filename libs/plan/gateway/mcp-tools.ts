import {
  newPlanSchema,
  newSuggestionSchema,
  planSchema,
  suggestionSchema,
  toolsSchema,
} from '../contract/schemas.js';
import { ProblemError } from '#contracts/errors.js';
import { phrase } from '#contracts/phrases/phrase.js';
import { planCommandSchema, planConfigSchema, type PlanCommand } from '../contract/values.js';
import { Injectable } from '@nestjs/common';
import { z } from 'zod';
import { PlansService } from './plans.service.js';
import { SuggestionsService } from './suggestions.service.js';
import { ToolsService } from './tools.service.js';
import { CallOnce, idempotencyKey, runIdOf, RunWait, waitSeconds } from '#gateway/mcp/run-calls.js';
import { defineMcpTool, type McpCall, type McpTool } from '#gateway/mcp/mcp-tool.js';
import { Workplace, workplaceArguments } from '#gateway/mcp/workplace.js';

const workflowId = z.string().min(1).max(100).describe('workflow_id that execute_plan returned');
const reply = { workflow_id: workflowId, wait_seconds: waitSeconds };
const [, abort, replan, approval] = planCommandSchema.options;

/** A plan as a client of `/mcp` gets it; `approval_required` says what it waits for (P2). */
export const planReport = planSchema.extend({ workflow_id: z.string() });

const { intent, dag, template, parameters, context, budget } = newPlanSchema.shape;

/**
 * Configuration that a client of `/mcp` may choose: its model cannot turn off the approval by a person of tasks
 * with side effects.
 */
export const attendedConfig = planConfigSchema.extend({
  hil: planConfigSchema.shape.hil
    .unwrap()
    .extend({
      approval_required: z.enum(['always', 'critical_only']).default('critical_only'),
      on_timeout: z.literal('abort').default('abort'),
    })
    .prefault({}),
});

/** Tools to find tools, to make plans of them and to steer these (P2, P4, P12). */
@Injectable()
export class PlanTools {
  constructor(
    private readonly plans: PlansService,
    private readonly tools: ToolsService,
    private readonly suggestions: SuggestionsService,
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
      description: 'Find tools that plans can use, best matches first; without a query, all tools.',
      endpoint: 'listTools',
      effect: 'reads',
      input: z
        .object({
          query: z.string().min(1).max(4_000).optional().describe('goal, in plain words'),
          limit: z.number().int().min(1).max(200).default(10),
        })
        .strict(),
      output: toolsSchema,
      run: ({ query, limit }, { caller }) => this.tools.list(caller.tenantId, query, limit),
    });
  }

  private suggestPlan() {
    return defineMcpTool({
      name: 'suggest_plan',
      description:
        'Suggest a plan for a goal, without running it. With `session_id`, the model plans over its files; otherwise tools are only named, without arguments. `planned_by` says who planned.',
      endpoint: 'suggestPlan',
      effect: 'reads',
      input: newSuggestionSchema,
      output: suggestionSchema,
      run: (asked, { caller, signal }) => this.suggestions.suggest(caller.tenantId, asked, signal),
    });
  }

  private executePlan() {
    return defineMcpTool({
      name: 'execute_plan',
      description:
        'Run a plan: given as `dag`, from a `template` with `parameters`, or made by the model for `intent`. Returns when it has ended, or when it needs approval (`approval_required`): then continue with approval_response, continue_plan, replan or abort_plan, or with answer_decision if decision_type is "outcome".',
      endpoint: 'startPlan',
      effect: 'acts_outside',
      input: z
        .object({
          ...workplaceArguments,
          intent,
          dag,
          template,
          parameters,
          context,
          config: attendedConfig.prefault({}),
          budget,
          idempotency_key: idempotencyKey,
          wait_seconds: waitSeconds,
        })
        .strict(),
      output: planReport,
      run: async ({ wait_seconds, idempotency_key: key, ...asked }, call) => {
        const { session_id, title, files, ...plan } = asked;
        const { caller } = call;
        if (plan.intent === undefined && plan.dag === undefined && plan.template === undefined)
          throw new ProblemError('invalid_request', phrase('invalid_request.intent_or_dag'));
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
      { name, description, effect }: Pick<McpTool, 'name' | 'description' | 'effect'>,
      shape: S,
      read: (
        given: z.output<z.ZodObject<S>>,
        call: McpCall,
        workflow: string,
      ) => PlanCommand | Promise<PlanCommand>,
    ) =>
      defineMcpTool({
        name,
        description,
        endpoint: 'commandPlan',
        effect,
        input: z.object({ ...reply, ...shape }).strict(),
        output: planReport,
        run: async (given, call) => {
          const {
            workflow_id: id,
            wait_seconds: seconds,
            ...rest
          } = given as z.output<z.ZodObject<typeof reply>>;
          await this.plans.command(call.caller, id, await read(rest as z.output<z.ZodObject<S>>, call, id));
          return this.report(call, id, seconds);
        },
      });
    const { type: _abort, ...abortShape } = abort.shape;
    const { type: _replan, ...replanShape } = replan.shape;
    const { type: _approval, approved, ...approvalShape } = approval.shape;
    return [
      command(
        {
          name: 'continue_plan',
          description: 'Continue a plan that waits for its agent (decision_type "ail").',
          effect: 'acts_outside',
        },
        {},
        () => ({ type: 'continue' }),
      ),
      command(
        {
          name: 'abort_plan',
          description: 'Abort a plan in an orderly way; finished work is preserved.',
          effect: 'ends',
        },
        abortShape,
        (given) => ({ type: 'abort', ...given }),
      ),
      command(
        {
          name: 'replan',
          description: 'Replan for a new requirement; finished work is preserved.',
          effect: 'acts_outside',
        },
        replanShape,
        (given) => ({ type: 'replan_dag', ...given }),
      ),
      command(
        {
          name: 'approval_response',
          description:
            'Ask the person at the client to approve or reject the next tasks of a plan (decision_type "hil"), as planned or with changed arguments; only the answer of the person counts.',
          effect: 'acts_outside',
        },
        { ...approvalShape, approved: approved.optional().describe('ignored: the person decides') },
        async (given, { caller, askPerson }, id) => {
          const { checkpoint_id, arguments: changes } = given;
          await this.plans.require(caller.tenantId, id);
          const asked = await this.plans.requireApproval(caller.tenantId, id, checkpoint_id);
          if (asked.status !== 'pending') return { type: 'approval_response', ...given, approved: false };
          return { type: 'approval_response', ...given, ...askPerson(asked, changes) };
        },
      ),
    ];
  }

  private async report(call: McpCall, runId: string, seconds: number) {
    await this.wait.settle(call, runId, seconds);
    const plan = await this.plans.read(call.caller.tenantId, runId);
    return { workflow_id: runId, ...plan };
  }
}
