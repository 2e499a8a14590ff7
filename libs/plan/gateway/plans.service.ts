import { detailOf } from '#contracts/phrases/detail.js';
import type { acceptedCommandSchema, newPlanSchema, planSchema } from '../contract/schemas.js';
import { decisionRequestSchema } from '#catalogue/decisions.js';
import { ProblemError } from '#contracts/errors.js';
import { phrase } from '#contracts/phrases/phrase.js';
import { newId } from '#contracts/ids.js';
import { planKind } from '../contract.js';
import type { MadeFrom, ParameterValues } from '../contract/parameters.js';
import { planPauseSchema, type PlanCommand, type PlanTask } from '../contract/values.js';
import { planTasks } from '../contract/tasks.js';
import { finalRunStatuses, type RunProgress, type RunStatus } from '#contracts/runs.js';
import { DecisionRepository, type DecisionRow } from '#db/repositories/decisions.js';
import { ExportRepository } from '#db/repositories/exports.js';
import { PlanCommandRepository } from '../store/commands.js';
import { RunRepository, type Run } from '#db/repositories/runs.js';
import type { Caller } from '#db/repositories/tenants.js';
import { shownStatus } from '#db/shown-status.js';
import { InvalidPlanError } from '../dag/dag.js';
import { planUpdate } from '../dag/progress.js';
import { problemsOfGiven } from '../planner/check.js';
import { codeChecksFor, schemaChecksFor } from '../store/tenant-checks.js';
import { findTemplate, planTemplates } from '../templates/catalogue.js';
import { filledTasks, mismatches } from '../templates/fill.js';
import { STORE } from '#kit/runtime/infrastructure.module.js';
import { ObjectNotFoundError, type ObjectStore } from '#storage/object-store.js';
import { planResultKey } from '#storage/session-keys.js';
import { Inject, Injectable } from '@nestjs/common';
import type { Readable } from 'node:stream';
import type { z } from 'zod';
import { DecisionsService } from '#gateway/decisions/decisions.service.js';
import { exportView } from '#gateway/results/views.js';
import { RunsService } from '#gateway/runs/runs.service.js';
import type { RunView } from '#gateway/runs/views.js';
import { ToolsService } from './tools.service.js';

type PlanView = z.infer<typeof planSchema>;
/** ID of the session in which a plan runs, or a function that creates the session once the plan is checked. */
export type PlanSession = string | (() => Promise<string>);
/** A plan to start; `made_from` says from what a service made its tasks. */
type NewPlan = Omit<z.infer<typeof newPlanSchema>, 'session_id'> & {
  session_id: PlanSession;
  made_from?: MadeFrom;
};
type Accepted = z.infer<typeof acceptedCommandSchema>;
const EMPTY = {
  intent: null,
  tasks: [],
  layers: [],
  results: [],
  decisions: [],
  planning: null,
  confidence: null,
  replans: 0,
  warnings: [],
};

/** Starts, reads and controls plans. */
@Injectable()
export class PlansService {
  constructor(
    @Inject(STORE) private readonly store: ObjectStore,
    private readonly runs: RunsService,
    private readonly decisions: DecisionsService,
    private readonly tools: ToolsService,
    private readonly runRows: RunRepository,
    private readonly decisionRows: DecisionRepository,
    private readonly commands: PlanCommandRepository,
    private readonly exportRows: ExportRepository,
  ) {}

  /**
   * @returns the plan as stored
   * @throws ProblemError `invalid_plan` if a given graph cannot be run; `invalid_request` for a template that does not
   *   exist or whose parameters do not fit; `needs_model` for a request without a model
   */
  async start(tenantId: string, request: NewPlan, id?: string): Promise<PlanView> {
    const { session_id, budget, template, parameters = {}, ...given } = request;
    const filled = template !== undefined && {
      dag: { tasks: templateTasks(template, parameters) },
      made_from: { template, parameters },
    };
    const inputs = { ...given, ...filled };
    if (inputs.dag) await this.check(tenantId, inputs.dag.tasks);
    const mode = inputs.config.plan_only ? 'suggest' : 'run';
    const run = {
      session_id: typeof session_id === 'string' ? session_id : await session_id(),
      kind: 'plan',
      mode,
      inputs,
      on_conflict: 'reject' as const,
      budget,
      priority: 0,
    };
    const started = await this.runs.start(tenantId, run, id);
    return started.status === 'queued' ? newPlanView(started) : this.read(tenantId, started.id);
  }

