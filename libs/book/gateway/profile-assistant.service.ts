import { detailOf, type Detail } from '#contracts/phrases/detail.js';
import { phrase } from '#contracts/phrases/phrase.js';
import { timeLimit } from '#contracts/wait.js';
import type { profileMessageSchema } from '../contract/schemas.js';
import { decisionRequestSchema } from '#contracts/decisions.js';
import { modelFailedDetailsSchema } from '#contracts/model-failure.js';
import { ProblemError, type ProblemCode } from '#contracts/errors.js';
import { bookKind, type BookMode } from '../contract.js';
import type { ProfileReply } from '../contract/conversation.js';
import { isActive } from '#contracts/runs.js';
import { userConceptSchema } from '../contract/profile.js';
import type { BookProject } from '../store/projects.js';
import { asksToFinalize, assistByRules, unreadOf } from '../profile/assistant.js';
import { ModelEndpoints } from '#kit/model/model-endpoints.js';
import { Injectable } from '@nestjs/common';
import type { z } from 'zod';
import { DecisionsService } from '#gateway/decisions/decisions.service.js';
import { RunsService } from '#gateway/runs/runs.service.js';
import type { RunView } from '#gateway/runs/views.js';

type Sent = z.infer<typeof profileMessageSchema>;
type AuthorMessage = Omit<Sent, 'by_rules'>;

/** Milliseconds that an author waits for the model. */
const LONGEST_WAIT_MS = 60_000;
/** Errors on which the rules answer instead of a run; the conversation itself is fine. */
const BUSY: ProblemCode[] = [
  'run_active',
  'token_quota_exceeded',
  'cost_quota_exceeded',
  'model_price_unknown',
];
const MODE: BookMode = 'assist_profile';

/**
 * Computes the next step of the conversation about a profile (B17, B18). A run asks the model, if one is
 * configured. Only rules decide, from the author's words, that the profile is final, so that nothing a model
 * says becomes the author's without consent.
 */
@Injectable()
export class ProfileAssistant {
  constructor(
    private readonly runs: RunsService,
    private readonly decisions: DecisionsService,
    private readonly models: ModelEndpoints,
  ) {}

  /**
   * @param signal ends the wait and cancels the run
   * @throws ProblemError `model_failed`; the author can then ask again, or choose rules (X13)
   */
  async reply(
    tenantId: string,
    project: BookProject,
    { by_rules: byRules, ...sent }: Sent,
    signal: AbortSignal,
  ): Promise<ProfileReply> {
    const { profile } = userConceptSchema.parse(project.userConcept);
    const known = { ...profile, ...sent.profile };
    const hasModel = (await this.models.describe(tenantId)) !== null;
    const suggested =
      hasModel && byRules !== true && !asksToFinalize(sent.messages)
        ? await this.suggestion(tenantId, project, sent, signal)
        : null;
    return suggested ?? assistByRules(unreadOf(sent.messages, sent.profile), known);
  }

  /**
   * Returns null if the model could not be asked: another run of the book is active, or the month's budget is
   * spent.
   *
   * @throws ProblemError `model_failed`
   */
  private async suggestion(
    tenantId: string,
    { sessionId }: BookProject,
    inputs: AuthorMessage,
    signal: AbortSignal,
  ): Promise<ProfileReply | null> {
    const id = await this.begin(tenantId, sessionId, inputs);
    if (id === null) return null;
    const until = timeLimit(LONGEST_WAIT_MS, signal);
    const run = await this.runs.settled(tenantId, await this.runs.read(tenantId, id), until);
    if (isActive(run.status)) await unless(['run_finished'], this.runs.cancel(tenantId, id));
    const { data } = bookKind.progress.safeParse(run.progress.details);
    const reply = data?.output_payload.profile_reply;
    if (reply) return reply;
    signal.throwIfAborted();
    const reason = await this.failureOf(tenantId, run);
    throw new ProblemError('model_failed', phrase('model_failed.send_again', { reason }));
  }

  /** Returns why a run did not reply: the text of its question, its error, or that it took too long. */
  private async failureOf(tenantId: string, { open_decisions: [question], error }: RunView): Promise<Detail> {
    if (question === undefined) return error ? detailOf(error) : phrase('model_failure.model_timeout');
    const { input } = await this.decisions.require(tenantId, question);
    const asked = decisionRequestSchema.parse(input);
    const { data } = modelFailedDetailsSchema.safeParse(asked.details);
    return data ? detailOf(data) : (asked.phrase ?? asked.question);
  }

  private begin(tenantId: string, sessionId: string, inputs: AuthorMessage): Promise<string | null> {
    const request = {
      kind: bookKind.kind,
      mode: MODE,
      inputs,
      on_conflict: 'reject',
      budget: {},
      priority: 9,
    } as const;
    return unless(BUSY, this.runs.startIn(tenantId, sessionId, request));
  }
}

/** Awaits a promise. Returns null if it is rejected with a code in `reasons`. */
async function unless<T>(reasons: readonly ProblemCode[], done: Promise<T>): Promise<T | null> {
  try {
    return await done;
  } catch (error) {
    if (error instanceof ProblemError && reasons.includes(error.code)) return null;
    throw error;
  }
}
