import { advanceJobSchema } from '#contracts/queues.js';
import type { Job } from '../queue/job-queues.js';
import type { JobProcessor } from '../queue/job-worker.js';
import { processMetrics } from '#telemetry/metrics.js';
import { advance, ShutdownError } from './advance.js';
import type { Engine } from '../engine.js';
import type { GraphDefinition } from '../kind.js';
import { StaleEpochError } from './fence.js';

/**
 * Processes jobs of the queue `agent-runner`: advances several runs concurrently and can abort each of them.
 */
export class RunProcessor implements JobProcessor {
  private readonly abortByRun = new Map<string, (reason: Error) => void>();
  private readonly shutdown = new AbortController();

  constructor(
    private readonly engine: Engine,
    private readonly graphs: ReadonlyMap<string, GraphDefinition>,
    private readonly unservedSeconds?: number,
    /** Called after a run has ended in this process. */
    private readonly onEnded: (runId: string) => void = () => undefined,
  ) {}

  async process(job: Job, lockLost: AbortSignal): Promise<void> {
    const data = advanceJobSchema.parse(job.data);
    const signal = AbortSignal.any([lockLost, this.shutdown.signal]);
    const end = await advance(this.engine, this.graphs, data, signal, {
      ...(this.unservedSeconds === undefined ? {} : { unservedSeconds: this.unservedSeconds }),
      onClaimed: (runId, abort) => {
        this.abortByRun.set(runId, abort);
        return () => this.abortByRun.delete(runId);
      },
    });
    processMetrics.legs.inc({ end });
    if (end === 'finished') this.onEnded(data.run_id);
    this.engine.log.info({ run_id: data.run_id, epoch: data.epoch, end }, 'advanced');
  }

  /** Aborts the model call in flight of a cancelled run; its epoch has already risen. */
  cancel(runId: string): void {
    this.abortByRun.get(runId)?.(new StaleEpochError({ runId, epoch: -1 }));
  }

  /** Releases every claimed run, so that another runner can continue it immediately. */
  onStop(): void {
    this.shutdown.abort(new ShutdownError('the runner is shutting down'));
  }
}