  /** Checks everything but the names of files and columns, which the run checks before its first task. */
  private async check(tenantId: string, tasks: Parameters<typeof planUpdate>[0]): Promise<void> {
    const { tools } = await this.tools.byName(tenantId);
    try {
      planUpdate(tasks, { tools });
    } catch (error) {
      if (error instanceof InvalidPlanError) throw new ProblemError('invalid_plan', detailOf(error));
      throw error;
    }
    const [schemas, codes] = [schemaChecksFor(tenantId), codeChecksFor(tenantId)];
    const problems = await problemsOfGiven(tasks, { tools, inputs: [], schemas, codes });
    if (problems.length > 0)
      throw new ProblemError(
        'invalid_plan',
        phrase('invalid_plan.problems', { problems: problems.map(({ message }) => message).join(' ') }),
        problems.map(({ index, message }) => ({ path: `dag.tasks.${index}`, message })),
      );
  }

  /** @throws ProblemError `not_found`, also for a run of another kind */
  async require(tenantId: string, runId: string): Promise<Run> {
    const run = await this.runRows.find(tenantId, runId);
    if (run?.kind !== 'plan') throw new ProblemError('not_found', phrase('not_found.plan'));
    return run;
  }

  async read(tenantId: string, runId: string): Promise<PlanView> {
    // Read before the run, so that an open question is never shown with the older tasks.
    const questions = await this.decisionRows.open(tenantId, [runId]);
    const [run, children] = await Promise.all([
      this.require(tenantId, runId),
      this.runRows.childIds(tenantId, runId),
    ]);
    const files = await this.exportRows.ofRuns(tenantId, run.sessionId, [runId, ...children]);
    const open = questions.find(isOfPlan);
    const summary = run.summary as Partial<RunProgress>;
    const details = planKind.progress.safeParse(summary.details);
    return {
      id: run.id,
      session_id: run.sessionId,
      status: open ? 'approval_required' : shownStatus(run, questions.length > 0),
      phase: summary.phase ?? null,
      error: run.error as PlanView['error'],
      approval_required: open ? approvalRequired(open) : null,
      ...(details.success ? details.data : EMPTY),
      files: files.map((file) => exportView(file)),
      created_at: run.createdAt.toISOString(),
      finished_at: run.finishedAt?.toISOString() ?? null,
    };
  }

  /**
   * Returns the open decisions that are specific to plans. Budget questions are answered as in other kinds of
   * run.
   */
  private async openDecisions(tenantId: string, runId: string): Promise<DecisionRow[]> {
    const open = await this.decisionRows.open(tenantId, [runId]);
    return open.filter(isOfPlan);
  }

  /**
   * P4: executes a command immediately if it answers the open decision, else stores it for the plan's next
   * layer.
   *
   * @param id ID of the command; a repeated command is ignored
   * @throws ProblemError `run_finished`, `decision_stale`, `decision_answered`, `invalid_answer`
   */
  async command(caller: Caller, runId: string, command: PlanCommand, id = newId('cmd')): Promise<Accepted> {
    const run = await this.require(caller.tenantId, runId);
    const given = await this.commands.find(caller.tenantId, runId, id);
    if (given?.decisionId) return this.answerBy(caller, given.decisionId, command, id);
    if (given) return { command_id: id, handled: 'before_next_layer' };
    if (command.type === 'approval_response') return this.respond(caller, runId, command, id);
    if (finalRunStatuses.includes(run.status as RunStatus))
      throw new ProblemError('run_finished', phrase('run_finished.plan'));
    const [open] = await this.openDecisions(caller.tenantId, runId);
    if (open && answerOf(command, decisionTypeOf(open.input)!)) {
      await this.commands.bind(caller.tenantId, runId, { id, command }, open.id);
      return this.answerBy(caller, open.id, command, id);
    }
    if (command.type === 'continue')
      throw new ProblemError('decision_stale', phrase('decision_stale.no_command'));
    if (!(await this.commands.add(caller.tenantId, runId, { id, command })))
      throw new ProblemError('run_finished', phrase('run_finished.plan_ending'));
    return { command_id: id, handled: 'before_next_layer' };
  }

  private async respond(
    caller: Caller,
    runId: string,
    command: Extract<PlanCommand, { type: 'approval_response' }>,
    id: string,
  ): Promise<Accepted> {
    const { checkpoint_id: checkpointId, type: _, ...answer } = command;
    const { id: decisionId } = await this.requireApproval(caller.tenantId, runId, checkpointId);
    return this.answer(caller, await this.decisions.requireAnswerable(caller, decisionId), answer, id);
  }

