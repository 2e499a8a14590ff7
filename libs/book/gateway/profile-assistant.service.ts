import { detailOf, type Detail } from '#contracts/phrases/detail.js';
import { phrase } from '#contracts/phrases/phrase.js';
import { timeLimit } from '#contracts/wait.js';
import type { profileMessageSchema } from '../contract/schemas.js';
import { decisionRequestSchema } from '#catalogue/decisions.js';
import { modelFailedDetailsSchema } from '#contracts/model-facts.js';
import { ProblemError } from '#contracts/errors.js';
import { bookKind, type BookMode } from '../contract.js';
import type { ProfileReply } from '../contract/conversation.js';
import { isActive } from '#contracts/runs.js';
import { userConceptSchema } from '../contract/profile.js';
import type { BookProject } from '../store/projects.js';
import { rulesNoLongerReply } from '../needs-model.js';
import { finalize, isFinalizing } from '../profile/finalize.js';
import { Injectable } from '@nestjs/common';
import type { z } from 'zod';
import { DecisionsService } from '#gateway/decisions/decisions.service.js';
import { RunsService } from '#gateway/runs/runs.service.js';
import type { RunView } from '#gateway/runs/views.js';

type Sent = z.infer<typeof profileMessageSchema>;
type AuthorMessage = Omit<Sent, 'by_rules'>;

/** Milliseconds that an author waits for the model. */
const LONGEST_WAIT_MS = 60_000;
const MODE: BookMode = 'assist_profile';

/**
 * Computes the next step of the conversation about a profile (B17, B18), which a run asks the model for. Only the
 * author's quick answer makes the profile final, so that nothing a model says becomes the author's without consent.
 */
@Injectable()
export class ProfileAssistant {
  constructor(
    private readonly runs: RunsService,
    private readonly decisions: DecisionsService,
  ) {}

  /**
   * @param signal ends the wait and cancels the run
   * @throws ProblemError `needs_model`, unless the author finalises the profile; `model_failed`, after which the author
   *   can ask again; the problems of starting a run
   */
  async reply(
    tenantId: string,
    project: BookProject,
    { by_rules: byRules, ...sent }: Sent,
    signal: AbortSignal,
  ): Promise<ProfileReply> {
    if (isFinalizing(sent.messages)) {
      const { profile } = userConceptSchema.parse(project.userConcept);
      return finalize({ ...profile, ...sent.profile });
    }
    if (byRules === true) throw ProblemError.needsModel(rulesNoLongerReply);
    return this.suggestion(tenantId, project.sessionId, sent, signal);
  }

  /** @throws ProblemError `model_failed` */
  private async suggestion(
    tenantId: string,
    sessionId: string,
    inputs: AuthorMessage,
    signal: AbortSignal,
  ): Promise<ProfileReply> {
    const id = await this.begin(tenantId, sessionId, inputs);
    const until = timeLimit(LONGEST_WAIT_MS, signal);
    const run = await this.runs.settled(tenantId, await this.runs.read(tenantId, id), until);
    if (isActive(run.status)) await this.runs.cancel(tenantId, id).catch(ignoreFinished);
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

  private begin(tenantId: string, sessionId: string, inputs: AuthorMessage): Promise<string> {
    return this.runs.startIn(tenantId, sessionId, {
      kind: bookKind.kind,
      mode: MODE,
      inputs,
      on_conflict: 'reject',
      budget: {},
      priority: 9,
    });
  }
}

function ignoreFinished(error: unknown): void {
  if (!(error instanceof ProblemError) || error.code !== 'run_finished') throw error;
}
