import { advanceJobSchema } from '#contracts/jobs.js';
import type { JobWorker } from '#queue/job-queues.js';
import { processMetrics } from '#telemetry/metrics.js';
import { advance, ShutdownError } from './advance.js';
import type { Engine } from './engine.js';
import type { GraphDefinition } from './kind.js';
import { StaleEpochError } from './fence.js';

/** Works the queue `agent-runner`: advances runs, several at a time, and can abort the ones it holds. */
export class RunWorker {
  private readonly worker: JobWorker;
  private readonly held = new Map<string, (reason: Error) => void>();
  private readonly shutdown = new AbortController();

  constructor(
    engine: Engine,
    graphs: ReadonlyMap<string, GraphDefinition>,
    concurrency: number,
    unservedSeconds?: number,
  ) {
    this.worker = engine.queues.work(
      'agent-runner',
      async (job, lockLost) => {
        const data = advanceJobSchema.parse(job.data);
        const signal = AbortSignal.any([lockLost, this.shutdown.signal]);
        const end = await advance(engine, graphs, data, signal, {
          ...(unservedSeconds === undefined ? {} : { unservedSeconds }),
          onClaimed: (runId, abort) => {
            this.held.set(runId, abort);
            return () => this.held.delete(runId);
          },
        });
        processMetrics.legs.inc({ end });
        engine.log.info({ run_id: data.run_id, epoch: data.epoch, end }, 'advanced');
      },
      { concurrency },
    );
  }

  /** Aborts the model call in flight of a run that was cancelled; its epoch has already risen. */
  cancel(runId: string): void {
    this.held.get(runId)?.(new StaleEpochError({ runId, epoch: -1 }));
  }

  /** Gives every held run back, so that another runner goes on with it at once, and stops. */
  async close(): Promise<void> {
    this.shutdown.abort(new ShutdownError('the runner shuts down'));
    await this.worker.close();
  }
}
