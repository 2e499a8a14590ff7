import type { Database, Prisma } from '../client.js';
import type { DecisionVote, Task } from '../generated/client.js';

export type DecisionRow = Task & { run: { sessionId: string }; votes: DecisionVote[] };
export type DecisionFilter = 'open' | 'answered' | 'all';

const statuses = {
  open: ['pending'],
  answered: ['completed'],
  all: ['pending', 'completed', 'cancelled', 'failed'],
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

  /** Oldest first. @param assignee as it was set: the id or the name of an API key */
  list(
    tenantId: string,
    filter: DecisionFilter,
    { runId, assignee }: { runId?: string; assignee?: string } = {},
  ): Promise<DecisionRow[]> {
    return this.db.task.findMany({
      where: {
        tenantId,
        queue: 'human-input',
        status: { in: statuses[filter] },
        ...(runId === undefined ? {} : { runId }),
        ...(assignee === undefined ? {} : { assignee }),
      },
      include,
      orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
      take: 500,
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
