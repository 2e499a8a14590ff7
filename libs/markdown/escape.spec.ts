import type { Nodes } from 'mdast';
import { atDepth } from '#testing/depth.js';
import fc from 'fast-check';
import { escapeInline, escapeText } from './escape.js';
import { parseMarkdown } from './parse.js';

/** The words that markdown shows: paragraphs with a blank line between; null when anything but words is there. */
function shown(markdown: string): string | null {
  const paragraphs = parseMarkdown(markdown).chapters.flatMap(({ children }) => children);
  if (paragraphs.some(({ type }) => type !== 'paragraph')) return null;
  const texts = paragraphs.map(textOf);
  return texts.includes(null) ? null : texts.join('\n\n');
}

function textOf(node: Nodes): string | null {
  if (node.type === 'text') return node.value;
  if (node.type !== 'paragraph' && node.type !== 'link') return null;
  const parts = node.children.map(textOf);
  return parts.includes(null) ? null : parts.join('');
}

const MARKS = [
  ...'\\`*_{}[]()<>#+-.!|~$&:;="\'^/@1a ',
  ...[
    '\n',
    '\n\n',
    '---',
    '```',
    '~~~',
    '$$',
    '<b>',
    '</b>',
    '<!--',
    '-->',
    '<your-token>',
    '<?',
    '<![CDATA[',
  ],
  ...[
    'http://',
    'https://a.b/',
    'www.',
    'a@b.pl',
    '&amp;',
    '&#35;',
    '![a](b)',
    '[^1]',
    '[a]: b',
    '- [ ] ',
    '1. ',
    '# ',
  ],
  ...['| a | b |', '| --- | --- |', 'mailto:', 'word', 'zażółć', '漢字', '\t', '==='],
];
const lines = fc.array(fc.constantFrom(...MARKS), { maxLength: 24 }).map((parts) => parts.join(''));
const tidy = (text: string) =>
  text
    .split('\n')
    .map((line) => line.replace(/^[ \t]+|[ \t]+$/g, ''))
    .join('\n')
    .replace(/^\n+|\n+$/g, '')
    .replace(/\n{2,}/g, '\n\n');

describe('escapeText', () => {
  it('X1 returns Markdown that renders as exactly the given text', () => {
    fc.assert(
      fc.property(lines, (text) => {
        expect(shown(escapeText(text))).toBe(tidy(text));
      }),
      { numRuns: atDepth({ quick: 400, full: 3_000 }), examples: [['\\\t\n\\']] },
    );
  });

  it('X1 returns Markdown that renders as the text also in a heading', () => {
    fc.assert(
      fc.property(lines, (text) => {
        const words = text.replace(/\s+/g, ' ').trim();
        fc.pre(words !== '');
        const [heading] = parseMarkdown(`## ${escapeInline(words)}\n`).chapters.flatMap(
          ({ children }) => children,
        );
        expect(heading?.type).toBe('heading');
        expect('children' in heading! ? heading.children.map((child) => textOf(child)).join('') : null).toBe(
          words,
        );
      }),
      { numRuns: atDepth({ quick: 300, full: 2_000 }) },
    );
  });

  it('escapes only characters with a meaning in Markdown', () => {
    const text = 'snake_case, C:\\Users, a < b, R&D, 5 $, see http://a.b/x_y (really!) #1 1.5 -x +y = z | w';
    expect(escapeText(text)).toBe(text);
    expect(escapeText('# no heading\n1. no item\n> no quote')).toBe(
      '\\# no heading\n1\\. no item\n\\> no quote',
    );
  });
});
