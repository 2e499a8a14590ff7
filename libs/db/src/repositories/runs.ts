import type { Database } from '../client.js';
import type { Run } from '../generated/client.js';

export type { Run };

export interface RunUsage {
  input_tokens: number;
  output_tokens: number;
  model_calls: number;
}

/** Runs as a tenant sees them; the protocol that moves them is in run-engine. */
export class RunRepository {
  constructor(private readonly db: Database) {}

  find(tenantId: string, runId: string): Promise<Run | null> {
    return this.db.run.findFirst({ where: { id: runId, tenantId } });
  }

  /** The newest run of a session, or null. */
  latest(tenantId: string, sessionId: string): Promise<Run | null> {
    return this.db.run.findFirst({
      where: { tenantId, sessionId },
      orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
    });
  }

  async hasActive(tenantId: string, sessionId: string): Promise<boolean> {
    const count = await this.db.run.count({
      where: { tenantId, sessionId, status: { in: ['queued', 'running', 'waiting'] } },
    });
    return count > 0;
  }

  async usage(tenantId: string, runId: string): Promise<RunUsage> {
    const { _sum, _count } = await this.db.modelCall.aggregate({
      where: { tenantId, runId },
      _sum: { inputTokens: true, outputTokens: true },
      _count: true,
    });
    return {
      input_tokens: _sum.inputTokens ?? 0,
      output_tokens: _sum.outputTokens ?? 0,
      model_calls: _count,
    };
  }
}
