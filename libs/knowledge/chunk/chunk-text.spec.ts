import { atDepth } from '#testing/depth.js';
import fc from 'fast-check';
import { tokensOf } from '#llm/tokens.js';
import { chunkText } from './chunk-text.js';

const words = (count: number, word = 'faithful') => Array.from({ length: count }, () => word).join(' ');
const textsOf = (text: string) => chunkText(text).map(({ start, end }) => text.slice(start, end));

/** Random documents: all kinds of Markdown, and scripts that are hard to split. */
const line = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 200 }),
  fc.constantFrom('# Title', '## Part', '- item', '1. first', '| a | b |', '| - | - |', '```ts', '```', '> quote', ''),
  fc.constantFrom('# Tytuł', 'Zażółć gęślą jaźń. ', '漢字かな交じり文。', 'مرحبا بالعالم، ', 'שלום עולם ', '👩‍👩‍👧‍👦🏳️‍🌈', 'e\u0301'),
  fc.tuple(fc.constantFrom('語', 'слово ', 'x', '👍🏽', 'ab. '), fc.integer({ min: 1, max: 1_500 })).map(([unit, times]) => unit.repeat(times)),
); // prettier-ignore
const documents = fc
  .array(line, { maxLength: 60 })
  .chain((lines) => fc.constantFrom('\n', '\r\n', '\n\n').map((feed) => lines.join(feed)));

describe('chunkText', () => {
  it('B14 cuts any document into ordered passages within the limit that omit only white space', () => {
    fc.assert(
      fc.property(documents, (text) => {
        let before = 0;
        for (const { start, end, tokens } of chunkText(text)) {
          const chunk = text.slice(start, end);
          expect(text.slice(before, start).trim()).toBe('');
          expect(chunk.trim()).not.toBe('');
          expect(tokens).toBeLessThanOrEqual(500);
          expect(tokensOf(chunk)).toBeLessThanOrEqual(500);
          // No character is torn apart that was whole.
          if (text.isWellFormed()) expect(chunk.isWellFormed()).toBe(true);
          before = end;
        }
        expect(text.slice(before).trim()).toBe('');
      }),
      { numRuns: atDepth({ quick: 100, full: 300 }) },
    );
  });

  it('B14 counts the text between two parts, too', () => {
    const text = Array.from({ length: 200 }, (_, at) => `${at} ${words(40)}`).join('\n'.repeat(120));
    for (const chunk of textsOf(text)) expect(tokensOf(chunk)).toBeLessThanOrEqual(500);
    const line = Array.from({ length: 900 }, () => 'слово').join('   ');
    for (const chunk of textsOf(line)) expect(tokensOf(chunk)).toBeLessThanOrEqual(500);
  });

  it('A9 combines paragraphs into passages of 300 to 500 tokens', () => {
    const text = Array.from({ length: 40 }, (_, at) => `${at} ${words(80)}`).join('\n\n');
    const counts = chunkText(text).map(({ tokens }) => tokens);
    expect(Math.max(...counts)).toBeLessThanOrEqual(500);
    expect(Math.min(...counts.slice(0, -1))).toBeGreaterThanOrEqual(300);
  });

  it('B14 keeps fences, rows and items whole, and a heading with the text below it', () => {
    const fence = `\`\`\`sql\n${Array.from({ length: 20 }, (_, at) => `select ${at};\n`).join('\n')}\`\`\``;
    const text = ['# One', words(330), '## Two', fence, '- item', '- other', '', '| a | b |', '| - | - |', '| 1 | 2 |'].join('\n');
    const chunks = textsOf(text);
    expect(chunks.filter((chunk) => chunk.includes('select'))).toHaveLength(1);
    expect(chunks.find((chunk) => chunk.includes('select'))).toContain(fence);
    expect(chunks[0]!.endsWith('## Two')).toBe(false);
    expect(chunks[1]!.startsWith('## Two')).toBe(true);
  }); // prettier-ignore

  it('B14 splits a fence that is too long at its lines, with their indentation', () => {
    const lines = Array.from({ length: 300 }, (_, at) => `    const value${at} = ${at};`);
    const text = ['```ts', ...lines, '```'].join('\n');
    const chunks = textsOf(text);
    expect(chunks.length).toBeGreaterThan(3);
    for (const chunk of chunks.slice(1, -1))
      expect(chunk.split('\n').every((line) => lines.includes(line))).toBe(true);
  });

  it('B14 gives each passage the headings above it', () => {
    const text = `# Book\n\n${words(400)}\n\n## Part\n\n${words(400)}\n\n### Deep\n\n${words(400)}\n\n## Next\n\n${words(400)}\n`;
    expect(chunkText(text).map(({ headingPath }) => headingPath)).toEqual([
      ['Book'],
      ['Book', 'Part'],
      ['Book', 'Part', 'Deep'],
      ['Book', 'Next'],
    ]);
  });

  it('B14 distinguishes code, tables, lists and prose', () => {
    const kinds = (text: string) => chunkText(text).map(({ kind }) => kind);
    expect(kinds('```\nx\n```')).toEqual(['code']);
    expect(kinds('| a | b |\n| - | - |\n| 1 | 2 |')).toEqual(['table']);
    expect(kinds('- a\n- b')).toEqual(['list']);
    expect(kinds('# T\n\nWords.')).toEqual(['prose']);
    expect(kinds('Words.\n\n- a')).toEqual(['mixed']);
    expect(kinds(' \n\t\n')).toEqual([]);
  });
});
