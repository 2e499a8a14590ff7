import { ACTIVE_STATUSES } from '../active-statuses.js';
import type { Database } from '../client.js';
import { toJsonb } from '../jsonb.js';

/** A command to a plan, as it is stored. */
export interface StoredCommand {
  id: string;
  command: unknown;
}

/** P4: what clients tell plans while they run. */
export class PlanCommandRepository {
  constructor(private readonly db: Database) {}

  /** @returns false when the run has ended, or a command of this id is there already */
  async add(tenantId: string, runId: string, { id, command }: StoredCommand): Promise<boolean> {
    const added = await this.db.$executeRaw`
      /* add plan command */ INSERT INTO plan_commands (id, tenant_id, run_id, command)
      SELECT ${id}, tenant_id, id, ${toJsonb(command)}::jsonb FROM runs
      WHERE id = ${runId} AND tenant_id = ${tenantId} AND status IN (${ACTIVE_STATUSES})
      ON CONFLICT (id) DO NOTHING`;
    return added === 1;
  }

  /** What the newest task `run_tool` for a task of the plan gave, or null. */
  async resultOf(tenantId: string, runId: string, planTask: string): Promise<unknown> {
    const task = await this.db.task.findFirst({
      where: {
        tenantId,
        runId,
        name: 'run_tool',
        status: 'completed',
        input: { path: ['plan_task'], equals: planTask },
      },
      orderBy: { createdAt: 'desc' },
    });
    return task?.output ?? null;
  }

  /** Whether a command of this id was given to the run. */
  async has(tenantId: string, runId: string, id: string): Promise<boolean> {
    return (await this.db.planCommand.count({ where: { id, tenantId, runId } })) > 0;
  }

  /** The commands that no other step took, in their order; the same step, repeated, gets the same ones again. */
  async take(tenantId: string, runId: string, step: string): Promise<StoredCommand[]> {
    const rows = await this.db.$queryRaw<(StoredCommand & { seq: bigint })[]>`
      /* take plan commands */ UPDATE plan_commands SET handled_by = ${step}
      WHERE run_id = ${runId} AND tenant_id = ${tenantId} AND (handled_by IS NULL OR handled_by = ${step})
      RETURNING id, command, seq`;
    return rows.sort((a, b) => Number(a.seq - b.seq)).map(({ id, command }) => ({ id, command }));
  }
}
