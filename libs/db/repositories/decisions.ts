import { Prisma, type Database } from '../client.js';
import type { DecisionVote, Task, EarlyAnswer } from '../generated/client.js';
import { pageByTime, type PageRequest } from '../page.js';
import { ACTIVE_STATUSES } from '../shown-status.js';
import { newId } from '#contracts/ids.js';
import { toJsonb } from '../jsonb.js';

/** Uploaded file that answered a missing reference. */
interface RememberedFile {
  name: string;
  objectKey: string;
  size: number;
  sha256: string;
  mediaType: string;
}

/** Rolls back an added asset if the answer no longer exists. */
class ForgottenError extends Error {}

/** Answers about missing references, stored per tenant, content hash of the source, and reference (X2). */
export class RememberedDecisionRepository {
  constructor(private readonly db: Database) {}

  async find(
    tenantId: string,
    sourceHash: string,
    ref: string,
  ): Promise<{ decision: string; file: RememberedFile | null } | null> {
    const row = await this.db.rememberedDecision.findFirst({
      where: { tenantId, sourceHash, ref },
    });
    if (!row) return null;
    return { decision: row.decision, file: row.file as RememberedFile | null };
  }

  /**
   * Makes the file that answered a reference an asset of another session; an existing asset of that name
   * stays. Does not copy the object: deleting its session first deletes the answers, then gives copies to the
   * sessions that use it.
   *
   * @returns false if the answer no longer exists; then nothing was added
   */
  async takeOver(
    tenantId: string,
    sessionId: string,
    question: { sourceHash: string; ref: string },
    file: RememberedFile,
  ): Promise<boolean> {
    const { sourceHash, ref } = question;
    return this.db
      .$transaction(async (tx) => {
        const asset = { id: newId('fil'), tenantId, sessionId, folder: 'assets', ...file };
        await tx.sessionFile.createMany({ data: [asset], skipDuplicates: true });
        const lockedRows = await tx.$queryRaw<object[]>`
          SELECT 1 FROM remembered_decisions
          WHERE tenant_id = ${tenantId} AND source_hash = ${sourceHash} AND ref = ${ref} AND file->>'objectKey' = ${file.objectKey}
          FOR SHARE`;
        if (lockedRows.length === 0) throw new ForgottenError();
        return true;
      })
      .catch((error: unknown) => {
        if (error instanceof ForgottenError) return false;
        throw error;
      });
  }

