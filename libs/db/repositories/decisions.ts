import { Prisma, type Database } from '../client.js';
import type { DecisionVote, Task } from '../generated/client.js';
import { pageByTime, type PageRequest } from '../page.js';

export type DecisionRow = Task & {
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

  find(tenantId: string, decisionId: string): Promise<DecisionRow | null> {
    return this.db.task.findFirst({ where: { id: decisionId, tenantId, queue: 'human-input' }, include });
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
