import { unzipSync } from 'fflate';
import sharp from 'sharp';
import { buildStructure } from '../../structure/build.js';
import { checkDocx, visibleLines } from '../check/check.js';
import { readDocx } from '../read/read.js';
import { writeDocx, type AssetResolver, type DocxOptions, type MissingReason } from './write.js';

const plain = (width: number, height: number): Promise<Buffer> =>
  sharp({ create: { width, height, channels: 3, background: '#369' } })
    .png()
    .toBuffer();
const SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="90" height="30"><script>alert(1)</script></svg>';
const files: Record<string, () => Promise<Uint8Array | MissingReason>> = {
  'full.png': () => plain(900, 1300),
  'drawing.svg': () => Promise.resolve(Buffer.from(SVG)),
  'broken.png': () => Promise.resolve(Buffer.from('no image')),
  'far.png': () => Promise.resolve('outside'),
};
const assets: AssetResolver = async (ref) => (await files[ref]?.()) ?? null;

async function convert(markdown: string, options: DocxOptions = {}) {
  const structure = buildStructure(markdown);
  const missing: [string, MissingReason][] = [];
  const bytes = await writeDocx(structure, assets, options, (ref, reason) => missing.push([ref, reason]));
  expect(checkDocx(structure, bytes)).toEqual([]);
  const parts = unzipSync(bytes);
  const xml = Buffer.from(parts['word/document.xml'] ?? []).toString('utf8');
  return { content: readDocx(bytes), xml, names: Object.keys(parts), missing };
}

