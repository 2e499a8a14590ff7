import { HARD_MARKDOWN } from '#testing/hard-markdown.js';
import { operationsOf } from '#testing/operations.js';
import { ScribeSession } from '#testing/scribe-session.js';
import { OfflineScribe } from './offline-scribe.js';

const CHARACTERS = 10_000;
const MAX_PER_CHARACTER = 5_000;

describe('OfflineScribe, on sources that are hard to parse', () => {
  const cases = Object.keys(HARD_MARKDOWN).flatMap((name) => [
    [name, 'hard.md'] as const,
    [name, 'hard.txt'] as const,
  ]);
  it.each(cases)('carries %s as %s in a bounded number of operations', async (name, file) => {
    const source = Buffer.from(HARD_MARKDOWN[name]!(CHARACTERS));
    const session = new ScribeSession(new Map([[file, source]]), { decisions: { b: 'skip' } });
    const operations = await operationsOf(() => session.run(new OfflineScribe()));
    expect(operations / source.length).toBeLessThan(MAX_PER_CHARACTER);
  });
});
