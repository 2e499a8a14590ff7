import type { Database } from '../client.js';
import type { Prisma, Proposal } from '../generated/client.js';
import type { PageRequest } from '../page.js';

export type { Proposal };
export type NewProposal = Prisma.ProposalCreateManyInput;

/** Which proposals of a review a decision is about. */
export interface ProposalSelection {
  numbers?: number[] | undefined;
  author?: string | null | undefined;
}

/** `place` of an accepted proposal that cannot be applied automatically. */
const NOT_APPLICABLE = 'not_applicable';
/** Returns the condition on proposals that their run changes a selection of a document or an article. */
const changing = (kind: 'document' | 'article') => ({
  run: { inputs: { path: ['target', 'kind'], equals: kind } },
});
/** Rows that one statement inserts. */
const CHUNK = 1_000;

/** Which proposals of a session are listed. */
export interface ProposalFilter {
  state?: string | undefined;
  author?: string | undefined;
  run_id?: string | undefined;
}

/** A proposal that nobody decided about, with the time when its run was started. */
type OpenProposal = Proposal & { proposedAt: Date };

/** Position in the list of a session's proposals. */
export type ProposalPosition = Pick<Proposal, 'runId' | 'number'>;

/** Changes of texts that people, models and rules proposed, and what was decided about them. */
export class ProposalRepository {
  constructor(private readonly db: Database) {}

  /**
   * Adds proposals, all or none; repeating it changes nothing.
   *
   * @param anew which proposals of the run they replace, if a repeated step may propose other words: those from a number on
   */
  async add(
    rows: readonly NewProposal[],
    anew?: { tenantId: string; runId: string; from: number },
  ): Promise<void> {
    const chunks = Array.from({ length: Math.ceil(rows.length / CHUNK) }, (_, i) =>
      rows.slice(i * CHUNK, (i + 1) * CHUNK),
    );
    const { from = 0, ...of } = anew ?? {};
    await this.db.$transaction([
      ...(anew
        ? [this.db.proposal.deleteMany({ where: { ...of, number: { gte: from }, appliedAt: null } })]
        : []),
      ...chunks.map((data) => this.db.proposal.createMany({ data: [...data], skipDuplicates: true })),
    ]);
  }

  /** Returns a page of a review's proposals, by number. */
  page(tenantId: string, runId: string, { take, after }: PageRequest<number>): Promise<Proposal[]> {
    return this.db.proposal.findMany({
      where: { tenantId, runId, ...(after === undefined ? {} : { number: { gt: after } }) },
      orderBy: { number: 'asc' },
      take,
    });
  }

  /** Returns a page of a session's proposals, by run and number. */
  pageOfSession(
    tenantId: string,
    sessionId: string,
    { run_id: runId, state, author }: ProposalFilter,
    { take, after }: PageRequest<ProposalPosition>,
  ): Promise<Proposal[]> {
    const where: Prisma.ProposalWhereInput = { tenantId, sessionId };
    if (state !== undefined) where.state = state;
    if (author !== undefined) where.author = author;
    if (runId !== undefined) where.runId = runId;
    if (after)
      where.OR = [{ runId: { gt: after.runId } }, { runId: after.runId, number: { gt: after.number } }];
    return this.db.proposal.findMany({ where, orderBy: [{ runId: 'asc' }, { number: 'asc' }], take });
  }

  /**
   * Returns the open changes and comments of texts, by run and number: those of reviews, and of changes that wait for
   * a decision.
   *
   * @param texts the chapters of a book, or an article, whose ID is null; null for a document
   */
  async openOf(
    tenantId: string,
    sessionId: string,
    texts: readonly { chapter_id: string | null }[] | null,
  ): Promise<OpenProposal[]> {
    const chapters = texts?.flatMap(({ chapter_id: id }) => id ?? []) ?? [];
    const isOf =
      texts === null
        ? [{ exportedBy: null, run: { kind: 'review' } }, changing('document')]
        : [{ exportedBy: { not: null } }, changing('article')];
    const rows = await this.db.proposal.findMany({
      where: {
        ...{ tenantId, sessionId, state: 'open' },
        ...(chapters.length > 0 ? { chapterId: { in: chapters } } : { chapterId: null, OR: isOf }),
        kind: { notIn: ['outside', 'format'] },
        run: { kind: { in: ['review', 'change'] }, rolledBackAt: null },
      },
      orderBy: [{ runId: 'asc' }, { number: 'asc' }],
      include: { run: { select: { createdAt: true } } },
    });
    return rows.map(({ run, ...row }) => ({ ...row, proposedAt: run.createdAt }));
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
    change: { state?: string | undefined; answer?: string | undefined; decidedBy?: string },
  ): Promise<'decided' | 'missing' | 'applied'> {
    const where: Prisma.ProposalWhereInput = { tenantId, runId };
    if (numbers) where.number = { in: numbers };
    if (author !== undefined) where.author = author;
    const { state, answer, decidedBy } = change;
    const data = {
      ...(decidedBy && { decidedBy }),
      ...(state ? { state } : {}),
      ...(answer ? { answer } : {}),
    };
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
   * Notes that a version of the manuscript was made with proposals, which are accepted, also if somebody decided otherwise
   * meanwhile.
   *
   * @param refused numbers of accepted proposals that could not be applied
   */
  async apply(tenantId: string, runId: string, numbers: number[], refused: number[]): Promise<void> {
    const of = { tenantId, runId, appliedAt: null };
    const applied = { state: 'accepted', appliedAt: new Date(), place: null };
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

/** Returns who makes a proposal, and when, as Word files show it. */
export const trackedBy = ({ author, origin, date, proposedAt }: OpenProposal) => ({
  author: author ?? (origin === 'model' ? 'Scriptorium' : ''),
  date: date ?? proposedAt.toISOString(),
});

/**
 * Returns the columns of a change that a model or rules propose, of which the words and those around them are known.
 *
 * @param start position of `before` in the text, in UTF-16 units
 * @param around the words before and after it
 */
export const proposedWords = (
  { before, after, start }: { before: string; after: string; start: number },
  around = { before: '', after: '' },
) => ({
  ...{ before, after, text: after, base: '', sent: 0 },
  kind: before === '' ? 'insert' : after === '' ? 'delete' : 'replace',
  ...{ spanStart: start, spanEnd: start + before.length, at: start },
  ...{ context: around.before + before + around.after, contextStart: start - around.before.length },
});
