import { ProblemError } from '#contracts/errors.js';
import { derivedId, newId } from '#contracts/ids.js';
import type { PageQuery } from '#contracts/api/paging.js';
import { englishText, phrase } from '#contracts/phrases/phrase.js';
import { isActive, type RunStatus } from '#contracts/runs.js';
import { RunRepository } from '#db/repositories/runs.js';
import { SessionRepository } from '#db/repositories/sessions.js';
import { byTime, readPage } from '#gateway/http/page.js';
import { Injectable } from '@nestjs/common';
import type { z } from 'zod';
import { planKind } from '../contract.js';
import type { MadeFrom } from '../contract/parameters.js';
import {
  MAX_PLAN_VERSIONS,
  MAX_SAVED_PLANS,
  planDefinitionSchema,
  savedPlanDocumentSchema,
  type NewSavedPlan,
  type PlanAgain,
  type PlanDefinition,
  type SavedPlanDocument,
  type SavedPlanRun,
  type savedPlanSchema,
  type savedPlanSummarySchema,
} from '../contract/saved-plan-schemas.js';
import { withoutAnswers } from '../dag/progress.js';
import { SavedPlanRepository, type SavedPlan } from '../store/saved-plans.js';
import { findTemplate, type KnownTemplate } from '../templates/catalogue.js';
import { withFileParameters } from '../templates/file-parameters.js';
import { FilledPlansService } from './filled-plans.service.js';
import { PlansService } from './plans.service.js';

type View = z.infer<typeof savedPlanSchema>;
type Summary = z.infer<typeof savedPlanSummarySchema>;

/** Saved plans: plans with parameters that a tenant runs again. Templates have the same form. */
@Injectable()
export class SavedPlansService {
  constructor(
    private readonly saved: SavedPlanRepository,
    private readonly plans: PlansService,
    private readonly filled: FilledPlansService,
    private readonly runs: RunRepository,
    private readonly sessions: SessionRepository,
  ) {}

  /**
   * Saves a plan: a given one, a completed run, or a template.
   *
   * @param id of the plan if the request may be a repeat
   * @throws ProblemError `not_found`, `invalid_plan`, `invalid_request`, `run_active`, `saved_plan_exists`,
   *   `too_many_saved_plans`
   */
  async create(tenantId: string, request: NewSavedPlan, id = newId('pln')): Promise<View> {
    const { name, description } = request;
    const definition = await this.definitionFor(tenantId, request);
    await this.filled.check(tenantId, definition);
    const made = await this.saved.add(tenantId, { id, name, description, definition });
    if (made === 'exists')
      throw new ProblemError('saved_plan_exists', phrase('saved_plan_exists.name', { name }));
    if (made === 'too_many')
      throw new ProblemError(
        'too_many_saved_plans',
        phrase('too_many_saved_plans.max', { max: MAX_SAVED_PLANS }),
      );
    return this.read(tenantId, id);
  }

  private async definitionFor(tenantId: string, request: NewSavedPlan): Promise<PlanDefinition> {
    const { run_id: runId, template, parameters, dag, config } = request;
    if (runId !== undefined) {
      const ended = await this.ended(tenantId, runId);
      if (ended.status !== 'completed') {
        const errors = [{ path: 'run_id', message: 'is not a completed plan' }];
        throw new ProblemError('invalid_request', phrase('invalid_request.body'), errors);
      }
      const { parameters: files, tasks } = withFileParameters(ended.tasks);
      return { parameters: files, dag: { tasks }, config: config ?? ended.config };
    }
    if (template === undefined) return planDefinitionSchema.parse({ parameters, dag, config });
    const shipped = findTemplate(template);
    if (!shipped) throw new ProblemError('not_found', phrase('not_found.template'));
    return planDefinitionSchema.parse({ ...definitionOf(shipped), config });
  }

