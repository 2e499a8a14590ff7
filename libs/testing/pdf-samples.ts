import { buildStructure } from '#office/structure/build.js';
import { writeDocx } from '#office/docx/write/write.js';
import { writePdf, type Pdf, type PdfOptions } from '#office/pdf/write.js';
import { pdfPages } from '#extraction/pdf/pdf.js';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { getDocumentProxy } from 'unpdf';

const FIXTURES = new URL('../../test/fixtures/markdown/', import.meta.url);

/** Resolves the images of `tour.md`. */
export const tourAssets = async (ref: string): Promise<Uint8Array | null> =>
  ref === 'chart.svg' ? readFile(new URL('chart.svg', FIXTURES)) : null;

/** Structure of `tour.md`, which contains every kind of block. */
export const tourStructure = async () => buildStructure(await readFile(new URL('tour.md', FIXTURES), 'utf8'));

/** Writes `tour.md` as a PDF. */
export async function writeTour(options: PdfOptions): Promise<Pdf> {
  const structure = await tourStructure();
  const docx = await writeDocx(structure, tourAssets, { toc: true });
  return writePdf({ docx, structure, resolveAsset: tourAssets }, { toc: true, ...options });
}

/** Expects that the PDF of `tour.md` has an outline and tags, and that its text contains the words of the tour. */
export function expectTour(pdf: Pdf, text: string): void {
  const raw = Buffer.from(pdf.bytes).toString('latin1');
  expect(raw.startsWith('%PDF-')).toBe(true);
  expect(raw).toMatch(/\/Outlines|\/ObjStm/);
  expect(raw).toMatch(/\/MarkInfo|\/ObjStm/);
  for (const words of [
    'Migration of the order service',
    'Zażółć gęślą jaźń',
    '日本語の文章もあります。',
    'accepting=false',
    '12,400,211',
    'Missing image',
  ])
    // Characters without a font on this machine appear as empty boxes, which other programs extract differently.
    if (!pdf.unshown.some((char) => words.includes(char))) expect(text.replace(/\s+/g, ' ')).toContain(words);
}

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

/** Returns the external addresses of a PDF's links. */
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

/** Expects that the links of a PDF lead only to the web, to mail or within it, and that it names no folder of this machine. */
export async function expectOnlyLiveLinks(options: PdfOptions): Promise<void> {
  const structure = buildStructure(markdown);
  const docx = await writeDocx(structure, tourAssets, {});
  const { bytes } = await writePdf({ docx, structure, resolveAsset: tourAssets }, options);
  expect((await addresses(bytes)).sort()).toEqual([...LIVE].sort());
  const text = (await pdfPages(bytes, 'links.pdf')).join('\n');
  for (const n of [...DEAD, ...LIVE].keys()) expect(text).toContain(`link ${n}`);
  expect(Buffer.from(bytes).includes(tmpdir())).toBe(false);
}
