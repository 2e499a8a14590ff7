import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { getDocumentProxy } from 'unpdf';
import { writeDocx } from '../docx/write/write.js';
import { hasProgram, itWith } from '#testing/programs.js';
import { typstPdf } from './typst.js';
import { buildStructure } from '../structure/build.js';
import { writePdf, type Pdf, type PdfOptions } from './write.js';

const TOUR = new URL('../../../../test/fixtures/markdown/tour.md', import.meta.url);
const chart = new URL('../../../../test/fixtures/markdown/chart.svg', import.meta.url);
const assets = async (ref: string): Promise<Uint8Array | null> =>
  ref === 'chart.svg' ? readFile(chart) : null;

async function tour(options: PdfOptions): Promise<Pdf> {
  const structure = buildStructure(await readFile(TOUR, 'utf8'));
  const docx = await writeDocx(structure, assets, { toc: true });
  return writePdf({ docx, structure, resolveAsset: assets }, { toc: true, ...options });
}

/** The words of a PDF where poppler is installed, else nothing. */
async function pdfText(bytes: Uint8Array): Promise<string | null> {
  if (!hasProgram('pdftotext')) return null;
  const folder = await mkdtemp(join(tmpdir(), 'scriptorium-pdf-test-'));
  try {
    await writeFile(join(folder, 'a.pdf'), bytes);
    const { stdout } = await promisify(execFile)('pdftotext', ['-layout', join(folder, 'a.pdf'), '-']);
    return stdout;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function expectPdf(pdf: Pdf, text: string | null): void {
  const raw = Buffer.from(pdf.bytes).toString('latin1');
  expect(raw.startsWith('%PDF-')).toBe(true);
  expect(raw).toMatch(/\/Outlines|\/ObjStm/);
  expect(raw).toMatch(/\/MarkInfo|\/ObjStm/);
  if (text === null) return;
  for (const words of [
    'Migration of the order service',
    'Zażółć gęślą jaźń',
    '日本語の文章もあります。',
    'accepting=false',
    '12,400,211',
    'Missing image',
  ])
    // What no font of this machine can show stands as empty boxes, which other programs read as they like.
    if (!pdf.unshown.some((char) => words.includes(char))) expect(text.replace(/\s+/g, ' ')).toContain(words);
}

describe('writePdf', () => {
  it('D33 sets the document with Typst, which needs nothing installed', async () => {
    const pdf = await tour({ libreOffice: 'no-such-program' });
    expect(pdf.engine).toBe('typst');
    expectPdf(pdf, await pdfText(pdf.bytes));
  });

  it('D33 names the characters that no font of the machine can show, each once', async () => {
    const structure = buildStructure('Plain, ąęś, \u{10FFFD} and \u{10FFFD}.[^1]\n\n[^1]: \u{10FFFC}\n');
    const pdf = await writePdf(
      { docx: new Uint8Array(), structure, resolveAsset: async () => null },
      { engine: 'typst' },
    );
    expect(pdf.unshown).toEqual(['\u{10FFFD}', '\u{10FFFC}']);
  });

  itWith('soffice')('converts the DOCX with LibreOffice where it is installed', async () => {
    const pdf = await tour({});
    expect(pdf.engine).toBe('libreoffice');
    expectPdf(pdf, await pdfText(pdf.bytes));
  });

  describe('links', () => {
    const DEAD = [
      'javascript:alert(1)',
      'JaVaScRiPt:alert(1)',
      'vbscript:x',
      'data:text/html,x',
      'file:///etc/passwd',
      'smb://host/share',
      'ms-msdt:/id',
      'search-ms:query=x',
      '//host/share',
      'docs/other.md',
      '../up.md',
    ];
    const LIVE = ['https://example.org/a', 'http://example.org/b', 'mailto:a@example.org'];
    const markdown = `# Links\n\n${[...DEAD, ...LIVE].map((url, n) => `- [link ${n}](<${url}>)`).join('\n')}\n\n[up](#links)\n`;

    /** Where a click in a PDF leads out of it. */
    async function addresses(bytes: Uint8Array): Promise<string[]> {
      const document = await getDocumentProxy(new Uint8Array(bytes), { verbosity: 0 });
      const found: string[] = [];
      for (let number = 1; number <= document.numPages; number++)
        for (const annotation of (await (await document.getPage(number)).getAnnotations()) as {
          url?: string;
          unsafeUrl?: string;
        }[]) {
          const url = annotation.unsafeUrl ?? annotation.url;
          if (url !== undefined) found.push(url);
        }
      return found;
    }

    async function expectOnlyLive(options: PdfOptions): Promise<void> {
      const structure = buildStructure(markdown);
      const docx = await writeDocx(structure, assets, {});
      const { bytes } = await writePdf({ docx, structure, resolveAsset: assets }, options);
      expect((await addresses(bytes)).sort()).toEqual([...LIVE].sort());
      const text = await pdfText(bytes);
      for (const n of text === null ? [] : [...DEAD, ...LIVE].keys()) expect(text).toContain(`link ${n}`);
      expect(Buffer.from(bytes).includes(tmpdir())).toBe(false);
    }

    it('of a PDF by Typst lead to the web, to mail and within it only, and name no folder of this machine', () =>
      expectOnlyLive({ engine: 'typst' }));

    itWith('soffice')('nor do those of a PDF by LibreOffice', () =>
      expectOnlyLive({ engine: 'libreoffice' }),
    );
  });

  it('B12 begins each chapter of a book on a page of its own, and none within a quote', async () => {
    const structure = buildStructure('# A\n\nx\n\n> # B\n\n## C\n\n# D\n');
    const pages = async (chaptersOnNewPages: boolean) => {
      const bytes = await typstPdf(structure, assets, { chaptersOnNewPages, cover: true, title: 'T' });
      return /\/Type \/Pages[^>]*\/Count (\d+)/.exec(Buffer.from(bytes).toString('latin1'))?.[1];
    };
    expect([await pages(false), await pages(true)]).toEqual(['2', '3']);
  });

  it('says that LibreOffice is missing when it was asked for', async () => {
    await expect(tour({ engine: 'libreoffice', libreOffice: 'no-such-program' })).rejects.toThrow(
      'not installed',
    );
  });

  it('keeps words that mean something to Typst, and long code fast', async () => {
    const words = '#let x = 1 $y$ [z] "q" \\n //c @ref <l> *b* _i_ ~ -- ...';
    const markdown = `\`\`\`\n${words}\n${'log line\n'.repeat(3000)}\`\`\`\n\n\`${words}\`\n`;
    const pdf = await writePdf(
      { docx: new Uint8Array(), structure: buildStructure(markdown), resolveAsset: async () => null },
      { engine: 'typst' },
    );
    const text = await pdfText(pdf.bytes);
    if (text !== null) expect(text.split(words).length - 1).toBeGreaterThanOrEqual(1);
  });
});
