import type { chatResumeSchema, chatStreamSchema } from '../contract/schemas.js';
import { ProblemError } from '#contracts/errors.js';
import { phrase } from '#contracts/phrases/phrase.js';
import { newId } from '#contracts/ids.js';
import { RunRepository, type Run } from '#db/repositories/runs.js';
import type { Caller } from '#db/repositories/tenants.js';
import { Injectable } from '@nestjs/common';
import type { z } from 'zod';
import { DecisionsService } from '#gateway/decisions/decisions.service.js';
import { RunsService } from '#gateway/runs/runs.service.js';
import { SessionAccess } from '#gateway/tenants/session-access.js';
import type { RunEvent } from '#catalogue/events.js';

const TITLE_LENGTH = 200;

/** A run of a thread, and the start of its stream. */
export interface Followed {
  threadId: string;
  runId: string;
  from: ChatStart;
}

/**
 * Conversations about articles (A8, A10, A11): a thread is a session, and a reply is an answer to a decision.
 */
@Injectable()
export class ChatService {
  constructor(
    private readonly runs: RunsService,
    private readonly decisions: DecisionsService,
    private readonly access: SessionAccess,
    private readonly runRows: RunRepository,
  ) {}

  /**
   * Starts an article, or finds the thread's current one if no inputs are given.
   *
   * @throws ProblemError `not_found`, `run_active`
   */
  async open(
    { tenantId }: Caller,
    { thread_id, mode, inputs, budget = {}, after }: z.infer<typeof chatStreamSchema>,
    lastEventId: string | undefined,
  ): Promise<Followed> {
    if (thread_id !== undefined) await this.access.require(tenantId, thread_id);
    if (inputs === undefined) return this.follow(tenantId, thread_id!, lastEventId ?? after);
    const threadId = thread_id ?? newId('ses');
    const made = thread_id ? {} : { newSession: { title: inputs.topic?.slice(0, TITLE_LENGTH) ?? null } };
    const request = { kind: 'article', on_conflict: 'reject' as const, priority: 0, inputs, budget };
    const wanted = { ...request, ...(mode ? { mode } : {}) };
    const runId = await this.runs.startIn(tenantId, threadId, wanted, made);
    return { threadId, runId, from: { after: 0 } };
  }

  /**
   * Answers the open question of the thread. The first answer wins; a second one gets `decision_answered`.
   *
   * @throws ProblemError `not_found`, `not_assignee`, `invalid_answer`, `decision_answered`, `decision_stale`
   */
  async answer(
    caller: Caller,
    { thread_id: threadId, decision_id: id, answer: body }: z.infer<typeof chatResumeSchema>,
  ): Promise<Followed> {
    const decision = await this.decisions.requireAnswerable(caller, id);
    if (decision.run.sessionId !== threadId)
      throw new ProblemError('not_found', phrase('not_found.thread_question'));
    await this.decisions.answer(caller, decision, { body, uploads: new Map() });
    return { threadId, runId: decision.runId, from: { answered: id } };
  }

  /** Returns the frames of a thread's stream. */
  frames(
    { tenantId }: Caller,
    { threadId, runId, from }: Followed,
    until: AbortSignal,
  ): AsyncGenerator<string> {
    const events = this.runs.follow(runId, 'after' in from ? from.after : 0, until);
    const isOpen = async (id: string) => (await this.runs.read(tenantId, runId)).open_decisions.includes(id);
    return chatFrames(threadId, events, from, isOpen);
  }

  private async follow(tenantId: string, threadId: string, position: string | undefined): Promise<Followed> {
    const [runId, seq] = position?.split('.') ?? [];
    const run =
      runId === undefined ? await this.newest(tenantId, threadId) : await this.runRows.find(tenantId, runId);
    if (run?.sessionId !== threadId || run.kind !== 'article')
      throw new ProblemError('not_found', phrase('not_found.thread_article'));
    return { threadId, runId: run.id, from: { after: Number(seq ?? 0) } };
  }

  private async newest(tenantId: string, sessionId: string): Promise<Run | undefined> {
    const [newest] = await this.runRows.page(tenantId, { sessionId, kind: 'article' }, { take: 1 });
    return newest;
  }
}

/**
 * Start of a thread's stream: after an event's sequence number, or after the question that was just answered.
 */
type ChatStart = { after: number } | { answered: string };

interface ChatEvent {
  seq: number;
  type: 'token' | 'node_complete' | 'hitl_pause' | 'done';
  data: Record<string, unknown>;
}

/** Returns the event as pages of a conversation show it (A10); null for event types that they do not need. */
function chatEvent({ seq, type, data }: RunEvent): ChatEvent | null {
  if (type === 'decision_required') return { seq, type: 'hitl_pause', data };
  if (type === 'token' || type === 'node_complete' || type === 'done') return { seq, type, data };
  return null;
}

/**
 * Yields the server-sent events of an article's run. Ends with the run, or at a question that is still open;
 * questions answered in the meantime are sent, and the stream continues.
 *
 * @param isOpen returns whether a question is still open
 */
async function* chatFrames(
  threadId: string,
  events: AsyncIterable<RunEvent>,
  from: ChatStart,
  isOpen: (decisionId: string) => Promise<boolean>,
): AsyncGenerator<string> {
  let isPast = 'after' in from;
  for await (const event of events) {
    if (!isPast) {
      isPast =
        event.type === 'decision_required' &&
        'answered' in from &&
        event.data['decision_id'] === from.answered;
      continue;
    }
    const sent = chatEvent(event);
    if (!sent) continue;
    const data = { thread_id: threadId, run_id: event.run_id, ...sent.data };
    yield `id: ${event.run_id}.${sent.seq}\nevent: ${sent.type}\ndata: ${JSON.stringify(data)}\n\n`;
    if (sent.type === 'done') return;
    if (sent.type === 'hitl_pause' && (await isOpen(String(sent.data['decision_id'])))) return;
  }
}
