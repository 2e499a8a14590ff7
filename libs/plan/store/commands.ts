import { ACTIVE_STATUSES } from '#db/shown-status.js';
import { Prisma, type Database } from '#db/client.js';
import { toJsonb } from '#db/jsonb.js';
import { ASYNC_COMMIT } from '#db/async-commit.js';

/** A stored command to a plan. */
export interface StoredCommand {
  id: string;
  command: unknown;
}

interface CommandRow extends StoredCommand {
  /** `bigint` or its text. */
  seq: bigint | string;
}

/** `handled_by` of a command that answers an open decision. */
const ANSWERS = 'answers/';

/** ID of the row that marks a plan as closed to commands. */
const closedId = (runId: string) => `${runId}/closed`;

const inOrder = (rows: CommandRow[]): StoredCommand[] =>
  rows.sort((a, b) => Number(a.seq) - Number(b.seq)).map(({ id, command }) => ({ id, command }));

/**
 * P4: commands from clients to running plans. A command is followed, reported as refused, or not accepted. To
 * lose none, the sender checks after adding a command whether the plan is closed, and the plan reads its
 * commands once more after closing.
 */
export class PlanCommandRepository {
  constructor(private readonly db: Database) {}

  /** @returns false if the run has ended or is about to end, or a command with this ID exists */
  async add(tenantId: string, runId: string, { id, command }: StoredCommand): Promise<boolean> {
    const added = await this.db.$executeRaw`
      /* add plan command */ INSERT INTO plan_commands (id, tenant_id, run_id, command)
      SELECT ${id}, tenant_id, id, ${toJsonb(command)}::jsonb FROM runs
      WHERE id = ${runId} AND tenant_id = ${tenantId} AND status IN (${ACTIVE_STATUSES})
      ON CONFLICT (id) DO NOTHING`;
    if (added === 0) return false;
    const refused = await this.db.$executeRaw`
      /* refuse plan command */ DELETE FROM plan_commands
      WHERE id = ${id} AND tenant_id = ${tenantId} AND handled_by IS NULL
        AND EXISTS (SELECT 1 FROM plan_commands closed WHERE closed.id = ${closedId(runId)})`;
    return refused === 0;
  }

  /** Returns the output of the newest completed task `run_tool` for a plan step, or null. */
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

  /**
   * Binds a command to the decision that it answers, so that a repeat does not answer a later one. No-op if
   * the ID exists.
   */
  async bind(
    tenantId: string,
    runId: string,
    { id, command }: StoredCommand,
    decisionId: string,
  ): Promise<void> {
    await this.db.$executeRaw`
      /* bind plan command */ INSERT INTO plan_commands (id, tenant_id, run_id, command, handled_by)
      VALUES (${id}, ${tenantId}, ${runId}, ${toJsonb(command)}::jsonb, ${ANSWERS + decisionId})
      ON CONFLICT (id) DO NOTHING`;
  }

  /**
   * Returns the command with this ID and the decision that it answers, if any; null for an unknown command.
   */
  async find(tenantId: string, runId: string, id: string): Promise<{ decisionId: string | null } | null> {
    const row = await this.db.planCommand.findFirst({ where: { id, tenantId, runId } });
    if (!row) return null;
    const isAnswer = row.handledBy?.startsWith(ANSWERS) ?? false;
    return { decisionId: isAnswer ? row.handledBy!.slice(ANSWERS.length) : null };
  }

  /** Returns the unhandled commands of a plan, in order. */
  async given(tenantId: string, runId: string): Promise<StoredCommand[]> {
    return inOrder(
      await this.db.$statement<CommandRow>(Prisma.sql`
        SELECT id, command, seq FROM plan_commands
        WHERE run_id = ${runId} AND tenant_id = ${tenantId} AND handled_by IS NULL`),
    );
  }

  /**
   * Closes a plan: it then accepts no more commands.
   *
   * @param step the step that closes it; a repeated step gets the same commands again
   * @param followed IDs of the commands that were followed
   * @returns the other commands, in order
   */
  async close(tenantId: string, runId: string, step: string, followed: string[]): Promise<StoredCommand[]> {
    // Commit asynchronously: the end of the run makes both writes durable.
    await this.db.$statement(Prisma.sql`
      /* close plan commands */ WITH handled AS (
        UPDATE plan_commands SET handled_by = 'followed' WHERE run_id = ${runId} AND tenant_id = ${tenantId} AND id = ANY(${followed})
      ), closed AS (
        INSERT INTO plan_commands (id, tenant_id, run_id, command, handled_by)
        VALUES (${closedId(runId)}, ${tenantId}, ${runId}, '{"type":"closed"}', 'closed') ON CONFLICT (id) DO NOTHING
      )
      SELECT ${ASYNC_COMMIT}`);
    return inOrder(
      await this.db.$statement<CommandRow>(Prisma.sql`
        /* take plan commands */ UPDATE plan_commands SET handled_by = ${step}
        WHERE run_id = ${runId} AND tenant_id = ${tenantId} AND (handled_by IS NULL OR handled_by = ${step})
        RETURNING id, command, seq`),
    );
  }
}
