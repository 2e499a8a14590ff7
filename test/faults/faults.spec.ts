import { queueColumns } from '#testing/columns.js';
import { injectFaults } from './harness.js';

/** The short form of `node dist/test/faults/main.js`: servers are shared with other specs, so they are not restarted. */
describe.each(queueColumns().slice(-1))('X4 faults on $name', (queue) => {
  it('costs nothing and doubles nothing', async () => {
    const report = await injectFaults({ seed: 20_261_122, seconds: 20, queue });
    expect(report.findings).toEqual([]);
    expect(report.runs).toBeGreaterThan(0);
    expect(Object.keys(report.faults).length).toBeGreaterThan(2);
  }, 240_000);
});
