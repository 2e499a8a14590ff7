import { EngineBed } from '#testing/engine/engine-bed.js';
import { everyQueueColumn } from '#testing/columns.js';
import { until } from '#testing/until.js';
import { MAX_BLOCKED } from '#engine/engine.js';
import { reconcile } from '#engine/recovery/reconcile.js';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

const RUNNER = join(import.meta.dirname, '../../../dist/libs/testing/engine/blocking-runner.js');

describe.each(everyQueueColumn())(
  'X20 a run that blocks the event loop of its runner, on $name',
  (column) => {
    let bed: EngineBed;
    let tenant: string;
    /** Signals that ended the runners, in order. */
    const signals: unknown[] = [];
    /** Number of those whose leases were ended. */
    let expired = 0;
    let stop = () => Promise.resolve();

    beforeEach(async () => {
      bed = await EngineBed.open(column);
      tenant = await bed.tenant();
      signals.length = 0;
      expired = 0;
    });
    afterEach(async () => {
      await stop();
      await bed.close();
    });

    /** Starts a runner that is replaced when it ends. */
    const supervise = (blockedSeconds: number) => {
      let stopped = false;
      let end = (): void => undefined;
      const supervising = (async () => {
        while (!stopped) {
          const args = [RUNNER, bed.database.url, bed.queueUrl, String(blockedSeconds)];
          const child = spawn(process.execPath, args, { stdio: 'ignore' });
          end = () => child.kill('SIGKILL');
          const [, signal] = (await once(child, 'exit')) as [unknown, string | null];
          if (!stopped) signals.push(signal);
        }
      })();
      stop = async () => {
        stopped = true;
        end();
        await supervising;
      };
    };
    /** Waits for the end of a run; a lease that its dead runner holds does not delay it. */
    const end = (id: string) =>
      until(
        `the run ${id} has ended`,
        async () => {
          if (signals.length > expired) {
            expired = signals.length;
            await bed.db.$executeRaw`
            UPDATE runs SET lease_until = now() - interval '1 second' WHERE status = 'running'`;
          }
          await bed.age();
          await reconcile(bed.engine);
          return bed.run(id);
        },
        ({ status }) => ['completed', 'failed'].includes(status),
      );

    it('ends its runner, which is replaced, and fails the second time; a neighbour completes', async () => {
      const hostile = await bed.start(tenant, 'blocking');
      const neighbours = [await bed.start(tenant, 'calm'), await bed.start(tenant, 'calm')];
      supervise(3);
      expect(await end(hostile)).toMatchObject({ status: 'failed', error: { code: 'run_blocked' } });
      for (const id of neighbours)
        expect(await end(id)).toMatchObject({ status: 'completed', blocked: 0, error: null });
      expect(signals).toEqual(Array.from({ length: MAX_BLOCKED }, () => 'SIGKILL'));
    });

    it('X4 does not count runners that die without having been blocked', async () => {
      const killing = await bed.start(tenant, 'killing');
      supervise(3);
      const run = await end(killing);
      expect(run).toMatchObject({ status: 'failed', blocked: 0, error: { code: 'step_failed' } });
      expect(signals.length).toBeGreaterThan(MAX_BLOCKED);
    });
  },
);
