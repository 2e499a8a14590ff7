import { detailOf, type Detail } from '#contracts/phrases/detail.js';
import { phrase } from '#contracts/phrases/phrase.js';
import { decisionRequestSchema } from '#catalogue/decisions.js';
import { ProblemError } from '#contracts/errors.js';
import { isActive } from '#contracts/runs.js';
import { timeLimit } from '#contracts/wait.js';
import { DecisionsService } from '#gateway/decisions/decisions.service.js';
import { RunsService } from '#gateway/runs/runs.service.js';
import type { RunView } from '#gateway/runs/views.js';
import { Injectable } from '@nestjs/common';
import type { z } from 'zod';
import { planKind } from '../contract.js';
import type { newSuggestionSchema, suggestionSchema } from '../contract/schemas.js';
import { layersOf } from '../dag/dag.js';
import { suggestPlan } from '../dag/suggest.js';
import { ToolsService } from './tools.service.js';

type Asked = z.infer<typeof newSuggestionSchema>;
type Suggestion = z.infer<typeof suggestionSchema>;

/** Milliseconds that a client waits for the model. */
const LONGEST_WAIT_MS = 120_000;

/** Suggests plans. With a session, the model plans over its files; without a session, tools are only named (P7). */
@Injectable()
export class SuggestionsService {
  constructor(
    private readonly tools: ToolsService,
    private readonly runs: RunsService,
    private readonly decisions: DecisionsService,
  ) {}

  /**
   * @param signal ends the wait and cancels the planning
   * @throws ProblemError `needs_model`, `not_found`, `run_active`, `model_failed`, and the codes of an exceeded budget
   */
  suggest(
    tenantId: string,
    { session_id, intent, context }: Asked,
    signal: AbortSignal,
  ): Promise<Suggestion> {
    return session_id === undefined
      ? this.named(tenantId, intent, context)
      : this.byRun(tenantId, session_id, { intent, context }, signal);
  }

  private async named(
    tenantId: string,
    intent: string,
    context: Record<string, unknown>,
  ): Promise<Suggestion> {
    const suggestion = suggestPlan(intent, context, await this.tools.toolbox(tenantId));
    const origin = { planned_by: 'rules' as const, understanding: null, assumptions: [], outputs: [] };
    return { ...suggestion, ...origin, layers: layersOf(suggestion.tasks) };
  }

  /** Has a run make the plan, so that its model call is metered and limited like any other. */
  private async byRun(
    tenantId: string,
    session_id: string,
    asked: Pick<Asked, 'intent' | 'context'>,
    signal: AbortSignal,
  ): Promise<Suggestion> {
    const { id, ...started } = await this.runs.start(tenantId, {
      session_id,
      kind: planKind.kind,
      mode: 'suggest',
      inputs: { ...asked, config: { plan_only: true } },
      on_conflict: 'reject',
      budget: {},
      priority: 9,
    });
    const run = await this.runs.settled(tenantId, { id, ...started }, timeLimit(LONGEST_WAIT_MS, signal));
    if (isActive(run.status)) await this.runs.cancel(tenantId, id).catch(ignoreFinished);
    const { data } = planKind.progress.safeParse(run.progress.details);
    if (!data?.planning) {
      signal.throwIfAborted();
      throw new ProblemError(
        'model_failed',
        phrase('model_failed.ask_again', { reason: await this.failureOf(tenantId, run) }),
      );
    }
    const { planning, tasks, layers, confidence } = data;
    const { missing, ...told } = planning;
    return { ...told, tasks, layers, confidence: confidence ?? 0, missing: [], not_covered: missing };
  }

  /** Returns why a run has made no plan: what its question says, its error, or the end of the wait. */
  private async failureOf(tenantId: string, { open_decisions: [question], error }: RunView): Promise<Detail> {
    if (question === undefined) return error ? detailOf(error) : phrase('model_failure.model_timeout');
    const { input } = await this.decisions.require(tenantId, question);
    const { question: message, phrase: known } = decisionRequestSchema.parse(input);
    return known ?? message;
  }
}

function ignoreFinished(error: unknown): void {
  if (!(error instanceof ProblemError) || error.code !== 'run_finished') throw error;
}
