import { cp, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { createEmptyDatabase, type TestDatabase } from '#testing/postgres.js';
import { migrate } from './migrate.js';

const MIGRATIONS = join(import.meta.dirname, '../../prisma/migrations');
/** The first migration after the release that wrote the rows below. */
const NEXT = '20261122140000';

/** `runs.summary` as that release wrote it at a pause of a run of kind document. */
const OLD_SUMMARY = {
  status: 'awaiting_human',
  current_chapter: 2,
  document_outline: [{ level: 1, title: 'One', line: 1 }],
  temp_md_path: 'tenants/t/sessions/s/manuscript/a.json',
  ledger_path: 'tenants/t/sessions/s/ledger/a.json',
  coverage: 1,
};

/** Upgrades a database of the previous release with existing runs. */
describe('X4 an upgrade of a database with runs of the previous release', () => {
  let dir: string;
  let database: TestDatabase;
  let client: pg.Client;

  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), 'scriptorium-upgrade-'));
    for (const name of await readdir(MIGRATIONS))
      if (name < NEXT || name.endsWith('.toml'))
        await cp(join(MIGRATIONS, name), join(dir, name), { recursive: true });
    database = await createEmptyDatabase();
    await migrate(database.url, dir);
    client = new pg.Client({ connectionString: database.url });
    await client.connect();
    await client.query(`INSERT INTO tenants (id, name) VALUES ('t', 'tenant')`);
    await client.query(`INSERT INTO sessions (id, tenant_id) VALUES ('s', 't'), ('s2', 't')`);
    await insertRun('run_parked', 's', 'waiting', OLD_SUMMARY);
    await insertRun('run_begun', 's2', 'running', {});
    await client.query(
      `INSERT INTO tasks (id, tenant_id, run_id, name, queue, node, checkpoint_id, interrupt_id, status, input)
       VALUES ('tsk_1', 't', 'run_parked', 'human_input', 'human-input', 'human_input', 'c', 'i', 'pending', '{}')`,
    );
    await insertDeliveries();
    await migrate(database.url, MIGRATIONS);
  });
  afterAll(async () => {
    await client.end();
    await database.drop();
    await rm(dir, { recursive: true });
  });

  const insertRun = (id: string, session: string, status: string, summary: object) =>
    client.query(
      `INSERT INTO runs (id, tenant_id, session_id, kind, status, inputs, graph_version, summary)
       VALUES ($1, 't', $2, 'document', $3, '{}', '1', $4)`,
      [id, session, status, JSON.stringify(summary)],
    );
  /** Deliveries to a webhook about a run that was parked at a task of a worker, and then at a question. */
  const insertDeliveries = () =>
    client.query(`
      INSERT INTO webhooks (id, tenant_id, url, events, secret) VALUES ('whk_1', 't', '', '{waiting,done}', '');
      INSERT INTO run_events (run_id, seq, type, data) VALUES
        ('run_parked', 1, 'run_status', '{"status":"waiting","waiting_for":[{"task":"scan_assets"}]}'),
        ('run_parked', 2, 'run_status', '{"status":"waiting","waiting_for":[{"task":"human_input"}]}'),
        ('run_parked', 3, 'decision_required', '{"decision_id":"tsk_1"}');
      INSERT INTO webhook_deliveries (webhook_id, run_id, seq, tenant_id, session_id, event, run_status, at)
        SELECT 'whk_1', run_id, seq, 't', 's', CASE type WHEN 'run_status' THEN 'waiting' ELSE type END, 'waiting', now()
        FROM run_events`);
  const resultsOf = async (runId: string) => {
    const { rows } = await client.query<{ name: string; object_key: string | null }>(
      'SELECT name, object_key FROM session_results WHERE run_id = $1 ORDER BY name',
      [runId],
    );
    return Object.fromEntries(rows.map(({ name, object_key }) => [name, object_key]));
  };
  const summaryOf = async (runId: string) =>
    (await client.query<{ summary: object }>('SELECT summary FROM runs WHERE id = $1', [runId])).rows[0]!
      .summary;

  it('converts the manuscript, the ledger and the progress of a parked run', async () => {
    const { temp_md_path: manuscript, ledger_path: ledger } = OLD_SUMMARY;
    expect(await resultsOf('run_parked')).toEqual({ ledger, manuscript });
    expect(await summaryOf('run_parked')).toMatchObject({
      phase: 'awaiting_human',
      details: { coverage: 1 },
    });
    const { rows } = await client.query(`SELECT status FROM tasks WHERE run_id = 'run_parked'`);
    expect(rows).toEqual([{ status: 'pending' }]);
  });

  it('converts what a runner of the previous release writes while both releases run', async () => {
    await client.query(`UPDATE runs SET summary = $1 WHERE id = 'run_begun'`, [JSON.stringify(OLD_SUMMARY)]);
    expect(await resultsOf('run_begun')).toMatchObject({ manuscript: OLD_SUMMARY.temp_md_path });
    const later = { ...OLD_SUMMARY, status: 'completed', temp_md_path: 'later' };
    await client.query(`UPDATE runs SET summary = summary || $1 WHERE id = 'run_begun'`, [
      JSON.stringify(later),
    ]);
    expect(await resultsOf('run_begun')).toMatchObject({ manuscript: 'later' });
    expect(await summaryOf('run_begun')).toMatchObject({
      phase: 'completed',
      details: { current_chapter: 2 },
    });
  });

  it('renames waiting to needs_answer in webhooks, and deletes deliveries about tasks of workers', async () => {
    expect((await client.query('SELECT events FROM webhooks')).rows).toEqual([
      { events: ['needs_answer', 'done'] },
    ]);
    const { rows } = await client.query('SELECT seq, event, run_status FROM webhook_deliveries ORDER BY seq');
    expect(rows).toEqual([
      { seq: 2, event: 'needs_answer', run_status: 'needs_answer' },
      { seq: 3, event: 'decision_required', run_status: 'needs_answer' },
    ]);
  });
});
