import { escapeInline } from './escape.js';
import { parseMarkdown } from './parse.js';

const inlines = (markdown: string): string[] => {
  const [paragraph] = parseMarkdown(markdown).chapters[0]!.children;
  if (paragraph?.type !== 'paragraph') throw new TypeError('no paragraph');
  return paragraph.children.map((node) => `${node.type} ${'value' in node ? node.value : ''}`);
};

describe('math between single dollars', () => {
  it.each([
    String.raw`\alpha`,
    'x',
    "f'",
    'n = 12',
    'O(n)',
    'x_1',
    '|x|',
    String.raw`\bar{d} = 0.31`,
    'k/n',
    '1 < 2',
  ])('reads %j as math', (tex) => {
    expect(inlines(`a $${tex}$, (b)`)).toEqual(['text a ', `inlineMath ${tex}`, 'text , (b)']);
    expect(inlines(`($${tex}$)`)).toEqual(['text (', `inlineMath ${tex}`, 'text )']);
    expect(inlines(`*a* $${tex}$`)).toHaveLength(3);
  });

  it.each([
    'between $5 and $6 (net)',
    '5$ + 6$ (net)',
    'US$5+VAT or AU$6+VAT',
    '$5/$6',
    '$HOME=$PATH',
    '$(HOME)/bin:$(PATH)',
    '${A}=${B}',
    'a $name$ and $Id$',
    '$ x = 1 $',
    String.raw`\$x_1$`,
    String.raw`$x_1\$`,
    '$x_1',
    `$${'x+'.repeat(200)}$`,
  ])('leaves %j as words', (words) => {
    expect(inlines(words)).toEqual([`text ${words.replaceAll('\\$', '$')}`]);
  });

  it('keeps dollars of escaped text as words', () => {
    const text = 'a $x_1$, $5+6$ ($f(x)$)';
    expect(inlines(escapeInline(text))).toEqual([`text ${text}`]);
  });
});