  /** Stores an answer; it replaces an earlier one for the same source and reference. */
  async keep(tenantId: string, sourceHash: string, ref: string, file: RememberedFile | null): Promise<void> {
    const answer = { decision: file === null ? 'skip' : 'asset', ...(file ? { file: { ...file } } : {}) };
    await this.db.rememberedDecision.upsert({
      where: { tenantId_sourceHash_ref: { tenantId, sourceHash, ref } },
      create: { tenantId, sourceHash, ref, ...answer },
      update: answer,
    });
  }
}

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

  /** Returns whether an answer waits for its question; without Prisma's query engine, because every pause asks. */
  async isAnyWaiting(tenantId: string, runId: string): Promise<boolean> {
    const [row] = await this.db.$statement<{ any: boolean }>(Prisma.sql`
      /* early answers that wait */ SELECT EXISTS (
        SELECT 1 FROM early_answers WHERE tenant_id = ${tenantId} AND run_id = ${runId} AND status = 'waiting') AS any`);
    return row!.any;
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

export type DecisionRow = Pick<
  Task,
  | ('id' | 'tenantId' | 'runId' | 'status' | 'input' | 'output' | 'assignee' | 'quorum')
  | ('deadline' | 'remindedAt' | 'completedBy' | 'createdAt' | 'completedAt')
> & {
  run: { sessionId: string; kind: string; summary: unknown; session: { title: string | null } };
  votes: DecisionVote[];
};
type DecisionFilter = 'open' | 'answered' | 'all';

export interface DecisionSelection {
  status: DecisionFilter;
  runId?: string | undefined;
  /** ID or name of an API key, as it was set. */
  assignee?: string | undefined;
}

const statuses = {
  open: { status: 'pending' },
  answered: { status: 'completed' },
  all: {},
};

const include = {
  run: { select: { sessionId: true, kind: true, summary: true, session: { select: { title: true } } } },
  votes: { orderBy: { votedAt: 'asc' } },
} as const satisfies Prisma.TaskInclude;

/** A tenant's tasks that wait for a person. */
export class DecisionRepository {
  constructor(private readonly db: Database) {}

  /** Returns a decision or null; by one statement without Prisma's query engine, because every answer needs it. */
  async find(tenantId: string, decisionId: string): Promise<DecisionRow | null> {
    const [row] = await this.db.$statement<Omit<DecisionRow, 'votes'>>(Prisma.sql`
      /* find decision */ SELECT t.id, t.tenant_id AS "tenantId", t.run_id AS "runId", t.status, t.input, t.output, t.assignee, t.quorum,
        t.deadline, t.reminded_at AS "remindedAt", t.completed_by AS "completedBy", t.created_at AS "createdAt", t.completed_at AS "completedAt",
        jsonb_build_object('sessionId', r.session_id, 'kind', r.kind, 'summary', r.summary,
          'session', jsonb_build_object('title', s.title)) AS run
      FROM tasks t JOIN runs r ON r.id = t.run_id JOIN sessions s ON s.id = r.session_id
      WHERE t.id = ${decisionId} AND t.tenant_id = ${tenantId} AND t.queue = 'human-input'`);
    if (!row) return null;
    const votes =
      row.quorum > 1
        ? this.db.decisionVote.findMany({ where: { decisionId, tenantId }, ...include.votes })
        : [];
    return { ...row, votes: await votes };
  }

  /** Returns a page of decisions, oldest first. */
  page(
    tenantId: string,
    { status, runId, assignee }: DecisionSelection,
    request: PageRequest,
  ): Promise<DecisionRow[]> {
    const { where, ...page } = pageByTime(request, 'asc');
    return this.db.task.findMany({
      where: {
        tenantId,
        queue: 'human-input',
        ...statuses[status],
        ...(runId === undefined ? {} : { runId }),
        ...(assignee === undefined ? {} : { assignee }),
        AND: where,
      },
      include,
      ...page,
    });
  }

  /** Returns all open decisions of runs, oldest first. */
  open(tenantId: string, runIds: string[]): Promise<DecisionRow[]> {
    return this.db.task.findMany({
      where: { tenantId, queue: 'human-input', status: 'pending', runId: { in: runIds } },
      include,
      orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
    });
  }

  /** Returns the IDs of all open decisions of runs, oldest first; every read of a run needs them. */
  openIds(tenantId: string, runIds: string[]): Promise<{ id: string; runId: string }[]> {
    return this.db.$statement(Prisma.sql`
      /* open decisions */ SELECT id, run_id AS "runId" FROM tasks
      WHERE tenant_id = ${tenantId} AND run_id = ANY(${runIds}::text[]) AND queue = 'human-input' AND status = 'pending'
      ORDER BY created_at, id`);
  }

  /** Returns a run's decisions whose details name this checkpoint, newest first. */
  atCheckpoint(tenantId: string, runId: string, checkpointId: string): Promise<DecisionRow[]> {
    return this.db.task.findMany({
      where: {
        tenantId,
        runId,
        queue: 'human-input',
        input: { path: ['details', 'checkpoint_id'], equals: checkpointId },
      },
      include,
      orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
    });
  }

  /** Returns the output of a run's newest completed task of that name, or null. */
  async taskOutput(tenantId: string, runId: string, name: string): Promise<unknown> {
    const task = await this.db.task.findFirst({
      where: { tenantId, runId, name, status: 'completed' },
      orderBy: { createdAt: 'desc' },
    });
    return task?.output ?? null;
  }
}
