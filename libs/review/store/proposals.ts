import type { Database } from '#db/client.js';
import type { Prisma, Proposal } from '#db/generated/client.js';
import type { PageRequest } from '#db/page.js';
import type { ReadProposal } from '#office/review/propose.js';
import { sessionKey } from '#storage/session-keys.js';
import type { SourcePlace } from './source-places.js';

export type { Proposal };

/** Which proposals of a review a decision is about. */
export interface ProposalSelection {
  numbers?: number[] | undefined;
  author?: string | null | undefined;
}

/** `place` of an accepted proposal that cannot be applied automatically. */
const NOT_APPLICABLE = 'not_applicable';
/** Rows that one statement inserts. */
const CHUNK = 1_000;

/** Changes of a manuscript that people proposed, and what was decided about them. */
export class ProposalRepository {
  constructor(private readonly db: Database) {}

  /**
   * Adds the proposals of a review, all or none; repeating it changes nothing.
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
    const chunks = Array.from({ length: Math.ceil(data.length / CHUNK) }, (_, i) =>
      data.slice(i * CHUNK, (i + 1) * CHUNK),
    );
    await this.db.$transaction(
      chunks.map((chunk) => this.db.proposal.createMany({ data: chunk, skipDuplicates: true })),
    );
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

  /**
   * Decides about proposals, all or none. Applied ones keep their state: they are refused if they are named, else left out.
   *
   * @returns `missing` if there is no proposal with one of the numbers, `applied` if one of them was applied
   */
  async decide(
    tenantId: string,
    runId: string,
    { numbers, author }: ProposalSelection,
    change: { state?: string | undefined; answer?: string | undefined; decidedBy: string },
  ): Promise<'decided' | 'missing' | 'applied'> {
    const where: Prisma.ProposalWhereInput = { tenantId, runId };
    if (numbers) where.number = { in: numbers };
    if (author !== undefined) where.author = author;
    const { state, answer, decidedBy } = change;
    const data = { decidedBy, ...(state ? { state } : {}), ...(answer ? { answer } : {}) };
    const open = state === undefined ? where : { ...where, appliedAt: null };
    const named = new Set(numbers ?? []).size;
    return this.db.$transaction(async (tx) => {
      if (named > 0 && (await tx.proposal.count({ where })) < named) return 'missing';
      if (named > 0 && (await tx.proposal.count({ where: open })) < named) return 'applied';
      await tx.proposal.updateMany({ where: open, data });
      return 'decided';
    });
  }

  /**
   * Notes that a version of the manuscript was made with proposals.
   *
   * @param refused numbers of accepted proposals that could not be applied
   */
  async apply(tenantId: string, runId: string, numbers: number[], refused: number[]): Promise<void> {
    const of = { tenantId, runId, appliedAt: null };
    const applied = { appliedAt: new Date(), place: null };
    await this.db.proposal.updateMany({ where: { ...of, number: { in: numbers } }, data: applied });
    await this.db.proposal.updateMany({
      where: { ...of, number: { in: refused } },
      data: { place: NOT_APPLICABLE },
    });
  }

  /** Returns the number of proposals in each state. */
  async counts(tenantId: string, runId: string): Promise<Record<string, number>> {
    const rows = await this.db.proposal.groupBy({ by: ['state'], where: { tenantId, runId }, _count: true });
    return Object.fromEntries(rows.map(({ state, _count }) => [state, _count]));
  }
}

/** Returns the object key of a Word file that came back. */
export const returnedKey = (tenantId: string, sessionId: string, fileId: string): string =>
  sessionKey(tenantId, sessionId, 'results', `returned-${fileId}.docx`);
