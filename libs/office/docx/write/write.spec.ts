import { unzipSync } from 'fflate';
import sharp from 'sharp';
import { buildStructure } from '../../structure/build.js';
import { checkDocx } from '../check/check.js';
import { readDocx, type DocxContent, type DocxImage } from '../read/read.js';
import { writeDocx, type AssetResolver, type DocxOptions } from './write.js';

const files: Record<string, () => Promise<Uint8Array>> = {
  'tall.png': () => plain(200, 4000).png().toBuffer(),
  'wide.jpg': () => plain(3000, 300).jpeg().toBuffer(),
  'turned.jpg': () => plain(300, 100).withMetadata({ orientation: 6 }).jpeg().toBuffer(),
  'photo.webp': () => plain(80, 40).webp().toBuffer(),
  'drawing.svg': async () =>
    Buffer.from(
      '<svg xmlns="http://www.w3.org/2000/svg" width="90" height="30"><rect width="9" height="9"/></svg>',
    ),
  'broken.png': async () => Buffer.from('no image'),
};
const plain = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#369' } });
const assets: AssetResolver = async (ref) => (await files[ref]?.()) ?? null;

async function convert(
  markdown: string,
  options: DocxOptions = {},
): Promise<{ content: DocxContent; bytes: Uint8Array; xml: string }> {
  const structure = buildStructure(markdown);
  const bytes = await writeDocx(structure, assets, options);
  expect(checkDocx(structure, bytes)).toEqual([]);
  const xml = Buffer.from(unzipSync(bytes)['word/document.xml'] ?? []).toString('utf8');
  return { content: readDocx(bytes), bytes, xml };
}

