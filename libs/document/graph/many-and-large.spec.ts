import { atDepth } from '#testing/depth.js';
import { runDocument } from '#testing/graph-harness.js';
import { writer } from '#testing/two-chapters.js';
import { writeOffline } from '#testing/write-offline.js';
import { callCap } from './definition.js';

const PAGE_BYTES = 32_768;
/** Far below the calls that the files of these tests need, so the limit has to grow with them. */
const LIMITS = { maxAgentSteps: 10, readPageBytes: PAGE_BYTES };

describe('a document of many or of large files', () => {
  it('allows more than the three calls per file that 190 or 210 small files need', () => {
    for (const count of [190, 210]) expect(callCap(LIMITS, count, count * 100)).toBeGreaterThan(3 * count);
  });

  it('is written within the calls allowed for its files', async () => {
    const count = atDepth({ quick: 10, full: 60 });
    const texts = Array.from({ length: count }, (_, index) => [
      `note-${index + 1}.md`,
      `# Note ${index + 1}\n\nReading ${index * 37} was written down.\n`,
    ]);
    const inputs = Object.fromEntries(texts) as Record<string, string>;
    const bytes = texts.reduce((sum, [, text]) => sum + text!.length, 0);
    const maxAgentSteps = callCap(LIMITS, count, bytes);
    const run = await runDocument({
      inputs,
      model: writer,
      settings: { maxAgentSteps },
      pageBytes: PAGE_BYTES,
    });
    expect(run.state).toMatchObject({ status: 'completed', last_error: null });
    expect(run.state.agent_steps).toBeLessThan(maxAgentSteps);
    for (let index = 0; index < count; index++) expect(run.manuscript).toContain(`Reading ${index * 37} was`);
  }, 240_000);

  it.each([
    [1, 'md'],
    [2.5, 'txt'],
    [10, 'log'],
  ])(
    'carries a line of %f MB in a .%s file, and the surrounding lines',
    async (megabytes, ending) => {
      const line = 'ab1 '.repeat((megabytes * 1024 ** 2) / 4).trim();
      const source = `first\n${line}\nlast\n`;
      const { manuscript } = await writeOffline({ [`long.${ending}`]: source });
      expect(manuscript.split('\n').some((written) => written.endsWith(line))).toBe(true);
      for (const word of ['first', 'last']) expect(manuscript).toContain(word);
    },
    240_000,
  );
});