  /** Returns the request for approval at a checkpoint. @throws ProblemError `decision_stale` */
  async requireApproval(tenantId: string, runId: string, checkpointId: string): Promise<DecisionRow> {
    const [decision] = await this.decisionRows.atCheckpoint(tenantId, runId, checkpointId);
    if (decision && decisionTypeOf(decision.input) === 'hil') return decision;
    throw new ProblemError('decision_stale', phrase('decision_stale.no_approval'));
  }

  private async answerBy(
    caller: Caller,
    decisionId: string,
    command: PlanCommand,
    id: string,
  ): Promise<Accepted> {
    const decision = await this.decisions.requireAnswerable(caller, decisionId);
    return this.answer(caller, decision, answerOf(command, decisionTypeOf(decision.input)!)!, id);
  }

  private async answer(
    caller: Caller,
    decision: DecisionRow,
    body: Record<string, unknown>,
    id: string,
  ): Promise<Accepted> {
    await this.decisions.answer(caller, decision, { body, uploads: new Map() });
    return { command_id: id, handled: 'now' };
  }

  /** Returns the full result of a plan step. @throws ProblemError `not_found` */
  async result(tenantId: string, runId: string, task: string): Promise<Readable> {
    const { sessionId } = await this.require(tenantId, runId);
    const output = planTasks.run_tool.output.safeParse(await this.commands.resultOf(tenantId, runId, task));
    const key = output.success ? output.data.result_key : planResultKey(tenantId, sessionId, runId, task);
    return this.store.get(key).catch((error: unknown) => {
      if (error instanceof ObjectNotFoundError)
        throw new ProblemError('not_found', phrase('not_found.task_result'));
      throw error;
    });
  }
}

/** @throws ProblemError `invalid_request` */
function templateTasks(name: string, parameters: ParameterValues): PlanTask[] {
  const template = findTemplate(name);
  const names = planTemplates.map((each) => each.name).join(', ');
  const errors = template
    ? mismatches(template.parameters, parameters)
    : [{ path: 'template', message: `one of ${names}` }];
  if (!template || errors.length > 0)
    throw new ProblemError('invalid_request', phrase('invalid_request.body'), errors);
  return filledTasks(template, parameters);
}

const isOfPlan = ({ input }: DecisionRow): boolean => decisionTypeOf(input) !== null;

/** View of a plan that has not started. */
const newPlanView = ({ id, session_id, created_at }: RunView): PlanView => ({
  id,
  session_id,
  status: 'queued',
  phase: null,
  error: null,
  approval_required: null,
  ...EMPTY,
  files: [],
  created_at,
  finished_at: null,
});

type DecisionType = NonNullable<PlanView['approval_required']>['decision_type'];
const DECISION_TYPES: Partial<Record<string, DecisionType>> = {
  plan_agent: 'ail',
  plan_approval: 'hil',
  plan_outcome: 'outcome',
};

const decisionTypeOf = (input: unknown): DecisionType | null =>
  DECISION_TYPES[decisionRequestSchema.parse(input).decision_type] ?? null;

/** Returns the answer that a command gives to the open decision; null if it gives none. */
function answerOf(command: PlanCommand, open: DecisionType): Record<string, unknown> | null {
  if (open === 'hil')
    return command.type === 'abort'
      ? { approved: false, ...(command.reason ? { feedback: command.reason } : {}) }
      : null;
  if (open === 'outcome')
    return command.type === 'abort'
      ? { action: 'abort', ...(command.reason ? { reason: command.reason } : {}) }
      : null;
  switch (command.type) {
    case 'continue':
      return { action: 'continue' };
    case 'abort':
      return { action: 'abort', reason: command.reason };
    case 'replan_dag':
      return {
        action: 'replan_dag',
        new_requirement: command.new_requirement,
        available_context: command.available_context,
      };
    case 'request_decision':
    case 'approval_response':
      return null;
  }
}

function approvalRequired(row: DecisionRow): NonNullable<PlanView['approval_required']> {
  const { question, phrase: asked, details } = decisionRequestSchema.parse(row.input);
  const pause = planPauseSchema.parse(details);
  return {
    workflow_id: row.runId,
    checkpoint_id: pause.checkpoint_id,
    decision_id: row.id,
    decision_type: decisionTypeOf(row.input)!,
    description: question,
    phrase: asked,
    context: pause,
    options: pause.options,
    deadline: row.deadline?.toISOString() ?? null,
  };
}
