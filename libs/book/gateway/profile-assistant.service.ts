import { timeLimit } from '#contracts/wait.js';
import type { profileMessageSchema } from '../contract/schemas.js';
import type { GatewaySettings } from '#config/settings.js';
import { ProblemError, type ProblemCode } from '#contracts/errors.js';
import { bookKind, type BookMode } from '../contract.js';
import type { ProfileReply } from '../contract/conversation.js';
import { isActive } from '#contracts/runs.js';
import { userConceptSchema } from '../contract/profile.js';
import type { BookProject } from '../store/projects.js';
import { asksToFinalize, assistByRules, unreadOf } from '../profile/assistant.js';
import { SETTINGS } from '#kit/runtime/infrastructure.module.js';
import { Inject, Injectable } from '@nestjs/common';
import type { z } from 'zod';
import { RunsService } from '#gateway/runs/runs.service.js';

type Sent = z.infer<typeof profileMessageSchema>;

/** Milliseconds that an author waits for the model before the rules answer. */
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
    @Inject(SETTINGS) private readonly settings: GatewaySettings,
  ) {}

  /** @param signal ends the wait and cancels the run */
  async reply(
    tenantId: string,
    project: BookProject,
    sent: Sent,
    signal: AbortSignal,
  ): Promise<ProfileReply> {
    const { profile } = userConceptSchema.parse(project.userConcept);
    const known = { ...profile, ...sent.profile };
    const hasModel = this.settings.OPENAI_MODEL !== undefined;
    const suggested =
      hasModel && !asksToFinalize(sent.messages)
        ? await this.suggestion(tenantId, project, sent, signal)
        : null;
    return suggested ?? assistByRules(unreadOf(sent.messages, sent.profile), known);
  }

  /**
   * Returns null if the model could not be asked: another run of the book is active, or the month's budget is
   * spent.
   */
  private async suggestion(
    tenantId: string,
    { sessionId }: BookProject,
    inputs: Sent,
    signal: AbortSignal,
  ): Promise<ProfileReply | null> {
    const id = await this.begin(tenantId, sessionId, inputs);
    if (id === null) return null;
    const until = timeLimit(LONGEST_WAIT_MS, signal);
    const run = await this.runs.settled(tenantId, await this.runs.read(tenantId, id), until);
    if (isActive(run.status)) await unless(['run_finished'], this.runs.cancel(tenantId, id));
    const { data } = bookKind.progress.safeParse(run.progress.details);
    return data?.output_payload.profile_reply ?? null;
  }

  private begin(tenantId: string, sessionId: string, inputs: Sent): Promise<string | null> {
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

/** Awaits a promise; returns null if it is rejected with one of these codes. */
async function unless<T>(reasons: readonly ProblemCode[], done: Promise<T>): Promise<T | null> {
  try {
    return await done;
  } catch (error) {
    if (error instanceof ProblemError && reasons.includes(error.code)) return null;
    throw error;
  }
}
