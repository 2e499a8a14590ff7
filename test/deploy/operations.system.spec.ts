import { createDatabase, type Database } from '#db/client.js';
import { connectJobQueues, type ConnectedQueues } from '#testing/queues.js';
import { queueColumns } from '#testing/columns.js';
import { exampleFiles } from '#testing/examples.js';
import { TEST_ADMIN_PASSWORD, TestStack } from '#testing/test-stack.js';
import { until } from '#testing/until.js';

const METRICS_TOKEN = 'scraper-token-0123456789';
const admin = { authorization: `Basic ${Buffer.from(`admin:${TEST_ADMIN_PASSWORD}`).toString('base64')}` };
const scraper = { authorization: `Bearer ${METRICS_TOKEN}` };

/** The operator's view of a running stack. */
describe('operations', () => {
  let stack: TestStack;
  let db: Database;
  let queues: ConnectedQueues;
  let runId: string;

  const get = (path: string, headers: Record<string, string> = {}) => fetch(stack.url + path, { headers });
  const items = async (path: string) =>
    ((await (await get(`/api/admin/${path}`, admin)).json()) as { items: Record<string, unknown>[] }).items;
  const metrics = async () => (await get('/metrics', scraper)).text();
  const jobFailed = (jobId: string) =>
    until(
      `the job ${jobId} has failed`,
      () => queues.state('scanner', jobId),
      (state) => state === 'failed',
    );

  beforeAll(async () => {
    stack = await TestStack.start({ queue: queueColumns().at(-1)!, env: { METRICS_TOKEN } });
    db = createDatabase(stack.database.url, 1);
    queues = await connectJobQueues(stack.env.QUEUE_URL!, { onError: () => undefined });
    const tenant = await stack.tenant('acme');
    const run = await tenant.startRun(await tenant.sessionWith(exampleFiles('incident')));
    runId = run.id;
    await tenant.decision(runId);
  });
  afterAll(async () => {
    await queues.close();
    await db.$disconnect();
    await stack.stop();
  });

  it('shows metrics to the scraper and the admin only', async () => {
    expect((await get('/metrics')).status).toBe(401);
    expect((await get('/metrics', { authorization: 'Bearer wrong' })).status).toBe(401);
    expect((await get('/metrics', admin)).status).toBe(200);
    const response = await get('/metrics', scraper);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toContain('version=0.0.4');
  });

  it('measures queues, runs, requests and the reconciler', async () => {
    // The flow of the pause is added after its event; readings are shared for two seconds.
    const delayed = 'scriptorium_queue_jobs{queue="human-input",state="delayed"} 1';
    const text = await until('metrics with one delayed job', metrics, (shown) => shown.includes(delayed));
    expect(text).toContain('scriptorium_runs{status="needs_answer"} 1');
    expect(text).toContain('scriptorium_runs_waiting{for="person"} 1');
    expect(text).toContain('scriptorium_runs_waiting{for="worker"} 0');
    expect(text).toContain('scriptorium_runs_crashed 0');
    expect(text).toContain('scriptorium_metrics_readable{part="database"} 1');
    expect(text).toContain('scriptorium_metrics_readable{part="queue"} 1');
    expect(text).toMatch(
      /^scriptorium_http_request_seconds_count\{app="gateway",method="POST",route="\/api\/agents\/runs\/?",status="202"\} 1$/m,
    );
    // The reconciler may look at the run between its job and its claim, and count a repair.
    expect(text).toMatch(/^scriptorium_reconciler_actions_total\{action="takenOver",app="gateway"\} \d+$/m);
    expect(text).not.toContain(runId);
  });

  it('lists stuck runs, but not runs that wait for a person', async () => {
    expect((await get('/api/admin/runs/stuck')).status).toBe(401);
    expect(await items('runs/stuck')).toEqual([]);
    await db.run.update({ where: { id: runId }, data: { crashes: 3 } });
    expect(await items('runs/stuck')).toMatchObject([
      { id: runId, reason: 'crashing', crashes: 3, status: 'needs_answer', tasks: [] },
    ]);
    await db.run.update({ where: { id: runId }, data: { crashes: 0 } });
  });

  it('previews which parked runs a release would break', async () => {
    const parked = { kind: 'document', node: 'human_input', waits_for: 'person', runs: 1, run_ids: [runId] };
    const { graphVersion } = await db.run.findUniqueOrThrow({ where: { id: runId } });
    for (const graph of ['', '?graph=document', `?graph=${graphVersion}`, `?graph=document@${graphVersion}`])
      expect(await items(`parked${graph}`)).toMatchObject([
        { ...parked, graph_version: graphVersion, current_version: graphVersion, resumes: true },
      ]);
    expect(await items('parked?graph=book')).toEqual([]);
    // A run of an older release, which had a node of another name.
    await db.run.update({ where: { id: runId }, data: { graphVersion: '0' } });
    await db.task.updateMany({ where: { runId, status: 'pending' }, data: { node: 'ask_person' } });
    expect(await items('parked?graph=0')).toMatchObject([
      { ...parked, node: 'ask_person', graph_version: '0', resumes: false },
    ]);
    await db.run.update({ where: { id: runId }, data: { graphVersion } });
    await db.task.updateMany({ where: { runId, status: 'pending' }, data: { node: 'human_input' } });
  });

  it('stores an invalid job as a dead letter that can be retried, while other runs continue', async () => {
    await queues.add({ queue: 'scanner', name: 'scan_assets', jobId: 'poison.1', data: { v: 99 } });
    await jobFailed('poison.1');
    const [letter, ...others] = await items('dead-letters?queue=scanner');
    expect(letter).toMatchObject({ queue: 'scanner', job_id: 'poison.1', name: 'scan_assets', run_id: null });
    expect(others).toEqual([]);
    const retry = (job: string) =>
      fetch(`${stack.url}/api/admin/dead-letters/scanner/${job}/retry`, { method: 'POST', headers: admin });
    expect((await retry('poison.1')).status).toBe(200);
    expect((await retry('unknown')).status).toBe(404);
    const tenant = await stack.tenant('neighbour');
    const run = await tenant.startRun(await tenant.sessionWith(exampleFiles('incident')));
    await tenant.decision(run.id);
  });

  it('lists a task that kills its workers as a dead letter, and retries it on request', async () => {
    // As a task is left whose worker died each time that it was begun.
    const { tenantId, sessionId } = await db.run.findUniqueOrThrow({ where: { id: runId } });
    const task = {
      id: 'tsk_deadly',
      tenantId,
      runId,
      name: 'scan_assets',
      queue: 'scanner',
      status: 'pending',
    };
    const place = { node: 'scan_assets', checkpointId: 'none', interruptId: 'none', unfinished: 5 };
    await db.task.create({ data: { ...task, ...place, input: { session_id: sessionId, input_files: [] } } });
    const job = { v: 1, run_id: runId, task_id: task.id };
    await queues.add({ queue: 'scanner', name: 'scan_assets', jobId: 'deadly.1', data: job });
    await jobFailed('deadly.1');
    const letters = await items('dead-letters?queue=scanner');
    expect(letters.find(({ job_id }) => job_id === 'deadly.1')).toMatchObject({
      task_id: task.id,
      reason: expect.stringContaining('task_poisoned'),
    });
    const retry = () =>
      fetch(`${stack.url}/api/admin/dead-letters/scanner/deadly.1/retry`, { method: 'POST', headers: admin });
    expect((await retry()).status).toBe(200);
    await until(
      'the task is completed',
      () => db.task.findUniqueOrThrow({ where: { id: task.id } }),
      ({ status }) => status === 'completed',
    );
    expect((await retry()).status).toBe(404);
    await db.task.delete({ where: { id: task.id } });
  });

  it('returns the usage of each tenant', async () => {
    const [acme] = (await items('usage')).filter(({ name }) => name === 'acme');
    expect(acme).toMatchObject({ sessions: 1, active_runs: 1, runs: { needs_answer: 1 } });
    expect(acme!['storage_bytes']).toBeGreaterThan(10_000);
  });
});
