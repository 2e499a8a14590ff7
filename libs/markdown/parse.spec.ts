import { atDepth } from '#testing/depth.js';
import { lineOfAddresses } from '#testing/hard-markdown.js';
import fc from 'fast-check';
import type { RootContent } from 'mdast';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { PARSE_OPTIONS, parseMarkdown } from './parse.js';

const flat = (markdown: string): RootContent[] =>
  parseMarkdown(markdown).chapters.flatMap((chapter) => chapter.children);
const whole = (markdown: string): RootContent[] => fromMarkdown(markdown, PARSE_OPTIONS).children;

/** Nodes with the places where they start. (Where an unclosed fence in a list ends is anyone's guess.) */
const started = (nodes: RootContent[]): unknown =>
  JSON.parse(JSON.stringify(nodes, (key, value: unknown) => (key === 'end' ? undefined : value)));

/** Lines that open, continue, interrupt and close every construct, at the indents that matter. */
const line = fc
  .tuple(
    fc.constantFrom('', '', '', ' ', '  ', '   ', '    ', '\t'),
    fc.constantFrom(
      ...[
        '',
        '',
        '',
        'words',
        'more words here',
        'snake_case and C++',
        '# title',
        '## part',
        '- item',
        '* star',
        '-',
        '1. one',
        '2. two',
      ],
      ...[
        '10) ten',
        '```',
        '```js',
        '```js meta here',
        '````',
        '~~~',
        '$$',
        '$$x$$',
        '> quote',
        '> - deep',
        '<div>',
        '</div>',
        '<b>',
        '<!-- c',
      ],
      ...[
        '-->',
        '<!-- x -->',
        '<script>',
        '</script>',
        '| a | b |',
        '|---|:-:|',
        '[x]: /url',
        '[^1]: note',
        'see [x] and [^1]',
        '---',
        '===',
      ],
      ...[
        '**bold** `code`',
        '[ ] no',
        '- [x] done',
        'http://a.example',
        'end  ',
        'a\\',
        '&amp;',
        '<?php',
        '- ```',
        '1.  ```',
        '- - a',
      ],
    ),
  )
  .map(([indent, text]) => indent + text);

describe('parseMarkdown', () => {
  it('D24 returns the same tree with positions as parsing the whole document at once', () => {
    fc.assert(
      fc.property(fc.array(line, { maxLength: 24 }), (lines) => {
        const markdown = lines.join('\n');
        expect(started(flat(markdown))).toEqual(started(whole(markdown)));
      }),
      { numRuns: atDepth({ quick: 200, full: 2_500 }) },
    );
  });

  it('parses front matter as properties and preserves line numbers', () => {
    const { frontMatter, chapters } = parseMarkdown(
      '---\ntitle: A b\ntags: [x]\n---\n\n# One\n\ntext\n\n# Two\n',
    );
    expect(frontMatter).toEqual({ title: 'A b', tags: ['x'] });
    expect(chapters.map((chapter) => chapter.position?.start.line)).toEqual([6, 10]);
  });

  it('X4 treats front matter that is nested too deeply for its parser as text', () => {
    for (const nested of ['- '.repeat(30_000), `a: ${'['.repeat(30_000)}`]) {
      const { frontMatter, chapters } = parseMarkdown(`---\n${nested}\n---\n`);
      expect(frontMatter).toEqual({});
      expect(chapters).toHaveLength(1);
    }
  });

  it('parses a thematic break at the start as such, not as front matter', () => {
    const { frontMatter, chapters } = parseMarkdown('---\n\nwords\n\n---\n');
    expect(frontMatter).toEqual({});
    expect(chapters[0]?.children.map((node) => node.type)).toEqual([
      'thematicBreak',
      'paragraph',
      'thematicBreak',
    ]);
  });

  it('resolves references to definitions in any chapter', () => {
    const nodes = flat('# A\n\nsee [x][] and [^n]\n\n```\ncode\n```\n\n# B\n\n[x]: /u\n[^n]: note\n');
    expect(nodes[1]).toMatchObject({
      children: [
        { value: 'see ' },
        { type: 'linkReference' },
        { value: ' and ' },
        { type: 'footnoteReference' },
      ],
    });
  });

  it('D24 parses a long table as one table, with its positions', () => {
    const rows = Array.from({ length: 250 }, (_, i) => `| **cell** ${i} ${'word '.repeat(20)} | [x] |`);
    const markdown = ['before', '', '| a | b |', '|---|--:|', ...rows, '', 'after', '', '[x]: /url'].join(
      '\n',
    );
    expect(flat(markdown)).toEqual(whole(markdown));
  });

  it('D24 parses a long line of addresses as one paragraph, with its positions', () => {
    const markdown = `before\n\n${lineOfAddresses(500)}  \n\n# after\n`;
    expect(flat(markdown)).toEqual(whole(markdown));
  });

  it('parses single dollars as text', () => {
    expect(flat('pay $5 or $http')).toMatchObject([
      { children: [{ type: 'text', value: 'pay $5 or $http' }] },
    ]);
  });
});
