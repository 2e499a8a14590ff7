import type { RunBudget } from '#contracts/budgets.js';
import { ProblemError } from '#contracts/errors.js';
import { detailOf } from '#contracts/phrases/detail.js';
import { phrase } from '#contracts/phrases/phrase.js';
import { SessionFileRepository } from '#db/repositories/session-files.js';
import { SessionAccess } from '#gateway/tenants/session-access.js';
import { Injectable } from '@nestjs/common';
import type { MadeFrom } from '../contract/parameters.js';
import { MAX_DEFINITION_KB, type PlanDefinition } from '../contract/saved-plan-schemas.js';
import type { PlanConfig } from '../contract/values.js';
import { InvalidPlanError } from '../dag/dag.js';
import { planUpdate } from '../dag/progress.js';
import { filledTasks, mismatches, sampleValues, unknownParameter } from '../templates/fill.js';
import { PlansService, type PlanSession } from './plans.service.js';
import { ToolsService } from './tools.service.js';

type Fillable = Pick<PlanDefinition, 'parameters' | 'dag'>;

/** Checks and starts plans with parameters. The tasks of a run have plain values. */
@Injectable()
export class FilledPlansService {
  constructor(
    private readonly plans: PlansService,
    private readonly tools: ToolsService,
    private readonly access: SessionAccess,
    private readonly files: SessionFileRepository,
  ) {}

  /**
   * Checks a plan before it is saved, with its default values and samples for the others.
   *
   * @throws ProblemError `invalid_plan`; `invalid_request` for a default that does not fit its parameter
   */
  async check(tenantId: string, definition: PlanDefinition): Promise<void> {
    if (Buffer.byteLength(JSON.stringify(definition)) > MAX_DEFINITION_KB * 1_000)
      throw new ProblemError('invalid_plan', phrase('invalid_plan.too_large', { max: MAX_DEFINITION_KB }));
    const {
      parameters,
      dag: { tasks },
    } = definition;
    const unknown = unknownParameter({ parameters, tasks });
    if (unknown) throw new ProblemError('invalid_plan', unknown);
    const values = sampleValues(parameters);
    requireFit(mismatches(parameters, values));
    // Samples can only show whether the graph and its tools are right; a start checks the values.
    try {
      planUpdate(filledTasks({ parameters, tasks }, values), await this.tools.byName(tenantId));
    } catch (error) {
      if (error instanceof InvalidPlanError) throw new ProblemError('invalid_plan', detailOf(error));
      throw error;
    }
  }

  /**
   * Starts a plan with the values of `made_from`.
   *
   * @returns the plan as stored
   * @throws ProblemError `not_found`, `invalid_request` for values that do not fit, and errors of starting a plan
   */
  async start(
    tenantId: string,
    { parameters, dag: { tasks } }: Fillable,
    request: { session_id: PlanSession; config: PlanConfig; budget: RunBudget; made_from: MadeFrom },
    runId: string,
  ) {
    const values = request.made_from.parameters;
    const { session_id } = request;
    // A new session has no files.
    const files = typeof session_id === 'string' ? await this.filesIn(tenantId, session_id) : [];
    requireFit(mismatches(parameters, values, files));
    const dag = { tasks: filledTasks({ parameters, tasks }, values) };
    return this.plans.start(tenantId, { ...request, dag }, runId);
  }

  private async filesIn(tenantId: string, sessionId: string): Promise<string[]> {
    await this.access.require(tenantId, sessionId);
    return (await this.files.list(tenantId, sessionId, 'inputs')).map(({ name }) => name);
  }
}

/** @throws ProblemError `invalid_request` */
function requireFit(errors: ReturnType<typeof mismatches>): void {
  if (errors.length > 0) throw new ProblemError('invalid_request', phrase('invalid_request.body'), errors);
}
