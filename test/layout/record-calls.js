/**
 * Loaded with `node --import` into each process of a stack. On SIGUSR2, writes which functions were called since the last signal to
 * `<RECORDED_CALLS>/<pid>-<number of the signal>.json`: for each script, its URL and the names and starts of the functions.
 */
import { renameSync, writeFileSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import { join } from 'node:path';
import { isMainThread } from 'node:worker_threads';

const folder = process.env['RECORDED_CALLS'];
if (isMainThread && folder !== undefined) {
  const session = new Session();
  session.connect();
  void session.post('Profiler.enable');
  void session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  let signals = 0;
  process.on('SIGUSR2', () => {
    const path = join(folder, `${process.pid}-${++signals}.json`);
    void session.post('Profiler.takePreciseCoverage').then(({ result }) => {
      const called = result.map(({ url, functions }) => ({
        url,
        functions: functions
          .filter(({ functionName, ranges }) => functionName !== '' && ranges[0].count > 0)
          .map(({ functionName, ranges }) => ({ name: functionName, start: ranges[0].startOffset })),
      }));
      writeFileSync(`${path}.part`, JSON.stringify(called));
      renameSync(`${path}.part`, path);
    });
  });
}
