import { advanceJobSchema } from '#contracts/jobs.js';
import type { Job } from '#queue/job-queues.js';
import type { JobProcessor } from '#queue/job-worker.js';
import { processMetrics } from '#telemetry/metrics.js';
import { advance, ShutdownError } from './advance.js';
import type { Engine } from './engine.js';
import type { GraphDefinition } from './kind.js';
import { StaleEpochError } from './fence.js';

/** Does the jobs of the queue `agent-runner`: advances runs, several at a time, and can abort the ones it holds. */
export class RunProcessor implements JobProcessor {
  private readonly held = new Map<string, (reason: Error) => void>();
  private readonly shutdown = new AbortController();

  constructor(
    private readonly engine: Engine,
    private readonly graphs: ReadonlyMap<string, GraphDefinition>,
    private readonly unservedSeconds?: number,
  ) {}

  async process(job: Job, lockLost: AbortSignal): Promise<void> {
    const data = advanceJobSchema.parse(job.data);
    const signal = AbortSignal.any([lockLost, this.shutdown.signal]);
    const end = await advance(this.engine, this.graphs, data, signal, {
      ...(this.unservedSeconds === undefined ? {} : { unservedSeconds: this.unservedSeconds }),
      onClaimed: (runId, abort) => {
        this.held.set(runId, abort);
        return () => this.held.delete(runId);
      },
    });
    processMetrics.legs.inc({ end });
    this.engine.log.info({ run_id: data.run_id, epoch: data.epoch, end }, 'advanced');
  }

  /** Aborts the model call in flight of a run that was cancelled; its epoch has already risen. */
  cancel(runId: string): void {
    this.held.get(runId)?.(new StaleEpochError({ runId, epoch: -1 }));
  }

  /** Gives every held run back, so that another runner goes on with it at once. */
  onStop(): void {
    this.shutdown.abort(new ShutdownError('the runner shuts down'));
  }
}
