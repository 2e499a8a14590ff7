import type { Database } from '#db/client.js';
import type { Prisma, Proposal } from '#db/generated/client.js';
import type { PageRequest } from '#db/page.js';
import type { SourcePlace } from './source-places.js';
import type { ReadProposal } from '#office/review/propose.js';

export type { Proposal };

/** Which proposals of a review a decision is about. */
export interface ProposalSelection {
  numbers?: number[] | undefined;
  author?: string | null | undefined;
}

/** Rows that one statement inserts. */
const CHUNK = 1_000;

/** Changes of a manuscript that people proposed, and what was decided about them. */
export class ProposalRepository {
  constructor(private readonly db: Database) {}

  /**
   * Adds the proposals of a review; repeating it changes nothing.
   *
   * @param of `base` is the object key of the version of the manuscript that their places refer to
   */
  async add(
    tenantId: string,
    of: { sessionId: string; runId: string; base: string },
    proposals: readonly (ReadProposal & Partial<SourcePlace>)[],
  ): Promise<void> {
    const numbered = (index: number | null) => (index === null ? null : index + 1);
    const data = proposals.map(({ within, replyTo, start, end, ...proposal }, index) => ({
      ...{ tenantId, ...of, number: index + 1, ...proposal, spanStart: start, spanEnd: end },
      ...{ within: numbered(within), replyTo: numbered(replyTo) },
    }));
    for (let i = 0; i < data.length; i += CHUNK)
      await this.db.proposal.createMany({ data: data.slice(i, i + CHUNK), skipDuplicates: true });
  }

  /** Returns a page of a review's proposals, by number. */
  page(tenantId: string, runId: string, { take, after }: PageRequest<number>): Promise<Proposal[]> {
    return this.db.proposal.findMany({
      where: { tenantId, runId, ...(after === undefined ? {} : { number: { gt: after } }) },
      orderBy: { number: 'asc' },
      take,
    });
  }

  all(tenantId: string, runId: string): Promise<Proposal[]> {
    return this.db.proposal.findMany({ where: { tenantId, runId }, orderBy: { number: 'asc' } });
  }

  /** Decides about proposals. @returns the number of proposals that were found */
  async decide(
    tenantId: string,
    runId: string,
    { numbers, author }: ProposalSelection,
    change: { state?: string | undefined; answer?: string | undefined; decidedBy: string },
  ): Promise<number> {
    const where: Prisma.ProposalWhereInput = { tenantId, runId };
    if (numbers) where.number = { in: numbers };
    if (author !== undefined) where.author = author;
    const { state, answer, decidedBy } = change;
    const data = { decidedBy, ...(state ? { state } : {}), ...(answer ? { answer } : {}) };
    return (await this.db.proposal.updateMany({ where, data })).count;
  }

  /** Notes that a version of the manuscript was made with proposals. */
  async apply(tenantId: string, runId: string, numbers: number[]): Promise<void> {
    const where = { tenantId, runId, number: { in: numbers }, appliedAt: null };
    await this.db.proposal.updateMany({ where, data: { appliedAt: new Date() } });
  }

  /** Returns the number of proposals in each state. */
  async counts(tenantId: string, runId: string): Promise<Record<string, number>> {
    const rows = await this.db.proposal.groupBy({ by: ['state'], where: { tenantId, runId }, _count: true });
    return Object.fromEntries(rows.map(({ state, _count }) => [state, _count]));
  }
}
