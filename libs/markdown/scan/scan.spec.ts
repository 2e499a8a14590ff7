import { atDepth } from '#testing/depth.js';
import fc from 'fast-check';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmFromMarkdown } from 'mdast-util-gfm';
import { mathFromMarkdown } from 'mdast-util-math';
import { gfm } from 'micromark-extension-gfm';
import { math } from 'micromark-extension-math';
import { visit } from 'unist-util-visit';
import { type LineKind, scanMarkdown, splitLines } from './scan.js';

const kinds = (text: string) => scanMarkdown(splitLines(text)).lines.map((line) => line.kind);

/** Returns line by line what a full CommonMark parser recognizes: headings with their level, code, tables. */
function reference(text: string, count: number): string[] {
  const found = new Array<string>(count).fill('');
  const tree = fromMarkdown(text, {
    extensions: [gfm(), math({ singleDollarTextMath: false })],
    mdastExtensions: [gfmFromMarkdown(), mathFromMarkdown()],
  });
  visit(tree, (node) => {
    const name =
      node.type === 'heading'
        ? `heading ${node.depth}`
        : node.type === 'code' || node.type === 'table'
          ? node.type
          : null;
    if (name === null || !node.position) return;
    found.fill(name, node.position.start.line - 1, node.position.end.line);
  });
  return found;
}

const SEEN: Partial<Record<LineKind, string>> = {
  code: 'code',
  fence_open: 'code',
  fence_close: 'code',
  table: 'table',
  delimiter: 'table',
};

function scanned(text: string): string[] {
  return scanMarkdown(splitLines(text)).lines.map((line) =>
    line.level > 0 ? `heading ${line.level}` : (SEEN[line.kind] ?? ''),
  );
}

describe('scanMarkdown', () => {
  it('distinguishes fences, code, headings, tables and text', () => {
    expect(
      kinds('# A\n\ntext\nmore\n\n```js\n# no\n\n```\n\n    code\n\n    code\n\ntext\n    lazy\n\nT\n=\n'),
    ).toEqual(
      'heading blank prose prose blank fence_open code code fence_close blank code code code blank prose prose blank setext underline'.split(
        ' ',
      ),
    );
    expect(kinds('text\n| a | b |\n| - | :-: |\n| 1 | 2 |\n\n| a |\n')).toEqual(
      'prose table delimiter table blank prose'.split(' '),
    );
    expect(kinds('- a\n\n  ```\n  x\n\n  y\n  ```\n- b\n\n> ```\n> x\nend\n')).toEqual(
      'prose blank fence_open code code code fence_close prose blank fence_open code prose'.split(' '),
    );
  });

  it('classifies an empty list item as text, not as a blank line', () => {
    expect(scanMarkdown(['*', '- ', '> ']).lines.map(({ kind, marker }) => `${kind}${marker}`)).toEqual([
      'prose*',
      'prose-',
      'blank',
    ]);
  });

  it('closes a fence only at its own marker of at least the same length', () => {
    expect(kinds('````\n```\n~~~~\n````\n~~~\n```\n~~~ x\n~~~\n')).toEqual(
      'fence_open code code fence_close fence_open code code fence_close'.split(' '),
    );
  });

  it('returns the content of code without the markers of its containers', () => {
    const texts = (text: string) =>
      scanMarkdown(splitLines(text))
        .lines.filter(({ kind }) => kind === 'code')
        .map((line) => line.text);
    expect(texts('- a\n\n  ```\n    x\n  \ty\n  ```\n')).toEqual(['  x', '\ty']);
    expect(texts('  ```\n   x\n y\n  ```\n')).toEqual([' x', 'y']);
    expect(texts('> ```\n>  x\n> ```\n')).toEqual([' x']);
    expect(texts('```\n\tx \r\n```\n')).toEqual(['\tx ']);
  });

  it('returns as many lines as the text has', () => {
    fc.assert(
      fc.property(
        fc.string({
          unit: fc.constantFrom('`', '~', '#', '-', '>', ' ', '\n', '|', 'a', '1', '.', '\t', '<', '='),
        }),
        (text) => {
          expect(kinds(text)).toHaveLength(splitLines(text).length);
        },
      ),
    );
  });

  it('treats any tag alone on its line as the start of HTML up to a blank line, without fences in it', () => {
    expect(kinds('<b>\n~~~\ntext\n\n~~~\ncode\n')).toEqual(
      'prose prose prose blank fence_open code'.split(' '),
    );
    expect(kinds('text\n<b>\n~~~\ncode\n')).toEqual('prose prose fence_open code'.split(' '));
  });

  it('does not treat a footnote with an underline as a setext heading', () => {
    expect(kinds('[^1]: note\n=\n')).toEqual('prose prose'.split(' '));
    expect(kinds('words\n[^1]: note\n===\n')).toEqual('prose prose prose'.split(' '));
    expect(kinds('[1]: note\nwords\n===\n')).toEqual('setext setext underline'.split(' '));
  });

  it('finds no blocks in display math', () => {
    expect(kinds('a\n$$\n-\n\n# x\n$$\n# y\n')).toEqual(
      'prose prose prose blank prose prose heading'.split(' '),
    );
    expect(kinds('a $$ b\n---\n')).toEqual('setext underline'.split(' '));
  });

  it('equals a CommonMark parser for blocks without containers', () => {
    const line = fc.constantFrom(
      'text',
      'more text',
      '',
      '# H',
      '## H ##',
      '####### no',
      '```',
      '```js',
      '````',
      '~~~',
      '~~~ x',
      '    code',
      '  ## H',
      '---',
      '===',
      '***',
      '| a | b |',
      '| - | - |',
      '| 1 | 2 |',
      '<div>',
      '</div>',
      '<!-- x',
      '-->',
      '<b>',
      '</b>',
      '<your-token>',
      '<a href="x" y>  ',
      '<b> and more',
      '<td>',
      '<caption>',
      '<script>',
      '</style>',
      '<?x',
      '?>',
      '<![CDATA[',
      ']]>',
      '<!X',
      '$$',
      '$$ x',
      'a $$ b',
      '`inline`',
      '#no',
      '\\# no',
      '    # code',
    );
    fc.assert(
      fc.property(fc.array(line, { maxLength: 12 }), (lines) => {
        const text = `${lines.join('\n')}\n`;
        const own = scanned(text);
        const theirs = reference(text, own.length);
        lines.forEach((written, i) => {
          if (written.trim() !== '') expect([i, written, own[i]]).toEqual([i, written, theirs[i]]);
        });
      }),
      { numRuns: atDepth({ quick: 300, full: 2_000 }) },
    );
  });
});
