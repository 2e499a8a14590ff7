import type { Database } from '../client.js';
import type { Task } from '../generated/client.js';

export type DecisionRow = Task & { run: { sessionId: string } };
export type DecisionFilter = 'open' | 'answered' | 'all';

const statuses = {
  open: ['pending'],
  answered: ['completed'],
  all: ['pending', 'completed', 'cancelled', 'failed'],
};

/** Tasks that wait for a person, as a tenant sees them. */
export class DecisionRepository {
  constructor(private readonly db: Database) {}

  find(tenantId: string, decisionId: string): Promise<DecisionRow | null> {
    return this.db.task.findFirst({
      where: { id: decisionId, tenantId, queue: 'human-input' },
      include: { run: { select: { sessionId: true } } },
    });
  }

  list(tenantId: string, filter: DecisionFilter, runId?: string): Promise<DecisionRow[]> {
    return this.db.task.findMany({
      where: {
        tenantId,
        queue: 'human-input',
        status: { in: statuses[filter] },
        ...(runId === undefined ? {} : { runId }),
      },
      include: { run: { select: { sessionId: true } } },
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
