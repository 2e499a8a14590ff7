import type { Database, Prisma } from '../client.js';
import type { DecisionVote, Task } from '../generated/client.js';
import { pageByTime, type PageRequest } from '../page.js';

export type DecisionRow = Task & { run: { sessionId: string }; votes: DecisionVote[] };
export type DecisionFilter = 'open' | 'answered' | 'all';

export interface DecisionSelection {
  status: DecisionFilter;
  runId?: string | undefined;
  /** As it was set: the id or the name of an API key. */
  assignee?: string | undefined;
}

const statuses = {
  open: { status: 'pending' },
  answered: { status: 'completed' },
  all: {},
};

const include = {
  run: { select: { sessionId: true } },
  votes: { orderBy: { votedAt: 'asc' } },
} as const satisfies Prisma.TaskInclude;

/** Tasks that wait for a person, as a tenant sees them. */
export class DecisionRepository {
  constructor(private readonly db: Database) {}

  find(tenantId: string, decisionId: string): Promise<DecisionRow | null> {
    return this.db.task.findFirst({ where: { id: decisionId, tenantId, queue: 'human-input' }, include });
  }

  /** A page of decisions, oldest first. */
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

  /** All open decisions of runs, oldest first. */
  open(tenantId: string, runIds: string[]): Promise<DecisionRow[]> {
    return this.db.task.findMany({
      where: { tenantId, queue: 'human-input', status: 'pending', runId: { in: runIds } },
      include,
      orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
    });
  }

  /** The names of sources in which a run's scan found a reference. */
  async sourcesOf(tenantId: string, runId: string, ref: string): Promise<string[]> {
    const scan = await this.db.task.findFirst({
      where: { tenantId, runId, name: 'scan_assets', status: 'completed' },
      orderBy: { createdAt: 'desc' },
    });
    const references =
      (scan?.output as { references?: { ref: string; source: string }[] } | null)?.references ?? [];
    return [...new Set(references.filter((found) => found.ref === ref).map(({ source }) => source))];
  }
}
