import type { newEarlyAnswerSchema } from '#catalogue/run-schemas.js';
import { decisionOptionsOf } from '#contracts/decision-request.js';
import type { FindingChanges } from '#contracts/findings.js';
import { ProblemError } from '#contracts/errors.js';
import { phrase } from '#contracts/phrases/phrase.js';
import type { PageRequest } from '#db/page.js';
import {
  DecisionRepository,
  type DecisionRow,
  type DecisionSelection,
  EarlyAnswerRepository,
  type EarlyAnswer,
} from '#db/repositories/decisions.js';
import { OverruledFindingRepository } from '#db/repositories/overruled-findings.js';
import { RunRepository, type Run } from '#db/repositories/runs.js';
import type { Caller } from '#db/repositories/tenants.js';
import { answerDecision } from '#engine/decisions/answer.js';
import { keepEarlyAnswer } from '#engine/decisions/early-answers.js';
import type { GivenAnswer } from '#engine/decisions/resolve-answer.js';
import type { Engine } from '#engine/engine.js';
import { ENGINE } from '#kit/runtime/infrastructure.module.js';
import { Inject, Injectable } from '@nestjs/common';
import type { z } from 'zod';
import { decisionView, findingsIn } from './views.js';

type DecisionView = ReturnType<typeof decisionView>;

/** Questions to people and their answers (X3). */
@Injectable()
export class DecisionsService {
  constructor(
    @Inject(ENGINE) private readonly engine: Engine,
    private readonly decisions: DecisionRepository,
    private readonly earlyAnswers: EarlyAnswerRepository,
    private readonly runs: RunRepository,
    private readonly rulings: OverruledFindingRepository,
  ) {}

  page(tenantId: string, selection: DecisionSelection, request: PageRequest): Promise<DecisionRow[]> {
    return this.decisions.page(tenantId, selection, request);
  }

  /** Returns the API views of decisions. */
  async views(tenantId: string, rows: DecisionRow[]): Promise<DecisionView[]> {
    const sessionIds = rows.map(({ run }) => run.sessionId);
    const hasFindings = rows.some((row) => findingsIn(row).length > 0);
    const rulings = hasFindings ? await this.rulings.list(tenantId, sessionIds) : [];
    return rows.map((row) => decisionView(row, rulings));
  }

  /** Returns the API view of a decision. */
  async view(tenantId: string, row: DecisionRow): Promise<DecisionView> {
    return (await this.views(tenantId, [row]))[0]!;
  }

  /** @throws ProblemError `not_found` */
  async require(tenantId: string, decisionId: string): Promise<DecisionRow> {
    const row = await this.decisions.find(tenantId, decisionId);
    if (!row) throw new ProblemError('not_found', phrase('not_found.decision'));
    return row;
  }

  /**
   * Finds a decision that the caller may answer.
   *
   * @throws ProblemError `not_found`, `not_assignee`
   */
  async requireAnswerable(caller: Caller, decisionId: string): Promise<DecisionRow> {
    const decision = await this.require(caller.tenantId, decisionId);
    requireAssignee(caller, decision.assignee);
    return decision;
  }

  /** @throws ProblemError `invalid_answer`, `decision_answered`, `decision_stale` */
  answer(caller: Caller, decision: DecisionRow, given: GivenAnswer): Promise<DecisionRow> {
    return answerDecision(this.engine, decision, given, caller.apiKeyId);
  }

  /**
   * Lets a person say that a finding in the details of an open decision is wrong, or take that back.
   *
   * @throws ProblemError `not_found`, `not_assignee`, `decision_stale`
   */
  async changeFinding(
    caller: Caller,
    decisionId: string,
    findingId: string,
    changes: FindingChanges,
  ): Promise<DecisionView> {
    const { tenantId, apiKeyId } = caller;
    const decision = await this.requireAnswerable(caller, decisionId);
    const finding = findingsIn(decision).find(({ id }) => id === findingId);
    if (!finding) throw new ProblemError('not_found', phrase('not_found.finding'));
    if (decision.status !== 'pending')
      throw new ProblemError('decision_stale', phrase('decision_stale.not_waiting'));
    await this.rulings.set(tenantId, decision.run.sessionId, finding, changes, apiKeyId);
    return this.view(tenantId, decision);
  }

  /** @throws ProblemError `not_found`, `not_assignee`, `decision_answered`, `run_finished` */
  async answerEarly(
    caller: Caller,
    runId: string,
    { decision_type, ref, answer }: z.infer<typeof newEarlyAnswerSchema>,
  ): Promise<EarlyAnswer> {
    const run = await this.requireRun(caller.tenantId, runId);
    const { assignee } = decisionOptionsOf(run.inputs as Record<string, unknown>);
    requireAssignee(caller, assignee ?? null);
    return keepEarlyAnswer(this.engine, caller.tenantId, {
      runId,
      decisionType: decision_type,
      ref: ref ?? null,
      answer,
      answeredBy: caller.apiKeyId,
    });
  }

  /** @throws ProblemError `not_found` */
  async pageOfEarly(tenantId: string, runId: string, request: PageRequest): Promise<EarlyAnswer[]> {
    await this.requireRun(tenantId, runId);
    return this.earlyAnswers.page(tenantId, runId, request);
  }

  private async requireRun(tenantId: string, runId: string): Promise<Run> {
    const run = await this.runs.find(tenantId, runId);
    if (!run) throw new ProblemError('not_found', phrase('not_found.run'));
    return run;
  }
}

/** @throws ProblemError `not_assignee` unless the caller is the assignee, or an admin of the tenant */
function requireAssignee({ apiKeyId, apiKeyName, scopes }: Caller, assignee: string | null): void {
  if (assignee === null || [apiKeyId, apiKeyName].includes(assignee) || scopes.includes('admin')) return;
  throw new ProblemError('not_assignee', phrase('not_assignee.wrong_key'));
}
