import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { unzipSync } from 'fflate';
import { getDocumentProxy } from 'unpdf';
import { pdfPages } from '#extraction/pdf/pdf.js';
import { settingsOf } from '../docx/write/options.js';
import { writeDocx } from '../docx/write/write.js';
import { expectOnlyLiveLinks, expectTour, writeTour } from '#testing/pdf-samples.js';
import { standardProblem } from './pdf-standard.js';
import { typstMath } from './typst.js';
import { typstSource } from './typst-source.js';
import { typstPdf } from './typst.js';
import { buildStructure } from '../structure/build.js';
import { writePdf, type PdfOptions } from './write.js';

const chart = new URL('../../../test/fixtures/markdown/chart.svg', import.meta.url);
const assets = async (ref: string): Promise<Uint8Array | null> =>
  ref === 'chart.svg' ? readFile(chart) : null;

/** Returns a function that finds the x position of the text item with the given words on a PDF's first page. */
async function placesOf(bytes: Uint8Array): Promise<(words: string) => number> {
  const page = await (await getDocumentProxy(new Uint8Array(bytes))).getPage(1);
  const items = (await page.getTextContent()).items as { str: string; transform: number[] }[];
  return (words) => items.find(({ str }) => str.includes(words))?.transform[4] ?? NaN;
}

