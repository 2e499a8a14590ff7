import { createDatabase, type Database } from '#db/client.js';
import { connectJobQueues, type ConnectedQueues } from '#testing/queues.js';
import { queueColumns } from '#testing/columns.js';
import { exampleFiles, MISSING_IMAGE } from '#testing/examples.js';
import { TEST_ADMIN_PASSWORD, TestStack } from '#testing/test-stack.js';
import { until } from '#testing/until.js';

const basic = (password: string) => `Basic ${Buffer.from(`admin:${password}`).toString('base64')}`;

for (const queue of queueColumns()) {
  describe(`bull-board on the ${queue.name} queue`, () => {
    let stack: TestStack;
    let db: Database;
    let queues: ConnectedQueues;

    beforeAll(async () => {
      stack = await TestStack.start({ queue, fewProcesses: true });
      db = createDatabase(stack.database.url, 1);
      queues = await connectJobQueues(stack.env.QUEUE_URL!, { onError: () => undefined });
    });
    afterAll(async () => {
      await queues.close();
      await db.$disconnect();
      await stack.stop();
    });

    const jobDelayed = (jobId: string) =>
      until(
        `the job ${jobId} is delayed`,
        () => queues.state('human-input', jobId),
        (state) => state === 'delayed',
      );

    it('requires the admin’s credentials on every sub-path', async () => {
      for (const path of [
        '/admin/queues',
        '/admin/queues/',
        '/admin/queues/api/queues',
        '/admin/queues/static/x.js',
        '/admin/queues/queue/scanner',
      ]) {
        expect((await fetch(stack.url + path)).status).toBe(401);
        expect((await fetch(stack.url + path, { headers: { authorization: basic('wrong') } })).status).toBe(
          401,
        );
      }
      const open = await fetch(`${stack.url}/admin/queues`, {
        headers: { authorization: basic(TEST_ADMIN_PASSWORD) },
      });
      expect(open.status).toBe(200);
      const html = await open.text();
      expect(html).toContain('<html');
      // Fonts and all other files come from the gateway.
      expect(html).not.toMatch(/(?:href|src)="(?:https?:)?\/\//);
      const api = await fetch(`${stack.url}/admin/queues/api/queues`, {
        headers: { authorization: basic(TEST_ADMIN_PASSWORD) },
      });
      expect(await api.text()).toContain('Completed jobs are removed immediately');
    });

    it('D18 shows a pause as a job state; removing the job of the question does not answer it', async () => {
      const tenant = await stack.tenant();
      const run = await tenant.startRun(await tenant.sessionWith(exampleFiles('incident')));
      const decision = await tenant.decision(run.id);
      const board = async () => {
        const response = await fetch(
          `${stack.url}/admin/queues/api/queues?activeQueue=human-input&status=delayed&jobsPerPage=10`,
          {
            headers: { authorization: basic(TEST_ADMIN_PASSWORD) },
          },
        );
        const { queues: shown } = (await response.json()) as {
          queues: { name: string; counts: Record<string, number> }[];
        };
        return Object.fromEntries(shown.map(({ name, counts }) => [name, counts]));
      };
      // The event is committed before the flow is added; the reconciler's next round is the latest moment.
      const jobId = `${decision.id}.1`;
      const { epoch } = await db.run.findUniqueOrThrow({ where: { id: run.id } });
      await jobDelayed(jobId);
      expect(await queues.state('agent-runner', `${run.id}.${epoch}`)).toBe('waiting-children');
      const counts = await board();
      expect(counts['human-input']?.delayed).toBe(1);
      expect(counts['agent-runner']?.['waiting-children']).toBe(1);

      await queues.remove('human-input', jobId);
      // The parent job continues without its child, but the run must not. The reconciler then asks again.
      await jobDelayed(`${decision.id}.2`);
      expect((await tenant.run(run.id)).status).toBe('needs_answer');
      expect((await tenant.get(`/api/decisions/${decision.id}`)).json.status).toBe('open');

      await tenant.post(`/api/decisions/${decision.id}/answer`, {
        user_decisions: { [MISSING_IMAGE]: 'skip' },
      });
      await tenant.completed(run.id);
    });
  });
}