  /** Returns a page of the saved plans, newest first. @throws ProblemError `invalid_request` */
  list(tenantId: string, { title, ...query }: PageQuery & { title?: string | undefined }) {
    return readPage(
      query,
      byTime,
      (request) => this.saved.page(tenantId, title, request),
      (rows) =>
        rows.flatMap(({ definition, ...plan }) => {
          // A plan that is deleted between the two queries has no version.
          const { data } = planDefinitionSchema.safeParse(definition);
          return data ? [summaryOf(plan, data)] : [];
        }),
    );
  }

  /** @param version default: the newest @throws ProblemError `not_found` */
  async read(tenantId: string, id: string, version?: number): Promise<View> {
    const plan = await this.require(tenantId, id);
    const shown = version ?? plan.version;
    const [definition, versions] = await Promise.all([
      this.definition(tenantId, id, shown),
      this.saved.versions(tenantId, id),
    ]);
    return {
      ...summaryOf(plan, definition),
      shown_version: shown,
      dag: definition.dag,
      config: definition.config,
      versions: versions.map((each) => ({
        version: each.version,
        created_at: each.createdAt.toISOString(),
      })),
    };
  }

  /** @throws ProblemError `not_found` */
  async export(tenantId: string, id: string, version?: number): Promise<SavedPlanDocument> {
    const { name, description, parameters, dag, config } = await this.read(tenantId, id, version);
    return savedPlanDocumentSchema.parse({ name, description, parameters, dag, config });
  }

  /** @throws ProblemError `not_found`, `invalid_plan`, `too_many_saved_plans` */
  async addVersion(tenantId: string, id: string, definition: PlanDefinition): Promise<View> {
    await this.require(tenantId, id);
    await this.filled.check(tenantId, definition);
    if (!(await this.saved.addVersion(tenantId, id, definition))) {
      await this.require(tenantId, id);
      throw new ProblemError(
        'too_many_saved_plans',
        phrase('too_many_saved_plans.versions', { max: MAX_PLAN_VERSIONS }),
      );
    }
    return this.read(tenantId, id);
  }

  /** @throws ProblemError `not_found` */
  async remove(tenantId: string, id: string): Promise<void> {
    if (!(await this.saved.remove(tenantId, id))) throw noSavedPlan();
  }

  /**
   * Starts a saved plan. Other features, such as schedules, call it, too.
   *
   * @param request values of the parameters by name; without `session_id`, the plan runs in a new session
   * @param runId ID of the run if the request may be a repeat, such as `derivedId('run', key)`: a repeat with the same
   *   ID starts nothing and returns the first run
   * @returns the plan as stored
   * @throws ProblemError `not_found` for the plan, version or session; `invalid_request` for values that do not fit;
   *   `invalid_plan` if the plan cannot be run any more; `run_active`; the codes of an exceeded budget
   */
  async start(tenantId: string, id: string, request: SavedPlanRun, runId = newId('run')) {
    if (await this.runs.has(tenantId, runId)) return this.plans.read(tenantId, runId);
    const plan = await this.require(tenantId, id);
    const { version = plan.version, parameters, session_id: given, config, budget } = request;
    const definition = await this.definition(tenantId, id, version);
    const newSession = async () =>
      (await this.sessions.create(tenantId, plan.name, derivedId('ses', runId))).id;
    return this.filled.start(
      tenantId,
      definition,
      {
        session_id: given ?? newSession,
        config: config ?? definition.config,
        budget,
        made_from: { saved_plan_id: id, version, parameters },
      },
      runId,
    );
  }