describe('writeDocx', () => {
  it('D24 preserves code byte by byte: tabs, trailing blanks, blank lines', async () => {
    const code = 'a\tb  \n\n\n\tc   \t\n  <&>"\']]>';
    const { content } = await convert(`\`\`\`sh\n${code}\n\`\`\`\n`);
    expect(content.blocks).toEqual([{ type: 'code', text: code }]);
  });

  it('replaces characters that XML does not allow with visible ones', async () => {
    const { content } = await convert('```\n\u001b[31mred\u0007 \ud800 \ufffe\n```\n');
    expect(content.blocks).toEqual([{ type: 'code', text: '\u241b[31mred\u2407 \ufffd \ufffd' }]);
  });

  it('begins the text after the contents without a paragraph that could fill a page of its own', async () => {
    for (const first of ['# One', 'Words.']) {
      const { xml } = await convert(`${first}\n\n# Two\n`, { toc: true });
      const between = xml.slice(xml.indexOf('</w:sdt>'));
      expect(between).toMatch(/^<\/w:sdt><w:p><w:pPr><w:pStyle [^>]*><w:pageBreakBefore\/>/);
      expect(xml.slice(0, xml.indexOf('</w:sdt>'))).toMatch(
        /fldCharType="end"\/><\/w:r><\/w:p><\/w:sdtContent>$/,
      );
    }
    const { xml } = await convert('| a |\n| --- |\n| b |\n\n# Two\n', { toc: true });
    expect(xml).toContain('</w:sdt><w:p><w:r><w:br w:type="page"/></w:r></w:p><w:tbl>');
  });

  it('keeps a short list below a heading, such as the head of a mail, between it and the next paragraph', async () => {
    const kept = async (count: number) => {
      const { xml } = await convert(`# Mail\n\n${'- From: a\n'.repeat(count)}\nBody.\n\n- item\n\nEnd.\n`);
      return xml.split('<w:keepNext/><w:numPr>').length - 1;
    };
    expect(await kept(4)).toBe(4);
    expect(await kept(9)).toBe(0);
    const { xml } = await convert('# One\n\n- item\n\n# Two\n\n- item\n');
    expect(xml).not.toContain('<w:keepNext/><w:numPr>');
  });

  it('shows two pictures of an album on a page, and fewer in a row in full size', async () => {
    const heightsOf = async (count: number) => {
      const { content } = await convert('![a](tall.png)\n\n'.repeat(count));
      return content.blocks.flatMap((block) =>
        'images' in block ? block.images.map(({ height }) => height) : [],
      );
    };
    const [alone = 0] = await heightsOf(1);
    expect(await heightsOf(2)).toEqual([alone, alone]);
    for (const height of await heightsOf(3)) expect(height).toBeLessThan(alone / 2);
  });

  it('writes tabs and line breaks as separate elements', async () => {
    const { xml } = await convert('```\na\tb\n```\n\nc\\\nd\n');
    expect(xml).toContain('>a</w:t><w:tab/><w:t xml:space="preserve">b</w:t>');
    expect(xml).toContain('<w:br/>');
  });

  it('fits images inside the margins, keeps their aspect ratio, rotates photos upright', async () => {
    const { content } = await convert(
      '![a](tall.png) ![b](wide.jpg) ![c](turned.jpg) ![d](photo.webp) ![e](drawing.svg)\n',
    );
    const images = content.blocks.flatMap((block) => ('images' in block ? block.images : []));
    const ratio = (image: DocxImage | undefined): number => (image?.width ?? 0) / (image?.height ?? 1);
    expect(images.map((image) => image.bytes > 0)).toEqual([true, true, true, true, true]);
    expect(ratio(images[0])).toBeCloseTo(0.05, 3);
    expect(images[0]?.height).toBeLessThan(930);
    expect(images[1]?.width).toBeLessThanOrEqual(602);
    expect(ratio(images[1])).toBeCloseTo(10, 1);
    expect(images[2]).toMatchObject({ width: 100, height: 300 });
    expect(images[3]).toMatchObject({ width: 80, height: 40 });
    expect(images[4]).toMatchObject({ width: 90, height: 30 });
  });

  it('writes a note in place of a missing or damaged image', async () => {
    const { content } = await convert('![logo](none.png) and ![x](broken.png)\n');
    const images = content.blocks.flatMap((block) => ('images' in block ? block.images : []));
    expect(images.map((image) => [image.missing, image.alt])).toEqual([
      [true, '[Missing image: logo – none.png]'],
      [true, '[Image left out: x – broken.png (damaged, or not an image)]'],
    ]);
  });

  it('shows each note once, however often it is referenced', async () => {
    const { content, xml } = await convert('a[^1] b[^1] c[^2]\n\n[^1]: one\n[^2]: two\n');
    expect(xml.match(/<w:footnoteReference /g)).toHaveLength(2);
    expect([...content.notes.values()].map((blocks) => blocks.map((block) => block.text.trim()))).toEqual([
      ['one'],
      ['two'],
    ]);
  });

  it('fills the table of contents with page numbers', async () => {
    const chapters = Array.from(
      { length: 6 },
      (_, i) => `# Chapter ${i + 1}\n\n${'Some words that fill a line. '.repeat(160)}\n`,
    );
    const { content } = await convert(chapters.join('\n'), { toc: true, title: 'Book' });
    expect(content.toc.map((entry) => entry.text)).toEqual(chapters.map((_, i) => `Chapter ${i + 1}`));
    const pages = content.toc.map((entry) => Number(entry.page));
    expect(pages[0]).toBe(3);
    expect(pages).toEqual([...pages].sort((a, b) => a - b));
    expect(pages.at(-1)).toBeGreaterThan(4);
  });

  it('adds page numbers even to a document that is too long to lay out', async () => {
    const chapters = Array.from(
      { length: 40 },
      (_, i) => `# Chapter ${i + 1}\n\n\`\`\`\n${'a line of a log\n'.repeat(900)}\`\`\`\n`,
    );
    const { content } = await convert(chapters.join('\n'), { toc: true, title: 'Logs' });
    const pages = content.toc.map((entry) => Number(entry.page));
    expect(pages).toEqual([...pages].sort((a, b) => a - b));
    expect(pages.at(-1)).toBeGreaterThan(450);
    expect(pages.at(-1)).toBeLessThan(750);
  });

  it('numbers headings on request', async () => {
    const { content } = await convert('# A\n\n## B\n\n# C\n', { toc: true, numberSections: true });
    expect(content.toc.map((entry) => entry.text)).toEqual(['1  A', '1.1  B', '2  C']);
  });

  it('reads document properties from the front matter and the options', async () => {
    const { content } = await convert(
      '---\ntitle: T\nauthor: [A, B]\nlang: pl\nticket: X-1\n---\n\nwords\n',
      { properties: { run_id: 'r1' } },
    );
    expect(content.properties).toMatchObject({
      title: 'T',
      creator: 'A, B',
      language: 'pl',
      ticket: 'X-1',
      run_id: 'r1',
    });
  });

  it('marks right-to-left paragraphs and runs', async () => {
    const { content, xml } = await convert('שלום עולם\n\nHello שלום\n');
    expect(content.blocks.map((block) => block.type === 'paragraph' && block.rightToLeft)).toEqual([
      true,
      false,
    ]);
    expect(xml.match(/<w:rtl\/>/g)).toHaveLength(2);
  });

  it('writes formulas as Office Math, and shows the source of unsupported ones', async () => {
    const { content, xml } = await convert('$$\n\\frac{1}{2}\n$$\n\n$$\\unknowncommand{x}$$ in words\n');
    expect(xml).toContain('<m:oMathPara><m:oMath>');
    expect(content.blocks.flatMap((block) => ('formulas' in block ? block.formulas : []))).toEqual([
      '12',
      '\\unknowncommand{x}',
    ]);
  });

  it('writes formulas of lists, tables and notes in their places, with the same bytes each time', async () => {
    const markdown =
      '- $$a<b\\&c$$\n\n| $$x^2$$ |\n| --- |\n| [words $$a<b\\&c$$](https://example.org) |\n\nwords[^1]\n\n[^1]: $$\\sqrt{y}$$\n';
    const { content, bytes } = await convert(markdown);
    expect(content.blocks.flatMap((block) => ('formulas' in block ? block.formulas : []))).toEqual([
      'a<b&c',
      'x2',
      'a<b&c',
    ]);
    expect(Buffer.from(unzipSync(bytes)['word/footnotes.xml'] ?? []).toString('utf8')).toContain('<m:rad>');
    expect((await convert(markdown)).bytes).toEqual(bytes);
  });

  it('shows the source of a formula that is nested too deeply, and converts the others', async () => {
    const deep = `${'a^{'.repeat(1800)}x${'}'.repeat(1800)}`;
    const { content } = await convert(`$$x^2$$\n\n$$${deep}$$\n\n$$y_1$$\n`);
    expect(content.blocks.flatMap((block) => ('formulas' in block ? block.formulas : []))).toEqual([
      'x2',
      deep,
      'y1',
    ]);
  });

  it('writes unusual addresses without damaging the document', async () => {
    const { content } = await convert(
      '[a](<http://x y/ż?q=1%zz#a#b>) [b](http://[bad) [c](mailto:a@b.c) [d](docs/a b.md)\n',
    );
    const targets = content.blocks.flatMap((block) =>
      'links' in block ? block.links.map((link) => link.target) : [],
    );
    expect(targets).toContain('mailto:a@b.c');
    for (const target of targets) expect(target).toMatch(/^[!-~]+$/);
  });

  it.each([
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    'vbscript:x',
    'data:text/html,x',
    'file:///etc/passwd',
    'smb://host/share',
    'ms-msdt:/id',
    'search-ms:query=x',
    'ftp://example.org/x',
    '//host/share',
    '\\\\\\\\host\\\\share',
    'docs/other.md',
    '../up.md',
  ])('D20 shows the words of a link to %s without a link', async (url) => {
    const markdown = `[words](<${url}>) <a href="${url}">more</a> [good](https://example.org) [mail](mailto:a@b.c) [on](#heading)\n\n# Heading\n`;
    const { content, xml, bytes } = await convert(markdown);
    expect(xml).toContain('words');
    expect(xml).toContain('more');
    const targets = content.blocks.flatMap((block) =>
      'links' in block ? block.links.map((link) => link.target) : [],
    );
    expect(targets.map((target) => target.slice(0, 8)).sort()).toEqual(
      expect.arrayContaining(['https://', 'mailto:a']),
    );
    const related = Object.entries(unzipSync(bytes)).filter(([name]) => name.endsWith('.rels'));
    const external = related.flatMap(([, part]) =>
      [
        ...Buffer.from(part)
          .toString()
          .matchAll(/Target="([^"]*)" TargetMode="External"/g),
      ].map(([, to]) => to),
    );
    expect(external.sort()).toEqual(['https://example.org', 'mailto:a@b.c']);
  });

  it('copies styles, header and page setup from a reference document, and adds missing styles', async () => {
    const reference = await writeDocx(buildStructure('# Brand\n'), assets, {
      title: 'Brand',
      pageSize: 'Letter',
    });
    const { bytes } = await convert('# A\n\n```\ncode\n```\n', { referenceDocx: reference });
    const parts = unzipSync(bytes);
    const text = (path: string): string => Buffer.from(parts[path] ?? []).toString('utf8');
    expect(text('word/document.xml')).toContain('<w:pgSz w:w="12240" w:h="15840"/>');
    expect(text('word/header1.xml')).toContain('Brand');
    expect(text('word/styles.xml').match(/w:val="Source Code"/g)).toHaveLength(1);
  });

  it('separates an appendix from the document', async () => {
    const blocks = buildStructure('extra words\n').blocks;
    const { content } = await convert('# A\n', { appendix: { title: 'Ledger', blocks } });
    expect(content.blocks.map((block) => block.text)).toEqual(
      expect.arrayContaining(['Ledger', 'extra words']),
    );
  });
});

describe('checkDocx', () => {
  it('D24 reports the place of each difference', async () => {
    const bytes = await writeDocx(buildStructure('# A\n\n```\ncode\n```\n\n1. one\n'), assets);
    const other = buildStructure('# A\n\n```\nc0de\n```\n\n2. one\n');
    expect(checkDocx(other, bytes)).toMatchObject([
      { rule: 'code', source_line: 3 },
      { rule: 'lists', source_line: 7 },
    ]);
  });

  it('reports a file that is not a document', () => {
    expect(checkDocx(buildStructure('x'), Buffer.from('PK nonsense'))).toMatchObject([
      { rule: 'readable', source_line: null },
    ]);
  });
});
