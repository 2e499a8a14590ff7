import { everyQueueColumn } from '#testing/columns.js';
import { atDepth } from '#testing/depth.js';
import { injectFaults } from './harness.js';
import { startOwnServers } from './servers.js';
import { summaryOf } from './summary.js';

/** Fixed, so that the next test run repeats a failure; `npm run test:faults` uses other seeds. */
const SEED = 20_260_321;
const FAULTS = atDepth({ quick: 8, full: 16 });
const LANES = 10;
/** A slow machine needs time to end the last runs. */
const TIMEOUT_MS = 480_000;

describe.each(everyQueueColumn())('X4 nothing is lost on $name', ({ name }) => {
  it(
    `with ${FAULTS} faults of seed ${SEED}: every run ends as without faults`,
    async () => {
      const servers = await startOwnServers(name);
      try {
        const options = { seed: SEED, faults: FAULTS, lanes: LANES };
        const report = await injectFaults({ ...options, servers });
        process.stdout.write(`faults on ${name}, seed ${SEED}:\n${summaryOf(report)}\n`);
        expect(report.findings).toEqual([]);
        expect(report.runs).toBeGreaterThan(0);
      } finally {
        await servers.stop();
      }
    },
    TIMEOUT_MS,
  );
});
