import { newId } from '#contracts/ids.js';
import type { Database } from '#db/client.js';
import { announce, EVENTS_CHANNEL } from '#engine/runs/event-log.js';

export { EVENTS_CHANNEL };

/** A run to which a test appends events. */
export class RunLog {
  private constructor(
    private readonly db: Database,
    readonly runId: string,
    readonly tenantId: string,
  ) {}

  static async create(db: Database, tenantId = newId('ten')): Promise<RunLog> {
    const [runId, sessionId] = [newId('run'), newId('ses')];
    if (!(await db.tenant.findFirst({ where: { id: tenantId } })))
      await db.tenant.create({ data: { id: tenantId, name: 'test' } });
    await db.session.create({ data: { id: sessionId, tenantId } });
    const row = {
      id: runId,
      tenantId,
      sessionId,
      kind: 'document',
      status: 'running',
      inputs: {},
      graphVersion: '1',
    };
    await db.run.create({ data: row });
    return new RunLog(db, runId, tenantId);
  }

  /**
   * Appends events in one statement and sends a notification.
   *
   * @param data of each event
   * @param quietly true simulates a lost notification
   */
  async append(count: number, data: object = {}, type = 'token', quietly = false): Promise<void> {
    await this.db.$executeRaw`
      WITH run_row AS (UPDATE runs SET event_seq = event_seq + ${count} WHERE id = ${this.runId} RETURNING event_seq)
      INSERT INTO run_events (run_id, seq, type, data)
      SELECT ${this.runId}, event_seq - ${count} + n, ${type}, ${JSON.stringify(data)}::jsonb
      FROM run_row, generate_series(1, ${count}::int) n`;
    if (!quietly) announce(this.db, this.runId);
  }

  /** Appends the last event. */
  end(): Promise<void> {
    return this.append(1, {}, 'done');
  }
}
