import { type Finding, type FindingChanges, type OverruledFinding, subjectOf } from '#contracts/findings.js';
import type { Database } from '../client.js';

/** A ruling of an author, and the session whose texts it applies to. */
export type SessionRuling = OverruledFinding & { sessionId: string };

/** Findings that the authors of a tenant called wrong (B26), remembered for each session. */
export class OverruledFindingRepository {
  constructor(private readonly db: Pick<Database, 'overruledFinding'>) {}

  async list(tenantId: string, sessionIds: string[]): Promise<SessionRuling[]> {
    const rows = await this.db.overruledFinding.findMany({
      where: { tenantId, sessionId: { in: sessionIds } },
    });
    return rows.map(({ sessionId, subject, reason, overruledBy, overruledAt }) => ({
      sessionId,
      subject,
      reason,
      by: overruledBy,
      at: overruledAt.toISOString(),
    }));
  }

  /**
   * Remembers that a finding of a text is wrong; with null, forgets it.
   *
   * @param by ID of the API key
   */
  async set(
    tenantId: string,
    sessionId: string,
    finding: Finding,
    { overruled }: FindingChanges,
    by: string,
  ): Promise<void> {
    const subject = subjectOf(finding);
    if (overruled === null) {
      // A finding that an older release stored had no subject.
      const subjects = { in: [subject, finding.id] };
      await this.db.overruledFinding.deleteMany({ where: { tenantId, sessionId, subject: subjects } });
      return;
    }
    const ruling = { reason: overruled.reason ?? null, overruledBy: by, overruledAt: new Date() };
    const key = { tenantId, sessionId, subject };
    await this.db.overruledFinding.upsert({
      where: { tenantId_sessionId_subject: key },
      create: { ...key, ...ruling },
      update: ruling,
    });
  }
}
