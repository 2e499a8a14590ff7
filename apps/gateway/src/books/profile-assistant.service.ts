import type { profileMessageSchema } from '#contracts/api/book-schemas.js';
import type { GatewaySettings } from '#config/settings.js';
import { ProblemError, type ProblemCode } from '#contracts/errors.js';
import { bookKind, type BookMode } from '#contracts/kinds/book.js';
import type { ProfileReply } from '#contracts/kinds/book/conversation.js';
import { isActive } from '#contracts/runs.js';
import { userConceptSchema } from '#contracts/kinds/book/profile.js';
import type { BookProject } from '#db/repositories/books.js';
import { asksToFinalize, assistByRules, unreadOf } from '#kinds/book/profile/assistant.js';
import { SETTINGS } from '#runtime/infrastructure.module.js';
import { Inject, Injectable } from '@nestjs/common';
import type { z } from 'zod';
import { RunsService } from '../runs/runs.service.js';

type Sent = z.infer<typeof profileMessageSchema>;

/** How long an author waits for the model before the rules answer, in milliseconds. */
const LONGEST_WAIT_MS = 60_000;
/** Why a run may be refused without anything being wrong with the conversation. */
const BUSY: ProblemCode[] = [
  'run_active',
  'token_quota_exceeded',
  'cost_quota_exceeded',
  'model_price_unknown',
];
const MODE: BookMode = 'assist_profile';

/**
 * The next step of the conversation about a profile (B17, B18). Where there is a model, a run asks it; that the profile is final is read by rules alone,
 * from what the author wrote, so that nothing a model says becomes the author's by itself.
 */
@Injectable()
export class ProfileAssistant {
  constructor(
    private readonly runs: RunsService,
    @Inject(SETTINGS) private readonly settings: GatewaySettings,
  ) {}

  /** @param signal ends the waiting, and the run with it */
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

  /** Null when the model could not be asked: another run is at work on the book, or the month's budget is spent. */
  private async suggestion(
    tenantId: string,
    { sessionId }: BookProject,
    inputs: Sent,
    signal: AbortSignal,
  ): Promise<ProfileReply | null> {
    const id = await this.begin(tenantId, sessionId, inputs);
    if (id === null) return null;
    const until = AbortSignal.any([signal, AbortSignal.timeout(LONGEST_WAIT_MS)]);
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
    return unless(BUSY, this.runs.beginIn(tenantId, sessionId, request));
  }
}

/** What is done, or null where it is refused for one of these reasons. */
async function unless<T>(reasons: readonly ProblemCode[], done: Promise<T>): Promise<T | null> {
  try {
    return await done;
  } catch (error) {
    if (error instanceof ProblemError && reasons.includes(error.code)) return null;
    throw error;
  }
}
