import { HandClock } from '#testing/hand-clock.js';
import { ExtractionError } from '#extraction/errors.js';
import { tasks } from '#catalogue/tasks.js';
import { BUSY_STRETCH } from './computing-limit.js';
import { EXTRACTION_LIMIT_MS, ExtractionPool } from './extraction-pool.js';
import { PARSING_MEMORY_MB } from '#config/memory.js';
import { ProcessPool } from './process-pool.js';
import { ProcessKilledError } from './work-pool.js';

/** Time in ms after which an extraction is aborted, whatever the load of the machine. */
const MAX_ELAPSED_MS = BUSY_STRETCH * EXTRACTION_LIMIT_MS;

const files = {
  'a.html': Buffer.from('<p>A line.</p>'),
  // No PDF, which the process finds out.
  'a.pdf': Buffer.from('A line.'),
};

describe('ExtractionPool', () => {
  const clock = new HandClock();
  const processes = new ProcessPool({ processes: 1, perTenant: 1, memoryMb: PARSING_MEMORY_MB, clock });
  const pool = new ExtractionPool(processes);
  afterAll(() => processes.close());

  /** Extracts a file whose process has not started its work when the time has passed. */
  const extractWhile = async (name: keyof typeof files, share: number, ms: number) => {
    clock.share = share;
    const extracting = pool.extractDecoded('a', { bytes: files[name], name }, new AbortController().signal);
    const outcome = extracting.then(
      ({ text }) => text.trim(),
      (error: Error) => error,
    );
    // The limit starts in a microtask, and no message of the process arrives before this code waits.
    while (clock.isIdle) await Promise.resolve();
    clock.pass(ms);
    return outcome;
  };
  const tooLong = (name: string) => new ExtractionError(`${name} takes longer than 60 s to read`);

  it('reads a file although other processes occupy the cores for longer than its limit', async () => {
    expect(await extractWhile('a.html', 0, MAX_ELAPSED_MS - 100)).toBe('A line.');
    expect(await extractWhile('a.pdf', 0, MAX_ELAPSED_MS - 100)).not.toEqual(tooLong('a.pdf'));
  });

  it('leaves the scan task enough time for the slowest file', () => {
    expect(tasks.scan_assets.timeoutMs).toBeGreaterThan(MAX_ELAPSED_MS);
  });

  it.each(['a.html', 'a.pdf'] as const)(
    'aborts %s after a minute of CPU time, and after four minutes in any case',
    async (name) => {
      expect(await extractWhile(name, 1, EXTRACTION_LIMIT_MS)).toEqual(tooLong(name));
      expect(await extractWhile(name, 0, MAX_ELAPSED_MS + 100)).toEqual(tooLong(name));
    },
  );

  it('X1 compares a file with its text, and says why if that takes too long, so that the document is still written', async () => {
    const work = { bytes: files['a.html'], name: 'a.html', extracted: { text: 'A line.', encoding: null } };
    const inventory = () => pool.inventory('a', work, new AbortController().signal);
    clock.share = 0;
    expect(await inventory()).toMatchObject({ pieces: 1, carried: 1, lost: 0 });
    clock.share = 1;
    const comparing = inventory();
    while (clock.isIdle) await Promise.resolve();
    clock.pass(EXTRACTION_LIMIT_MS);
    expect(await comparing).toMatchObject({ pieces: 0, problem: 'that takes longer than 60 s' });
  });

  it('B8 reads a file again if its process is killed from outside', async () => {
    const results = [
      () => Promise.reject(new ProcessKilledError('killed')),
      () => Promise.resolve({ text: 'A line.' }),
    ];
    const killed = { for: () => ({ run: () => results.shift()!() }) } as unknown as ProcessPool;
    const work = { bytes: files['a.html'], name: 'a.html' };
    const extracted = await new ExtractionPool(killed).extract('a', work, new AbortController().signal);
    expect(extracted).toEqual({ text: 'A line.' });
  });
});
