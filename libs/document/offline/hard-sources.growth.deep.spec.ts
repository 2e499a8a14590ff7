import { HARD_MARKDOWN } from '#testing/hard-markdown.js';
import { operationsOf } from '#testing/operations.js';
import { writeOffline } from '#testing/write-offline.js';

const CHARACTERS = 10_000;
const MAX_PER_CHARACTER = 5_000;

describe('the offline writer, on sources that are hard to parse', () => {
  const cases = Object.keys(HARD_MARKDOWN).flatMap((name) => [
    [name, 'hard.md'] as const,
    [name, 'hard.txt'] as const,
  ]);
  it.each(cases)('carries %s as %s in a bounded number of operations', async (name, file) => {
    const source = Buffer.from(HARD_MARKDOWN[name]!(CHARACTERS));
    const operations = await operationsOf(() => writeOffline({ [file]: source }));
    expect(operations / source.length).toBeLessThan(MAX_PER_CHARACTER);
  });
});