describe('writeDocx, for faults found in documents outside its test set', () => {
  it.each([
    ['Figure 1: The flow', ['Figure 1: The flow']],
    ['Fig. 7 – The flow', ['Fig. 7 – The flow']],
    ['The flow', ['Figure 1: The flow']],
    ['Figures of speech', ['Figure 1: Figures of speech']],
  ])('D24 shows one label over "%s"', async (caption, shown) => {
    const { content } = await convert(`![${caption}](full.png)\n`);
    expect(visibleLines(content).filter(Boolean)).toEqual(shown);
  });

  it('D24 continues the numbers after a caption with its own label, which the text may reference', async () => {
    const { xml } = await convert('![Figure 1: a](full.png)\n\n![b](full.png)\n\n![c](full.png)\n');
    expect([...xml.matchAll(/ SEQ Figure [^<]*/g)].map(([code]) => code)).toEqual([
      ' SEQ Figure \\* ARABIC ',
      ' SEQ Figure \\* ARABIC ',
      ' SEQ Figure \\* ARABIC ',
    ]);
    const { xml: later } = await convert('![Fig. 7 – a](full.png)\n\n![b](full.png)\n');
    expect([...later.matchAll(/ SEQ Figure [^<]*/g)].map(([code]) => code)).toEqual([
      ' SEQ Figure \\* ARABIC \\r 7 ',
      ' SEQ Figure \\* ARABIC \\r 2 ',
    ]);
  });

  it('D24 gives a plain item among tasks a bullet', async () => {
    const { xml } = await convert('- [ ] a\n- b\n- [x] c\n');
    expect([...xml.matchAll(/<w:numId w:val="(\d)"/g)].map(([, id]) => id)).toEqual(['2', '1', '2']);
  });

  it('D24 reads a line break inside a code span as a space', async () => {
    const { xml, content } = await convert('a `code\nspan` b\n');
    expect(visibleLines(content)).toEqual(['a code span b']);
    expect(xml).not.toContain('<w:br/>');
  });

  it('D24 derives a missing title from the first heading, otherwise from the file name', async () => {
    expect((await convert('## Two\n\n### Three\n')).content.properties.title).toBe('Two');
    expect((await convert('words\n', { untitled: 'notes' })).content.properties.title).toBe('notes');
  });

  it('D24 marks nested numbered lists with letters, and keeps parentheses after numbers', async () => {
    const { content } = await convert('1. a\n   1. b\n      1. c\n- x\n  1. d\n\n---\n\n3) e\n4) f\n');
    expect(visibleLines(content).filter((line) => /[ef]$/.test(line))).toEqual(['3) e', '4) f']);
    const { xml } = await convert('1. a\n   1. b\n      1. c\n');
    const ids = [...xml.matchAll(/<w:numId w:val="(\d+)"/g)].map(([, id]) => Number(id));
    expect(new Set(ids).size).toBe(3);
  });

  it.each(['> quote', '| a |\n|---|\n| b |', '> [!NOTE]\n> b'])(
    'D24 leaves space between a list and %j',
    async (block) => {
      const { xml } = await convert(`- a\n\n${block}\n`);
      const behind = xml.slice(xml.indexOf('>a</w:t>'));
      // Space within a cell would move its text below that of the other cells.
      expect(behind.split('<w:tbl>')[0]).toContain('<w:spacing w:before="140"/>');
      expect(behind.split('<w:tbl>')[1] ?? '').not.toContain('w:before="140"');
    },
  );

  it('D24 leaves space for the heading of a picture that fills the page', async () => {
    const height = async (markdown: string) =>
      Number(/<wp:extent cx="\d+" cy="(\d+)"/.exec((await convert(markdown)).xml)?.[1]) / 635;
    const alone = await height('words\n\n![a](full.png)\n');
    expect(alone - (await height('# A\n\n![a](full.png)\n'))).toBeGreaterThanOrEqual(1_000);
    expect(alone - (await height('# A\n\n## B\n\n![](full.png)\n'))).toBeGreaterThanOrEqual(2_000);
  });

  it('D24 names an omitted image in readable form, with the reason', async () => {
    const { content, missing } = await convert(
      '# A ![gone](x/miss%20ing.png)\n\n![](broken.png) ![](far.png) ![](https://e.org/%C4%85.png)\n',
    );
    const shown = content.blocks.flatMap((block) => ('images' in block ? block.images : []));
    expect(shown.map(({ alt }) => alt)).toEqual([
      '[Missing image: gone – miss ing.png]',
      '[Image left out: broken.png (damaged, or not an image)]',
      '[Image left out: far.png (outside the folder of the document)]',
      '[Missing image: ą.png]',
    ]);
    expect(missing.map(([, reason]) => reason).sort()).toEqual([
      'not_found',
      'not_found',
      'outside',
      'unreadable',
    ]);
  });

  it('rasterises drawings: no file of the package is an SVG', async () => {
    const { names, xml } = await convert('![a](drawing.svg)\n');
    expect(names.filter((name) => name.startsWith('word/media/'))).toEqual(['word/media/asset1.png']);
    expect(xml).not.toContain('svg');
  });

  it.each([16, 40, 300])(
    'D24 X1 keeps a table of %d columns on the page, with every cell',
    async (columns) => {
      const row = (cell: (column: number) => string): string =>
        `|${Array.from({ length: columns }, (_, i) => cell(i)).join('|')}|\n`;
      const markdown = row((i) => `**h${i}**`) + row(() => '-') + row((i) => `[r${i}](https://e.org/${i})`);
      const { content, xml } = await convert(markdown);
      const tables = [...xml.matchAll(/<w:tblGrid>(.*?)<\/w:tblGrid>/g)].map(([, grid = '']) =>
        [...grid.matchAll(/w:w="(\d+)"/g)].map(([, width]) => Number(width)),
      );
      for (const widths of tables) {
        expect(widths.reduce((sum, width) => sum + width, 0)).toBeLessThanOrEqual(9026);
        expect(Math.min(...widths)).toBeGreaterThan(350);
      }
      expect(tables).toHaveLength(columns > 16 ? Math.ceil((columns - 1) / 9) : 1);
      const [table] = content.blocks.filter((block) => block.type === 'table');
      expect(table?.rows[1]).toEqual(Array.from({ length: columns }, (_, i) => `r${i}`));
    },
  );
});
