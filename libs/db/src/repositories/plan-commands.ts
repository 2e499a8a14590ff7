import { ACTIVE_STATUSES } from '../active-statuses.js';
import { Prisma, type Database } from '../client.js';
import { toJsonb } from '../jsonb.js';
import { ASYNC_COMMIT } from '../async-commit.js';

/** A command to a plan, as it is stored. */
export interface StoredCommand {
  id: string;
  command: unknown;
}

interface CommandRow extends StoredCommand {
  /** A `bigint`, or its text. */
  seq: bigint | string;
}

/** `handled_by` of a command that answers an open decision. */
const ANSWERS = 'answers/';

/** The row that says that a plan takes no more commands. */
const closedId = (runId: string) => `${runId}/closed`;

const inOrder = (rows: CommandRow[]): StoredCommand[] =>
  rows.sort((a, b) => Number(a.seq) - Number(b.seq)).map(({ id, command }) => ({ id, command }));

/**
 * P4: what clients tell plans while they run. A command is followed, or told to be refused, or not taken at all: who gives one looks, once it is
 * there, whether the plan is closed; the plan looks for commands once more, once it is closed.
 */
export class PlanCommandRepository {
  constructor(private readonly db: Database) {}

  /** @returns false when the run has ended or is about to, or a command of this id is there already */
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

  /** Binds a command to the decision that it answers, so that a repeat answers no later one. No-op if the id exists. */
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

  /** Returns the command of this id with the decision that it answers, if any; null when the run was given no such command. */
  async find(tenantId: string, runId: string, id: string): Promise<{ decisionId: string | null } | null> {
    const row = await this.db.planCommand.findFirst({ where: { id, tenantId, runId } });
    if (!row) return null;
    const isAnswer = row.handledBy?.startsWith(ANSWERS) ?? false;
    return { decisionId: isAnswer ? row.handledBy!.slice(ANSWERS.length) : null };
  }

  /** The commands of a plan that is not closed, in their order. */
  async given(tenantId: string, runId: string): Promise<StoredCommand[]> {
    return inOrder(
      await this.db.$statement<CommandRow>(Prisma.sql`
        SELECT id, command, seq FROM plan_commands
        WHERE run_id = ${runId} AND tenant_id = ${tenantId} AND handled_by IS NULL`),
    );
  }

  /**
   * Closes a plan: from then on it takes no command.
   *
   * @param step that closes it; repeated, it gets the same commands again
   * @param followed ids of the commands that were followed
   * @returns the others, in their order
   */
  async close(tenantId: string, runId: string, step: string, followed: string[]): Promise<StoredCommand[]> {
    // The end of the run is what makes both durable.
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
