import type { ApiClient } from '#testing/api-client.js';
import { createDatabase, type Database } from '#db/client.js';
import { loseJobsOnPostgres } from '#testing/lose-jobs.js';
import { emptyRedis } from '#testing/redis.js';
import { atDepth } from '#testing/depth.js';
import { everyQueueColumn } from '#testing/columns.js';
import { TestStack } from '#testing/test-stack.js';
import { until } from '#testing/until.js';

const FILES = { 'people.csv': 'name,age\nAda,36\nAlan,41\n' };
const task = (id: string, tool: string, args: Record<string, unknown>) => ({
  id,
  tool,
  arguments: args,
  depends_on: [],
});
const DAG = {
  tasks: [
    task('list', 'list_inputs', {}),
    task('read', 'read_input', { name: { $from: 'list', path: '/files/0/name' } }),
    task('parse', 'parse_csv', { text: { $from: 'read', path: '/text' } }),
    task('make', 'convert_markdown', { markdown: { $from: 'read', path: '/text' }, format: 'docx' }),
  ],
};

/** The processes that die after the approval of a layer: one after each of the first two in test:system, both after each in test:deep. */
const killedIn = (layer: number): string[] =>
  atDepth({ quick: [['agent-runner'], ['tools'], []][layer]!, full: ['agent-runner', 'tools'] });

/** P10: a plan survives the death of any process; stored work is not repeated, and lessons count once. */
describe.each(everyQueueColumn())('P10 plans and crashes on the queue in $name', (queue) => {
  let stack: TestStack;
  let tenant: ApiClient;
  let db: Database;

  beforeAll(async () => {
    stack = await TestStack.start({ queue, longestPauseMs: 200 });
    tenant = await stack.tenant();
    db = createDatabase(stack.database.url, 2);
  });
  afterAll(async () => {
    await db.$disconnect();
    await stack.stop();
  });

  const start = async (config: Record<string, unknown> = {}) => {
    const session_id = await tenant.sessionWith(FILES);
    const started = await tenant.post('/api/plans', { session_id, dag: DAG, config });
    return { id: String(started.json.id), session_id };
  };

  const lessonOf = (runId: string) => db.toolLesson.findUnique({ where: { runId } });

  it.each(['tools', 'agent-runner', 'gateway'])(
    'P10 %s is killed at the start of a layer and at the end of a task: each result and export exists once',
    async (process) => {
      const { id, session_id } = await start();
      for (const type of ['layer_started', 'task_complete']) {
        await tenant.events(id, (event) => event.type === type);
        stack.kill(process);
      }
      await tenant.completed(id);
      const exports = (await tenant.get(`/api/sessions/${session_id}/exports`)).json.items as unknown[];
      expect(exports).toHaveLength(1);
      const done = await db.task.findMany({ where: { runId: id, name: 'run_tool' } });
      expect(done.map(({ status }) => status)).toEqual(['completed', 'completed', 'completed', 'completed']);
      const events = await tenant.events(id);
      expect(events.filter(({ type }) => type === 'task_complete')).toHaveLength(4);
      await until(
        'the lesson is learnt',
        () => lessonOf(id),
        (lesson) => lesson?.learntAt !== null,
      );
    },
  );

  it('P10 an approval and a command during crashes take effect once', async () => {
    const { id } = await start({ hil: { approval_required: 'always' } });
    let seq = 0;
    for (let layer = 0; layer < 3; layer++) {
      seq = (await tenant.events(id, ({ type }) => type === 'decision_required', seq)).at(-1)!.seq;
      const view = (await tenant.get(`/api/plans/${id}`)).json as {
        approval_required: { checkpoint_id: string };
      };
      const { checkpoint_id } = view.approval_required;
      if (layer === 0)
        await tenant.post(`/api/plans/${id}/commands`, { type: 'replan_dag', new_requirement: 'zzz' });
      const accepted = await tenant.post(`/api/plans/${id}/commands`, {
        type: 'approval_response',
        checkpoint_id,
        approved: true,
      });
      expect(accepted.status).toBe(202);
      for (const process of killedIn(layer)) stack.kill(process);
    }
    await tenant.completed(id);
    const view = (await tenant.get(`/api/plans/${id}`)).json as { decisions: { type: string }[] };
    expect(view.decisions.filter(({ type }) => type === 'hil')).toHaveLength(3);
    expect(view.decisions.filter(({ type }) => type === 'command')).toHaveLength(1);
  });

  it('P9 a lesson that cannot be stored is reported, retried, and counts once', async () => {
    const other = await stack.tenant('learner');
    await db.$executeRawUnsafe(
      `CREATE FUNCTION refuse_edges() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'no room'; END $$`,
    );
    await db.$executeRawUnsafe(
      'CREATE TRIGGER refuse_edges BEFORE INSERT ON tool_edges FOR EACH ROW EXECUTE FUNCTION refuse_edges()',
    );
    const session_id = await other.sessionWith(FILES);
    const started = await other.post('/api/plans', {
      session_id,
      dag: {
        tasks: [
          task('list', 'list_inputs', {}),
          task('read', 'read_input', { name: { $from: 'list', path: '/files/0/name' } }),
        ],
      },
    });
    const id = String(started.json.id);
    await other.completed(id);
    await until(
      'the lesson is tried',
      () => lessonOf(id),
      (lesson) => lesson!.attempts > 0,
    );
    await until(
      'the run says that the lesson could not be stored',
      () => db.runEvent.count({ where: { runId: id, type: 'graphrag_update_failed' } }),
      (count) => count === 1,
    );
    await db.$executeRawUnsafe('DROP TRIGGER refuse_edges ON tool_edges');
    await db.toolLesson.update({ where: { runId: id }, data: { dueAt: new Date(0) } });
    await until(
      'the lesson is learnt',
      () => lessonOf(id),
      (lesson) => lesson!.learntAt !== null,
    );
    const graph = (await other.get('/api/tools/graph')).json as { edges: { count: number }[] };
    expect(graph.edges.map(({ count }) => count)).toEqual([1]);
  });

  it('P10 loses nothing if the queue loses all jobs', async () => {
    const { id } = await start({ hil: { approval_required: 'always' } });
    await tenant.events(id, ({ type }) => type === 'decision_required');
    if (queue.name === 'redis') await emptyRedis(stack.env['QUEUE_URL']!);
    else await loseJobsOnPostgres(stack.database.url);
    const view = (await tenant.get(`/api/plans/${id}`)).json as {
      approval_required: { checkpoint_id: string };
    };
    const { checkpoint_id } = view.approval_required;
    const refused = await tenant.post(`/api/plans/${id}/commands`, {
      type: 'approval_response',
      checkpoint_id,
      approved: false,
    });
    expect(refused.status).toBe(202);
    await tenant.events(id);
    expect((await tenant.run(id)).status).toBe('rejected');
  });
});
