import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { runApart } from './run-apart.js';

/** Counts its calls in the first number, and ends when the second one is set. */
const WORKER = `export default (numbers) => {
  if (!numbers) return 'done';
  Atomics.add(numbers, 0, 1);
  Atomics.wait(numbers, 1, 0);
  return 'released';
};`;

/** Longer than needed on any machine, in ms. */
const limitMs = 3_600_000;

describe('runApart', () => {
  let folder: string;
  let worker: URL;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'scriptorium-apart-'));
    await writeFile(join(folder, 'worker.mjs'), WORKER);
    worker = pathToFileURL(join(folder, 'worker.mjs'));
  });
  afterAll(() => rm(folder, { recursive: true }));

  it.each(['thread', 'request_thread'] as const)(
    'X20 keeps a place in each kind of thread for other tenants (%s)',
    async (where) => {
      const numbers = new Int32Array(new SharedArrayBuffer(8));
      const slow = Array.from({ length: 20 }, () =>
        runApart(worker, numbers, { tenantId: 'slow', limitMs, where }),
      );
      await runApart(worker, null, { tenantId: 'other', limitMs, where });
      Atomics.store(numbers, 1, 1);
      Atomics.notify(numbers, 1);
      expect(new Set(await Promise.all(slow))).toEqual(new Set(['released']));
      expect(numbers[0]).toBe(20);
    },
  );
});
