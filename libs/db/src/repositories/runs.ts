import type { Database } from '../client.js';
import type { Run } from '../generated/client.js';

export type { Run };

export interface RunUsage {
  inputTokens: number;
  outputTokens: number;
  modelCalls: number;
  /** Millionths of the currency, as the next one. */
  cost: number;
  reservedTokens: number;
  reservedCost: number;
}

/** The runs of a session that were taken back: what they made does not count. */
export async function rolledBackRuns(db: Database, tenantId: string, sessionId: string): Promise<string[]> {
  const rows = await db.run.findMany({
    where: { tenantId, sessionId, rolledBackAt: { not: null } },
    select: { id: true },
  });
  return rows.map(({ id }) => id);
}

/** Runs as a tenant sees them; the protocol that moves them is in run-engine. */
export class RunRepository {
  constructor(private readonly db: Database) {}

  find(tenantId: string, runId: string): Promise<Run | null> {
    return this.db.run.findFirst({ where: { id: runId, tenantId } });
  }

  /** The newest run of a session that was not taken back, or null. */
  latest(tenantId: string, sessionId: string): Promise<Run | null> {
    return this.db.run.findFirst({
      where: { tenantId, sessionId, rolledBackAt: null },
      orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
    });
  }

  async hasActive(tenantId: string, sessionId: string): Promise<boolean> {
    const count = await this.db.run.count({
      where: { tenantId, sessionId, status: { in: ['queued', 'running', 'waiting'] } },
    });
    return count > 0;
  }

  /**
   * Points a session's manuscript at another version (D32: a rollback is a pointer move).
   *
   * @returns false while a run of the session is active: then only the run moves it
   */
  async moveManuscript(tenantId: string, sessionId: string, pointer: string): Promise<boolean> {
    const moved = await this.db.$executeRaw`
      /* move manuscript */ UPDATE runs SET summary = summary || jsonb_build_object('temp_md_path', ${pointer}::text), updated_at = now()
      WHERE id = (SELECT id FROM runs WHERE tenant_id = ${tenantId} AND session_id = ${sessionId} AND rolled_back_at IS NULL
                  ORDER BY created_at DESC, id DESC LIMIT 1)
        AND status NOT IN ('queued', 'running', 'waiting')`;
    return moved === 1;
  }

  /** What a run's model calls took by now, and what is set aside for those in flight. */
  async usage(tenantId: string, runId: string): Promise<RunUsage> {
    const [row] = await this.db.$queryRaw<RunUsage[]>`
      SELECT coalesce(sum(input_tokens), 0)::float AS "inputTokens", coalesce(sum(output_tokens), 0)::float AS "outputTokens",
             count(*)::int AS "modelCalls", coalesce(sum(cost), 0)::float AS cost,
             (SELECT coalesce(sum(tokens), 0)::float FROM model_reservations
              WHERE run_id = ${runId} AND tenant_id = ${tenantId}) AS "reservedTokens",
             (SELECT coalesce(sum(cost), 0)::float FROM model_reservations
              WHERE run_id = ${runId} AND tenant_id = ${tenantId}) AS "reservedCost"
      FROM model_calls WHERE run_id = ${runId} AND tenant_id = ${tenantId}`;
    return row!;
  }
}
