import { atDepth } from '#testing/depth.js';
import fc from 'fast-check';
import type { RootContent } from 'mdast';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { PARSE_OPTIONS, parseMarkdown } from './parse.js';
import { quickNode } from './parse.js';
import { splitBlocks } from './split.js';

const flat = (markdown: string): RootContent[] =>
  parseMarkdown(markdown).chapters.flatMap((chapter) => chapter.children);
const whole = (markdown: string): RootContent[] => fromMarkdown(markdown, PARSE_OPTIONS).children;

/** Pieces of inline markup that open, close, nest, touch and break each other. */
const TOKENS = [
  ...[
    'word',
    'Zażółć',
    'x',
    '1',
    '日本',
    '🚀',
    'snake_case',
    'C++',
    'a*b',
    '2 * 3',
    'R & D',
    'a < b',
    'a <b',
    '&amp;',
  ],
  ...[
    '*it*',
    '**bold**',
    '***both***',
    '**a *b* c**',
    '*a `b` c*',
    '**`code`**',
    '*[l](u)*',
    '*',
    '**',
    '_em_',
    '__b__',
  ],
  ...[
    '`code`',
    '`a|b`',
    '`` ` ``',
    '`',
    '` x `',
    '\\*',
    '\\`x',
    '\\\\',
    '\\_a',
    'a\\',
    '\\a',
    '!',
    '![i](p.png)',
    '![](p)',
  ],
  ...[
    '[l](http://x.y/a_b*c)',
    '[l](u "t")',
    '[**b** `c`](u)',
    '[a](b(c))',
    '[ref]',
    '[to *it*][known]',
    '[to][Known]',
    '[to][unknown]',
    '![to][known]',
    '[^1]',
    'x[^n]',
    '[^n]',
    '[^n](u)',
    '![^n]',
    '*a[^n]*',
    '[^N]:',
    '[a [^n]](u)',
    '[a][^n]',
    '[ ]',
    ']',
    '[',
    '](u)',
  ],
  ...[
    'http://a.b',
    'www.a.b',
    'me@x.y',
    'a\\@b.c',
    '$$',
    '$5',
    '~~s~~',
    '~~a `b`~~',
    '~s~',
    '~9',
    '_a b_',
    '_a *b* c_',
    '*a _b_*',
    'a_b_',
    '(_x_)',
    'https://a.bc/d-e',
    'https://a.bc/zażółć',
    'https://a.bc/日本',
    'https://a.b/c_d',
    'xhttp://a.b',
    '<b>',
    '<p>',
    '</div> ',
    '<http://x>',
    ':',
    '(*a*)',
    '"*a*"',
    '#',
  ],
];
const SEPARATORS = [' ', ' ', ' ', ' ', '', ', ', '. ', '-', '—', '(', ') '];
const inline = fc
  .array(fc.tuple(fc.constantFrom(...TOKENS), fc.constantFrom(...SEPARATORS)), { minLength: 1, maxLength: 6 })
  .map((parts) => parts.flat().join(''));
const STARTS = [
  '',
  '',
  '',
  '',
  '- ',
  '- ',
  '  - ',
  '  ',
  '1. ',
  '2. ',
  '   1. ',
  '   ',
  '* ',
  '> ',
  '> ',
  '>',
  '# ',
  '## ',
  '| ',
  '    ',
  '- [x] ',
  '- [ ] ',
  '1. [X] ',
  '[^n]: ',
  '[^m]: ',
  '[^m]:',
  '<p>',
  '<details open> ',
  '</div',
];
const line = fc.tuple(fc.constantFrom(...STARTS), inline).map((parts) => parts.join(''));
const row = fc.array(inline, { minLength: 2, maxLength: 3 }).map((cells) => `| ${cells.join(' | ')} |`);
const table = fc.tuple(row, fc.constantFrom('| - | :-: |', '|---|---|--:|'), fc.array(row, { maxLength: 3 }));

const document = fc
  .array(
    fc.oneof(
      { weight: 4, arbitrary: fc.array(line, { minLength: 1, maxLength: 5 }) },
      { weight: 1, arbitrary: table.map(([head, marks, rows]) => [head, marks, ...rows]) },
    ),
    { minLength: 1, maxLength: 3 },
  )
  .map((blocks) => [...blocks.map((block) => block.join('\n')), '[known]: u', '[^n]: note'].join('\n\n'));

describe('quickNode', () => {
  it('D24 returns the same nodes with positions as the Markdown parser, or none', () => {
    fc.assert(
      fc.property(document, (markdown) => {
        expect(flat(markdown)).toEqual(whole(markdown));
      }),
      { numRuns: atDepth({ quick: 120, full: 1_000 }) },
    );
  });

  it.each([
    'Words with **bold**, *italic*, `code`, a [link](https://example.org/a_b "t"), \\*escaped\\* and ![image](a.png).',
    '- one **two**\n- three\n  four\n  1. five\n  2. `six`\n- seven',
    '> quoted *words*\n> and more',
    '- [x] done _well_\n- [ ] see https://example.org/a, ~~not~~ this',
    '| a | **b** |\n| - | --: |\n| `c` d | |',
    '## A `heading` with **words**',
    '- one\n\n- two\n  - three\n\n\n- four\n- five',
    '- to [the **place**][one-two], \\*twice\n- [x][One-Two]\n\n[one-two]: /u',
    '| a | b\\* |\n| - | - |\n| c\\\\ | d |',
    'words[^a], *more[^B-2]*\n\n[^a]: n\n\n[^b-2]: n',
    '[^a]: a note with **words**\nand more',
    '<p align="center">\n  <b>*x*</b>  \n</p>',
    '</DIV>',
  ])('handles %j without the parser', (markdown) => {
    const [piece] = splitBlocks(markdown);
    expect(piece && quickNode(markdown, piece)).toEqual(whole(markdown)[0]);
  });
});
