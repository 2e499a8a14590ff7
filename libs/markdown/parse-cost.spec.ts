import { HARD_MARKDOWN } from '#testing/hard-markdown.js';
import type { Table } from 'mdast';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isHardToParse, isHardToRead } from './parse-cost.js';
import { parseMarkdown } from './parse.js';

const CHARACTERS = 20_000;

describe('parseMarkdown, with Markdown that is hard to parse', () => {
  it.each(Object.keys(HARD_MARKDOWN))(
    'parses %s or shows its source, and parses the text after it',
    (name) => {
      const { chapters } = parseMarkdown(`${HARD_MARKDOWN[name]!(CHARACTERS)}\n\n# Behind it\n`);
      expect(chapters.at(-1)?.children[0]).toMatchObject({
        type: 'heading',
        children: [{ value: 'Behind it' }],
      });
    },
  );

  it('shows hard Markdown as code with a note, and parses the text around it', () => {
    const hard = `${']'.repeat(999)}\n`.repeat(20);
    const { chapters } = parseMarkdown(`# One\n\n*before*\n\n${hard}\n# Two\n`);
    const nodes = chapters.flatMap(({ children }) => children);
    expect(nodes.filter(({ type }) => type === 'code')).toMatchObject([
      { value: expect.stringContaining(hard.trim()) as string },
    ]);
    expect(JSON.stringify(nodes)).toContain('is shown as written');
    expect(nodes.at(-1)).toMatchObject({ type: 'heading', children: [{ value: 'Two' }] });
  });

  it.each([400, 2_000])('parses a table of %d rows as a table, also between other blocks', (rows) => {
    const table = `| a | b | c |\n|---|---|---|\n${'| 1 | *2* | 3 |\n'.repeat(rows)}`;
    const markdown = `Before.\n\n${table}\nBehind.\n`;
    expect(isHardToRead(markdown)).toBe(false);
    const nodes = parseMarkdown(markdown).chapters.flatMap(({ children }) => children);
    expect(nodes.map(({ type }) => type)).toEqual(['paragraph', 'table', 'paragraph']);
    const found = nodes[1] as Table;
    expect(found.children).toHaveLength(rows + 1);
    expect(found.position).toMatchObject({ start: { line: 3 }, end: { line: rows + 4 } });
  });

  it('classifies no document of the installed packages as hard', () => {
    const root = join(process.cwd(), 'node_modules');
    const files = readdirSync(root).flatMap((name) =>
      ['README.md', 'CHANGELOG.md', 'HISTORY.md'].map((file) => join(root, name, file)),
    );
    const texts = files.flatMap((file) => {
      try {
        return [[file, readFileSync(file, 'utf8')] as const];
      } catch {
        return [];
      }
    });
    expect(texts.length).toBeGreaterThan(100);
    expect(texts.filter(([, text]) => isHardToParse(text)).map(([file]) => file)).toEqual([]);
  });
});
