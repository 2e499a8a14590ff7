import { Prisma, type Database } from '../client.js';
import type { DecisionVote, Task } from '../generated/client.js';
import { pageByTime, type PageRequest } from '../page.js';

export type DecisionRow = Pick<
  Task,
  | ('id' | 'tenantId' | 'runId' | 'status' | 'input' | 'output' | 'assignee' | 'quorum')
  | ('deadline' | 'completedBy' | 'createdAt' | 'completedAt')
> & {
  run: { sessionId: string; kind: string; summary: unknown };
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
  run: { select: { sessionId: true, kind: true, summary: true } },
  votes: { orderBy: { votedAt: 'asc' } },
} as const satisfies Prisma.TaskInclude;

/** A tenant's tasks that wait for a person. */
export class DecisionRepository {
  constructor(private readonly db: Database) {}

  /** Returns a decision or null; by one statement without Prisma's query engine, because an answer needs it twice. */
  async find(tenantId: string, decisionId: string): Promise<DecisionRow | null> {
    const [row] = await this.db.$statement<Omit<DecisionRow, 'votes'>>(Prisma.sql`
      /* find decision */ SELECT t.id, t.tenant_id AS "tenantId", t.run_id AS "runId", t.status, t.input, t.output, t.assignee, t.quorum,
        t.deadline, t.completed_by AS "completedBy", t.created_at AS "createdAt", t.completed_at AS "completedAt",
        jsonb_build_object('sessionId', r.session_id, 'kind', r.kind, 'summary', r.summary) AS run
      FROM tasks t JOIN runs r ON r.id = t.run_id
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
