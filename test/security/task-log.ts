import { Prisma, type Database } from '#db/client.js';

/**
 * Maximum number of tasks of a flood that may end between the creation of a neighbour's task and its end, whatever the
 * size of the flood: the tasks that a worker has at the creation, and as many again that replace them before its job is
 * in the queue. (`WORKER_CONCURRENCY` is 4.)
 */
export const MAX_ENDED_BEFORE = 8;

/** Records in which order tasks are created, begin and end, over all tenants of a stack. */
export class TaskLog {
  private constructor(private readonly db: Database) {}

  static async open(db: Database): Promise<TaskLog> {
    await db.$executeRaw`
      CREATE TABLE spec_task_log (at BIGSERIAL, task_id TEXT NOT NULL, run_id TEXT NOT NULL, what TEXT NOT NULL)`;
    await db.$executeRaw`
      CREATE FUNCTION spec_log_task() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$ BEGIN
        INSERT INTO spec_task_log (task_id, run_id, what)
        VALUES (NEW.id, NEW.run_id, TG_ARGV[0]);
        RETURN NEW;
      END $$`;
    await db.$executeRaw`
      CREATE TRIGGER spec_task_created AFTER INSERT ON tasks FOR EACH ROW EXECUTE FUNCTION spec_log_task('created')`;
    await db.$executeRaw`
      CREATE TRIGGER spec_task_begun AFTER UPDATE ON tasks FOR EACH ROW
      WHEN (NEW.attempts > OLD.attempts) EXECUTE FUNCTION spec_log_task('begun')`;
    await db.$executeRaw`
      CREATE TRIGGER spec_task_ended AFTER UPDATE ON tasks FOR EACH ROW
      WHEN (OLD.status = 'pending' AND NEW.status <> 'pending') EXECUTE FUNCTION spec_log_task('ended')`;
    return new TaskLog(db);
  }

  /** Returns how many of the runs have a task. */
  async created(runIds: string[]): Promise<number> {
    const [row] = await this.db.$queryRaw<{ count: number }[]>`
      SELECT count(DISTINCT run_id)::int AS count FROM spec_task_log WHERE run_id = ANY(${runIds})`;
    return row!.count;
  }

  /** Returns how many attempts at tasks of the runs have begun. */
  async begun(runIds: string[]): Promise<number> {
    const [row] = await this.db.$queryRaw<{ count: number }[]>`
      SELECT count(*)::int AS count FROM spec_task_log WHERE run_id = ANY(${runIds}) AND what = 'begun'`;
    return row!.count;
  }

  /** Returns, for each task of a run, how many tasks of the other runs ended between its creation and its end. */
  waitsOf(runId: string, otherRuns: string[]): Promise<{ task: string; others: number }[]> {
    return this.db.$queryRaw(Prisma.sql`
      SELECT c.task_id AS task, (SELECT count(*)::int FROM spec_task_log o
        WHERE o.what = 'ended' AND o.run_id = ANY(${otherRuns}) AND o.at BETWEEN c.at AND e.at) AS others
      FROM spec_task_log c JOIN spec_task_log e ON e.task_id = c.task_id AND e.what = 'ended'
      WHERE c.what = 'created' AND c.run_id = ${runId}`);
  }
}
