import { ACTIVE_STATUSES } from '../shown-status.js';
import { newId } from '#contracts/ids.js';
import type { Database } from '../client.js';
import type { EarlyAnswer } from '../generated/client.js';
import { toJsonb } from '../jsonb.js';
import { pageByTime, type PageRequest } from '../page.js';

export type { EarlyAnswer };

export interface NewEarlyAnswer {
  runId: string;
  decisionType: string;
  /** The missing reference that the answer decides; null for a complete answer. */
  ref: string | null;
  answer: Record<string, unknown> | string;
  /** ID of the API key that gave it. */
  answeredBy: string;
}

/** Answers that arrived before their questions (X3). */
export class EarlyAnswerRepository {
  constructor(private readonly db: Database) {}

  /**
   * Stores an answer; false if the run has ended, or if an answer to the same question is waiting or was
   * applied.
   */
  async add(tenantId: string, early: NewEarlyAnswer): Promise<boolean> {
    const added = await this.db.$executeRaw`
      /* keep early answer */ INSERT INTO early_answers (id, tenant_id, run_id, decision_type, ref, answer, answered_by)
      SELECT ${newId('ans')}, tenant_id, id, ${early.decisionType}, ${early.ref}, ${toJsonb(early.answer)}::jsonb,
             ${early.answeredBy}
      FROM runs WHERE id = ${early.runId} AND tenant_id = ${tenantId} AND status IN (${ACTIVE_STATUSES})
      ON CONFLICT DO NOTHING`;
    return added === 1;
  }

  /** Returns the newest answer to the same question. */
  latest(
    tenantId: string,
    { runId, decisionType, ref }: Pick<NewEarlyAnswer, 'runId' | 'decisionType' | 'ref'>,
  ): Promise<EarlyAnswer | null> {
    return this.db.earlyAnswer.findFirst({
      where: { tenantId, runId, decisionType, ref },
      orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
    });
  }

  /** Returns a page of a run's answers, oldest first. */
  page(tenantId: string, runId: string, request: PageRequest): Promise<EarlyAnswer[]> {
    const { where, ...page } = pageByTime(request, 'asc');
    return this.db.earlyAnswer.findMany({ where: { tenantId, runId, ...where }, ...page });
  }

  /** Returns all answers of a run, oldest first. */
  list(tenantId: string, runId: string): Promise<EarlyAnswer[]> {
    return this.db.earlyAnswer.findMany({
      where: { tenantId, runId },
      orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
    });
  }

  /** Records the outcome of waiting answers to a question. @param reason why they did not fit */
  async settle(
    tenantId: string,
    ids: string[],
    decisionId: string,
    status: 'applied' | 'not_applicable',
    reason: string | null,
  ): Promise<void> {
    await this.db.earlyAnswer.updateMany({
      where: { tenantId, id: { in: ids }, status: 'waiting' },
      data: { status, decisionId, reason },
    });
  }
}
