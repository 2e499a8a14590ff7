import { buildStructure } from './build.js';
import type { Block, Inline } from '#contracts/structure.js';
import { structureSchema } from '#contracts/structure.js';
import { plainText } from './text.js';

const blocks = (markdown: string): Block[] => buildStructure(markdown).blocks;
const words = (block: Block | undefined): string =>
  block && 'content' in block ? plainText(block.content) : '';
const inlines = (markdown: string): Inline[] => {
  const [first] = blocks(markdown);
  return first && 'content' in first ? first.content : [];
};

describe('buildStructure', () => {
  it('D24 returns data that matches its schema, with places in the source', () => {
    const structure = buildStructure('---\ntitle: T\n---\n\n# One\n\ntext\n\n```js\na\n```\n');
    expect(structureSchema.parse(JSON.parse(JSON.stringify(structure)))).toEqual(structure);
    expect(structure.headings).toEqual([{ id: 'one', level: 1, text: 'One', line: 5 }]);
    expect(structure.blocks.map((block) => [block.line, block.end_line])).toEqual([
      [5, 5],
      [7, 7],
      [9, 11],
    ]);
  });

  it('rejects an unknown version', () => {
    expect(structureSchema.safeParse({ ...buildStructure('x'), version: 2 }).success).toBe(false);
  });

  it('X1 preserves code character by character, with any line ends', () => {
    const code = '\tindented  \n\n  trailing   \t\n';
    for (const end of ['\n', '\r\n', '\r']) {
      const markdown = `\`\`\`\n${code}\n\`\`\`\n`.replaceAll('\n', end);
      expect(blocks(markdown)).toMatchObject([{ type: 'code', text: code }]);
    }
  });

  it('gives headings the IDs that GitHub gives them, each unique', () => {
    const { headings } = buildStructure('# Zażółć & `code`!\n\n# A\n\n# A\n\n# A-1\n');
    expect(headings.map((heading) => heading.id)).toEqual(['zażółć--code', 'a', 'a-1', 'a-1-1']);
  });

  it('resolves internal links to headings, anchors and captions, and leaves others unchanged', () => {
    const links = inlines(
      '[a](#Part-One) [b](#here) [c](#none) [d](#figure-1) [e](other.md#x)\n\n## Part One\n\n<a id="here"></a>\n\n![x](y.png "Z")\n',
    );
    const anchors = links.flatMap((inline) => (inline.type === 'link' ? [inline.anchor] : []));
    expect(anchors).toEqual(['part-one', 'here', null, 'figure-1', null]);
  });

  it('numbers notes by first reference, keeps one copy, and keeps unreferenced ones', () => {
    const structure = buildStructure('a[^b] b[^a] c[^b]\n\n[^a]: note a\n[^b]: note b\n[^c]: lonely\n');
    expect(structure.notes.map(({ id, number }) => [id, number])).toEqual([
      ['b', 1],
      ['a', 2],
    ]);
    expect(words(structure.blocks.at(-1))).toBe('[c] lonely');
  });

  it('X15 separates the numbers of adjacent notes by a raised comma', () => {
    expect(inlines('Lit.[^a][^b] Then[^c].\n\n[^a]: A\n\n[^b]: B\n\n[^c]: C')).toEqual([
      { type: 'text', value: 'Lit.' },
      { type: 'note_ref', id: 'a' },
      { type: 'text', value: ', ', marks: ['superscript'] },
      { type: 'note_ref', id: 'b' },
      { type: 'text', value: ' Then' },
      { type: 'note_ref', id: 'c' },
      { type: 'text', value: '.' },
    ]);
  });

  it('recognizes callouts, task states and the first number of a list', () => {
    expect(blocks('> [!TIP]\n> Use it.\n')).toMatchObject([
      { type: 'callout', kind: 'tip', blocks: [{ type: 'paragraph' }] },
    ]);
    expect(blocks('- [x] a\n- [ ] b\n- c\n')).toMatchObject([
      { items: [{ checked: true }, { checked: false }, { checked: null }] },
    ]);
    expect(blocks('0. zero\n1. one\n')).toMatchObject([{ type: 'list', ordered: true, start: 0 }]);
  });

  it.each([
    ['Set <your-token> and <API_KEY> here', 'Set <your-token> and <API_KEY> here'],
    [
      'A List<String>, a Promise<Object> and a Vec<A> end here',
      'A List<String>, a Promise<Object> and a Vec<A> end here',
    ],
    ['<your-token>\nmore', '<your-token> more'],
    ['<div>\nPut <host> or List<A> in\n</div>', 'Put <host> or List<A> in'],
    ['**bold <name>** and <?php x ?> <![CDATA[y]]>', 'bold <name> and <?php x ?> <![CDATA[y]]>'],
    ['H<sub>2</sub>O <b>x</b><br>y <!-- gone --><a name="z">z', 'H2O x y z'],
  ])('X1 shows tags that are not HTML as written: %s', (markdown, shown) => {
    expect(words(blocks(markdown)[0])).toBe(shown);
  });

  it('keeps the text of HTML, without scripts, styles and comments', () => {
    const html =
      '<div align="center"><h2>Head</h2>\n<p>One <b>two</b><br>three</p><script>alert(1)</script><style>p{}</style><!-- no -->\n' +
      '<ul><li>item</li></ul><table><tr><th>h</th></tr><tr><td>c</td></tr></table><pre>a\n  b</pre></div>\n';
    const result = blocks(html);
    expect(result.map((block) => block.type)).toEqual(['heading', 'paragraph', 'list', 'table', 'code']);
    expect(words(result[1])).toBe('One two three');
    expect(JSON.stringify(result)).not.toMatch(/alert|p\{\}|no /);
    expect(result[4]).toMatchObject({ text: 'a\n  b' });
  });

  it('reads tags inside a paragraph: marks, breaks, images, links, but no scripts', () => {
    expect(
      inlines(
        'H<sub>2</sub>O <kbd>Ctrl</kbd><br>x <script>evil()</script><a href="https://e.org">l</a> <img src="i.png" width="40" alt="I">',
      ),
    ).toEqual([
      { type: 'text', value: 'H' },
      { type: 'text', value: '2', marks: ['subscript'] },
      { type: 'text', value: 'O ' },
      { type: 'text', value: 'Ctrl', marks: ['code'] },
      { type: 'break' },
      { type: 'text', value: 'x ' },
      {
        type: 'link',
        url: 'https://e.org',
        anchor: null,
        title: null,
        content: [{ type: 'text', value: 'l' }],
      },
      { type: 'text', value: ' ' },
      { type: 'image', ref: 'i.png', alt: 'I', title: null, width: 40, height: null },
    ]);
  });

  it('recognizes math only between double dollars', () => {
    expect(inlines('costs $5 and $$x^2$$ here')).toMatchObject([
      { value: 'costs $5 and ' },
      { type: 'math', tex: 'x^2' },
      { value: ' here' },
    ]);
    expect(blocks('$$\n\\alpha\n$$\n')).toMatchObject([{ type: 'math', tex: '\\alpha' }]);
  });

  it('recognizes captions of figures and tables', () => {
    expect(blocks('| a |\n|---|\n| b |\n\nTable: Some *numbers*\n\n![alt words](p.png)\n')).toMatchObject([
      { type: 'table', id: 'table-1', number: 1, caption: [{ value: 'Some ' }, { value: 'numbers' }] },
      { type: 'figure', id: 'figure-1', caption: 'alt words', image: { ref: 'p.png' } },
    ]);
  });

  it('uses given sizes of images, and keeps their aspect ratio', () => {
    const structure = buildStructure('a ![x](a.png) <img src="a.png" width="50">', {
      images: { 'a.png': { width: 200, height: 100 } },
    });
    const images = (structure.blocks[0] as Extract<Block, { type: 'paragraph' }>).content.filter(
      (inline) => inline.type === 'image',
    );
    expect(images).toMatchObject([
      { width: 200, height: 100 },
      { width: 50, height: 25 },
    ]);
  });
});
