import { growthOfOperations, operationsOf } from '#testing/operations.js';
import { HARD_MARKDOWN, lineOfAddresses } from '#testing/hard-markdown.js';
import { parseMarkdown } from './parse.js';

/** Quadratic work needs four times as many operations for twice the input. */
const LINEAR = 2.5;
const CHARACTERS = 10_000;
/**
 * For this number of characters, quadratic work needs more: at least 7,400 operations per character, without the limit
 * of the parse cost.
 */
const MAX_PER_CHARACTER = 5_000;

const UNIT = `## Part\n\nSome **bold** text with \`code\`.\n\n\`\`\`log\n${'x'.repeat(400)}\n\`\`\`\n\n- a\n- b\n\n`;

describe('parseMarkdown', () => {
  it.each<[string, (size: number) => string, number]>([
    ['ordinary parts', (parts) => UNIT.repeat(parts), 100],
    ['addresses in a line', lineOfAddresses, 1_000],
    [
      'addresses in a line with markup around them, which is too hard',
      (count) => `**${lineOfAddresses(count)}**`,
      4_000,
    ],
  ])('D24 needs operations in proportion to the number of %s', async (_, make, size) => {
    expect(await growthOfOperations((count) => parseMarkdown(make(count)), size)).toBeLessThan(LINEAR);
  });

  it.each(Object.keys(HARD_MARKDOWN))(
    'parses %s in a bounded number of operations, or shows its source',
    async (name) => {
      const markdown = `${HARD_MARKDOWN[name]!(CHARACTERS)}\n\n# Behind it\n`;
      const operations = await operationsOf(() => parseMarkdown(markdown));
      expect(operations / markdown.length).toBeLessThan(MAX_PER_CHARACTER);
    },
  );
});
