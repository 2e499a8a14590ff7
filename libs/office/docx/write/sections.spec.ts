import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate';
import { buildStructure } from '../../structure/build.js';
import { checkDocx } from '../check/check.js';
import { writeDocx, type DocxOptions } from './write.js';

async function documentXml(markdown: string, options: DocxOptions = {}): Promise<string> {
  const structure = buildStructure(markdown);
  const bytes = await writeDocx(structure, () => Promise.resolve(null), options);
  expect(checkDocx(structure, bytes)).toEqual([]);
  return Buffer.from(unzipSync(bytes)['word/document.xml'] ?? []).toString('utf8');
}

const row = (cells: string[]): string => `| ${cells.join(' | ')} |\n`;
const table = (columns: number, word: string): string =>
  row(Array.from({ length: columns }, (_, at) => `${word}${at}`)) +
  row(Array<string>(columns).fill('---')) +
  row(Array<string>(columns).fill('1'));
const WIDE = table(11, 'measurement');
const pages = (xml: string): string[] =>
  [...xml.matchAll(/<w:pgSz [^>]*>/g)].map(([size]) =>
    size.includes('landscape') ? 'landscape' : 'upright',
  );
const TITLE = { title: 'Report', toc: true };

describe('pages of a Word document', () => {
  it.each([
    ['few columns', table(4, 'measurement'), {}, ['upright']],
    ['a wide table', `Text.\n\n${WIDE}\nText.\n`, {}, ['upright', 'landscape', 'upright']],
    [
      'two wide tables and their heading',
      `Text.\n\n# A\n\n${WIDE}\n# B\n\n${WIDE}`,
      {},
      ['upright', 'landscape'],
    ],
    ['only a wide table', WIDE, {}, ['landscape']],
    ['a cover before a wide table', `# A\n\n${WIDE}`, TITLE, ['upright', 'landscape']],
    ['a wide table in a quote', `> ${WIDE.replaceAll('\n', '\n> ')}\n`, {}, ['upright']],
  ])('C11 turns the pages of wide tables: %s', async (_, markdown, options, expected) => {
    expect(pages(await documentXml(markdown, options))).toEqual(expected);
  });

  it('C11 gives columns of landscape pages room for their longest word', async () => {
    const xml = await documentXml(WIDE);
    const widths = [...xml.matchAll(/<w:gridCol w:w="(\d+)"/g)].map(([, width]) => Number(width));
    expect(Math.min(...widths)).toBeGreaterThan('measurement1'.length * 70 + 200);
    expect(widths.reduce((sum, width) => sum + width, 0)).toBeLessThanOrEqual(16838 - 2880);
  });

  it('C11 shows a title page only once', async () => {
    const xml = await documentXml(`Text.\n\n${WIDE}\nText.\n`, TITLE);
    expect(xml.match(/<w:titlePg\/>/g)).toHaveLength(1);
    expect(xml.indexOf('<w:titlePg/>')).toBeLessThan(xml.indexOf('landscape'));
  });

  it('C11 gives a short text neither title page nor contents, unless they are wanted', async () => {
    const contract = '# Contract\n\n## Rent\n\nText.\n\n## Term\n\nText.\n';
    const long = contract + 'A sentence that fills a line of the page, more or less.\n\n'.repeat(150);
    const hasFront = async (text: string, frontFromPages: number): Promise<boolean> =>
      (await documentXml(text, { ...TITLE, frontFromPages })).includes('Table of Contents');
    expect(await hasFront(contract, 3)).toBe(false);
    expect(await hasFront(contract, 1)).toBe(true);
    expect(await hasFront(long, 3)).toBe(true);
    expect(await hasFront(long.replaceAll('##', ''), 3)).toBe(false);
    const line = '# A\n\n```log\n' + 'x'.repeat(200_000) + '\n```\n\n# B\n\nText.\n';
    expect(await hasFront(line, 3)).toBe(true);
  });

  it.each([
    ['of the text', 'Text.\n'],
    ['before a wide table', `Text.\n\n${WIDE}`],
  ])('C11 shows header and page number on the first page %s without a cover', async (_, text) => {
    const titlePages = async (frontFromPages: number): Promise<number> =>
      (await documentXml(text, { ...TITLE, frontFromPages })).split('<w:titlePg/>').length - 1;
    expect(await titlePages(3)).toBe(0);
    expect(await titlePages(1)).toBe(1);
  });

  it('C11 leaves the pages of a landscape template as they are', async () => {
    const parts = unzipSync(await writeDocx(buildStructure('Text.\n'), () => Promise.resolve(null)));
    const upright = strFromU8(parts['word/document.xml']!);
    const landscape = upright.replace(
      /<w:pgSz [^>]*>/,
      '<w:pgSz w:w="16838" w:h="11906" w:orient="landscape"/>',
    );
    const referenceDocx = zipSync({ ...parts, 'word/document.xml': strToU8(landscape) });
    const xml = await documentXml(`Text.\n\n${WIDE}\nText.\n`, { referenceDocx });
    expect(pages(xml)).toEqual(['landscape']);
    expect(xml).toContain('w:w="16838" w:h="11906"');
  });

  it('C11 lists only the upper levels of many headings', async () => {
    const text = Array.from({ length: 60 }, (_, at) => `# Chapter ${at}\n\n## Part ${at}\n\nText.\n`).join(
      '\n',
    );
    const xml = await documentXml(text, { toc: true });
    expect(xml).toContain('TOC \\o "1-1"');
    expect(xml.match(/<w:pStyle w:val="TOC\d"\/>/g)).toHaveLength(60);
  });

  it('C11 typesets formulas and shifted letters of headings in the contents', async () => {
    const xml = await documentXml(
      '# Rate $$\\frac{a}{b}$$ of C<sub>max</sub> [here](https://example.com)\n',
      TITLE,
    );
    const contents = xml.slice(0, xml.indexOf('</w:sdt>'));
    expect(xml.slice(0, xml.indexOf('<w:sdt>'))).toContain('<w:t xml:space="preserve">Report<');
    expect(contents).toMatch(/<m:f>.*<w:vertAlign w:val="subscript"\/>.*here/);
    expect(contents).not.toContain('\\frac');
    expect(await documentXml('# Rate $$x$$\n', { cover: true })).toMatch(
      /"Title"\/><\/w:pPr>.*<m:oMath>.*w:pageBreakBefore/,
    );
  });
});