describe('writePdf', () => {
  it('D33 sets the document with Typst, which needs no installation', async () => {
    const pdf = await writeTour({ libreOffice: 'no-such-program' });
    expect(pdf.engine).toBe('typst');
    expectTour(pdf, (await pdfPages(pdf.bytes, 'tour.pdf')).join('\n'));
  });

  it('D33 lists the characters that no font of the machine can show, each once', async () => {
    const structure = buildStructure('Plain, ąęś, \u{10FFFD} and \u{10FFFD}.[^1]\n\n[^1]: \u{10FFFC}\n');
    const pdf = await writePdf(
      { docx: new Uint8Array(), structure, resolveAsset: async () => null },
      { engine: 'typst' },
    );
    expect(pdf.unshown).toEqual(['\u{10FFFD}', '\u{10FFFC}']);
  });

  it('B12 says why a text cannot keep a standard', async () => {
    const set = (markdown: string) =>
      typstPdf(buildStructure(markdown), async () => null, { standard: 'a-2b', title: 'T' });
    const error = await set('One \u{10FFFD}.').catch((thrown: Error) => thrown);
    expect(standardProblem(error as Error)).toMatch(/^the text .* could not be displayed/);
    expect(Buffer.from(await set('One.')).toString('latin1')).toContain('<pdfaid:part>2</pdfaid:part>');
  });

  it('D33 sets the number of a footnote on the line of its text', async () => {
    const structure = buildStructure('One.[^1]\n\n[^1]: *Harbour* records.\n\n    Its second paragraph.\n');
    const { bytes } = await writePdf(
      { docx: new Uint8Array(), structure, resolveAsset: async () => null },
      { engine: 'typst' },
    );
    const page = await (await getDocumentProxy(new Uint8Array(bytes))).getPage(1);
    const items = (await page.getTextContent()).items as { str: string; transform: number[] }[];
    const heightOf = (words: string) => items.findLast(({ str }) => str.trim() === words)!.transform[5]!;
    expect(heightOf('1')).toBeGreaterThanOrEqual(heightOf('Harbour'));
    expect(heightOf('1') - heightOf('Harbour')).toBeLessThan(6);
    expect(heightOf('Its second paragraph.')).toBeLessThan(heightOf('Harbour'));
  });

  it('D33 sets formulas, and shows unsupported ones as TeX', async () => {
    const structure = buildStructure('$$\\frac{a}{b}$$\n\nx $$\\alpha$$ y $$\\nonsense{q}$$\n');
    const { bytes } = await writePdf(
      { docx: new Uint8Array(), structure, resolveAsset: assets },
      { engine: 'typst' },
    );
    const text = (await pdfPages(bytes, 'x')).join();
    expect(text.normalize('NFKC')).toMatch(/x α y/);
    expect(text).toContain('\\nonsense{q}');
    expect(text).not.toContain('frac');
  });

  it.each(['#read("/etc/passwd")', '\\#read("/etc/passwd")', '\\text{"} #read(1)', 'a $ b', '\\text{\\"#f}'])(
    'does not mistake a formula for code: %s',
    (tex) => {
      const math = typstMath(tex) ?? '';
      expect(math.replace(/"(?:[^"\\]|\\.)*"/g, '')).not.toMatch(/[#$"@]/);
    },
  );

  it('D33 aligns paragraphs of right-to-left scripts to the right, like their headings and lists', () => {
    const structure = buildStructure('# عنوان\n\nנאמר\n\n- אחת\n\nleft\n');
    const source = typstSource(structure, settingsOf(structure, {}), {
      images: new Map(),
      formulas: new Map(),
    });
    expect(source.match(/#right-to-left[[(]/g)).toHaveLength(3);
    expect(source).toContain('#par([#text("left");])');
  });

  it('D33 starts tables of right-to-left scripts at the right, as Word does', async () => {
    const structure = buildStructure(
      '| שם | מספר |\n| - | - |\n| אחת | 12 |\n\n| a | b |\n| - | - |\n| c | d |\n',
    );
    const places = await placesOf(await typstPdf(structure, assets, {}));
    expect(places('12')).toBeLessThan(places('אחת'));
    expect(places('c')).toBeLessThan(places('d'));
    const docx = unzipSync(await writeDocx(structure, assets))['word/document.xml'];
    expect(
      Buffer.from(docx!)
        .toString()
        .match(/<w:bidiVisual\/>/g),
    ).toHaveLength(1);
  });

  it('D33 falls back to Typst if LibreOffice fails or is slow, and reports it', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'scriptorium-pdf-test-'));
    try {
      for (const [name, body, reason] of [
        ['fails', 'echo broken >&2; exit 3', /exited with code 3: broken/],
        ['slow', 'sleep 60', /took longer than 300 ms/],
        ['nothing', 'exit 0', /did not write a file of the format pdf/],
      ] as const) {
        await writeFile(join(folder, name), `#!/bin/sh\n${body}\n`, { mode: 0o755 });
        const pdf = await writeTour({
          libreOffice: join(folder, name),
          timeLimitMs: name === 'slow' ? 300 : 30_000,
        });
        expect([pdf.engine, pdf.failed]).toEqual(['typst', expect.stringMatching(reason)]);
      }
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });

  describe('links', () => {
    it('of a PDF by Typst lead only to the web, mail and places within it, and contain no local folder', () =>
      expectOnlyLiveLinks({ engine: 'typst' }));
  });

  it('B12 starts each chapter of a book on a new page, and none within a quote', async () => {
    const structure = buildStructure('# A\n\nx\n\n> # B\n\n## C\n\n# D\n');
    const pages = async (chaptersOnNewPages: boolean) => {
      const bytes = await typstPdf(structure, assets, { chaptersOnNewPages, cover: true, title: 'T' });
      return /\/Type \/Pages[^>]*\/Count (\d+)/.exec(Buffer.from(bytes).toString('latin1'))?.[1];
    };
    expect([await pages(false), await pages(true)]).toEqual(['2', '3']);
  });

  it('D33 highlights code and numbers its lines with Typst, too, on request', async () => {
    const lines = Array.from({ length: 203 }, (_, i) => `const value${i} = "text"; // note`);
    const structure = buildStructure(`\`\`\`ts\n${lines.join('\n')}\n\`\`\`\n\n\`\`\`\nplain\n\`\`\`\n`);
    const set = async (options: PdfOptions) =>
      (await pdfPages(await typstPdf(structure, assets, options), 'p')).join('\n');
    const plain = await set({});
    expect(await set({ codeColors: true })).toBe(plain);
    const numbered = await set({ codeColors: true, lineNumbers: true });
    for (const [i, line] of lines.entries())
      expect(numbered).toMatch(new RegExp(`^${i + 1}\\s*${line}`, 'm'));
    expect(numbered).toMatch(/^1\s*plain/m);
    const long = buildStructure(`\`\`\`\nfirst ${'a'.repeat(70)} ${'b'.repeat(60)}\n\`\`\`\n`);
    const places = await placesOf(await typstPdf(long, assets, { lineNumbers: true }));
    // The line continues after its number.
    expect(places('bbb')).toBeCloseTo(places('first'), 0);
    const source = (options: PdfOptions) =>
      typstSource(structure, settingsOf(structure, options), { images: new Map(), formulas: new Map() });
    expect([
      source({}).includes('language: "ts"'),
      source({ codeColors: true }).includes('language: "ts"'),
    ]).toEqual([false, true]);
  });

  it('reports that LibreOffice is missing if it was requested', async () => {
    await expect(writeTour({ engine: 'libreoffice', libreOffice: 'no-such-program' })).rejects.toThrow(
      'not installed',
    );
  });

  it('keeps words that are Typst syntax, and sets long code quickly', async () => {
    const words = '#let x = 1 $y$ [z] "q" \\n //c @ref <l> *b* _i_ ~ -- ...';
    const markdown = `\`\`\`\n${words}\n${'log line\n'.repeat(3000)}\`\`\`\n\n\`${words}\`\n`;
    const pdf = await writePdf(
      { docx: new Uint8Array(), structure: buildStructure(markdown), resolveAsset: async () => null },
      { engine: 'typst' },
    );
    const text = (await pdfPages(pdf.bytes, 'words.pdf')).join('\n');
    expect(text.split(words).length - 1).toBeGreaterThanOrEqual(1);
  });
});
