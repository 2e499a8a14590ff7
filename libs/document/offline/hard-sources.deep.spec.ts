import { HARD_MARKDOWN } from '#testing/hard-markdown.js';
import { writeOffline } from '#testing/write-offline.js';

/** CPU seconds: far above the time for any such source, and far below quadratic time. */
const MAX_SECONDS = 60;

describe('the offline writer, on a million characters that are hard to parse', () => {
  const cases = Object.keys(HARD_MARKDOWN).flatMap((name) => [
    [name, 'hard.md'] as const,
    [name, 'hard.txt'] as const,
  ]);
  it.each(cases)(
    'carries %s as %s in bounded time',
    async (name, file) => {
      const source = Buffer.from(HARD_MARKDOWN[name]!(1_000_000));
      const before = process.cpuUsage();
      await writeOffline({ [file]: source });
      const { user, system } = process.cpuUsage(before);
      expect((user + system) / 1e6).toBeLessThan(MAX_SECONDS);
    },
    300_000,
  );
});