  /**
   * Runs an ended plan again. Its template or saved plan gets the values of the run, replaced by the given ones; of any
   * other plan, the names of input files are parameters. A plan without tasks is made for its request again.
   *
   * @throws ProblemError `not_found`, `run_active`, `invalid_request`, `invalid_plan`, the codes of an exceeded budget
   */
  async again(tenantId: string, endedId: string, request: PlanAgain, runId = newId('run')) {
    if (await this.runs.has(tenantId, runId)) return this.plans.read(tenantId, runId);
    const { tasks: ran, config, sessionId, inputs } = await this.ended(tenantId, endedId);
    const { session_id = sessionId, parameters: replaced, budget } = request;
    const { made_from: madeFrom, intent, context } = inputs;
    const common = { session_id, config, budget };
    const source = madeFrom && (await this.sourceOf(tenantId, madeFrom));
    if (source) {
      const made_from = { ...madeFrom, parameters: { ...madeFrom.parameters, ...replaced } };
      return this.filled.start(tenantId, source, { ...common, made_from }, runId);
    }
    if (ran.length === 0) return this.plans.start(tenantId, { ...common, intent, context }, runId);
    const { parameters, tasks, values } = withFileParameters(ran);
    const made_from = { parameters: { ...values, ...replaced } };
    return this.filled.start(tenantId, { parameters, dag: { tasks } }, { ...common, made_from }, runId);
  }

  /**
   * Returns what an ended plan ran, and how it is configured to run again. Steps of a model that nobody approved by
   * letting them run need an approval.
   *
   * @throws ProblemError `not_found`, `run_active`
   */
  private async ended(tenantId: string, runId: string) {
    const run = await this.plans.require(tenantId, runId);
    if (isActive(run.status as RunStatus)) throw new ProblemError('run_active', phrase('run_active.plan'));
    const { tasks: read, planning } = await this.plans.read(tenantId, runId);
    const inputs = planKind.inputs.parse(run.inputs);
    // A plan that was cancelled before it started has its graph only in its inputs.
    const tasks = withoutAnswers(read.length > 0 ? read : (inputs.dag?.tasks ?? []));
    const { plan_only: _, ...config } = inputs.config;
    const isUnapproved = planning?.planned_by === 'model' && run.status !== 'completed';
    return {
      tasks,
      inputs,
      status: run.status,
      sessionId: run.sessionId,
      config: isUnapproved
        ? { ...config, hil: { ...config.hil, approval_required: 'always' as const } }
        : config,
    };
  }

  /** Returns the template or saved plan of a run; null if it was deleted. */
  private async sourceOf(
    tenantId: string,
    { template, saved_plan_id: id, version = 0 }: MadeFrom,
  ): Promise<Pick<PlanDefinition, 'parameters' | 'dag'> | null> {
    const shipped = template === undefined ? undefined : findTemplate(template);
    if (shipped) return definitionOf(shipped);
    const found = id === undefined ? null : await this.saved.version(tenantId, id, version);
    return found && planDefinitionSchema.parse(found.definition);
  }

  private async require(tenantId: string, id: string): Promise<SavedPlan> {
    const plan = await this.saved.find(tenantId, id);
    if (!plan) throw noSavedPlan();
    return plan;
  }

  private async definition(tenantId: string, id: string, version: number): Promise<PlanDefinition> {
    const found = await this.saved.version(tenantId, id, version);
    if (!found) throw noSavedPlan();
    return planDefinitionSchema.parse(found.definition);
  }
}

const noSavedPlan = () => new ProblemError('not_found', phrase('not_found.saved_plan'));

/** Returns a template in the form of a saved plan, with the labels of its parameters. */
function definitionOf(template: KnownTemplate): Pick<PlanDefinition, 'parameters' | 'dag'> {
  const parameters = template.parameters.map((parameter) => ({
    ...parameter,
    label: englishText(phrase(`plan_template.parameter.${parameter.name}`)),
  }));
  return { parameters, dag: { tasks: [...template.tasks] } };
}

const summaryOf = (
  { createdAt, updatedAt, ...plan }: SavedPlan,
  { parameters }: PlanDefinition,
): Summary => ({
  id: plan.id,
  name: plan.name,
  description: plan.description,
  version: plan.version,
  parameters,
  created_at: createdAt.toISOString(),
  updated_at: updatedAt.toISOString(),
});
