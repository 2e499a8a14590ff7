import { processRegistry } from '#telemetry/metrics.js';
import { EngineBed } from '#testing/engine/engine-bed.js';
import { NO_ACTIVE_RUN } from './reconcile.js';
import { startReconciler } from './reconciler.js';

describe('the reconciler', () => {
  let bed: EngineBed;
  beforeAll(async () => (bed = await EngineBed.open({ name: 'postgres', queueUrl: undefined })));
  afterAll(() => bed.close());

  it('shows every repair with 0 before its first round, so that monitoring sees the first increase', async () => {
    const reconciler = startReconciler(bed.engine, bed.listener);
    const text = await processRegistry.metrics();
    await reconciler.stop();
    for (const action of Object.keys(NO_ACTIVE_RUN))
      expect(text).toContain(`scriptorium_reconciler_actions_total{action="${action}"} 0`);
  });
});
