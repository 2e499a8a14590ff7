import { execFile } from 'node:child_process';
import { copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import sharp from 'sharp';
import { PARSING_MEMORY_MB } from '#config/memory.js';
import { HandClock } from '#testing/hand-clock.js';
import { officeLinks } from '#testing/office-files.js';
import { wordFile } from '#testing/sample-files.js';
import { pdfOfPages, photo, pictureParagraph, SCANNED, scannedLines, scannedPage } from '#testing/scans.js';
import { compiledModule } from './compiled-module.js';
import type { Extracted } from './extract.worker.js';
import { ExtractionPool } from './extraction-pool.js';
import { Ocr, OCR_LIMIT_MS } from './ocr.js';
import { ProcessPool } from './process-pool.js';

const { signal } = new AbortController();
const RECOGNIZE = compiledModule(new URL('../../extraction/ocr/recognize.js', import.meta.url));
const runNode = promisify(execFile);

describe('Ocr', () => {
  const processes = new ProcessPool({ processes: 2, perTenant: 2, memoryMb: PARSING_MEMORY_MB });
  const ocr = new Ocr(processes);
  afterAll(() => processes.close());

  const extract = async (bytes: Uint8Array, name: string) =>
    (await new ExtractionPool(processes).extract(
      'a',
      { bytes, name, readsPictures: ocr.isInstalled },
      signal,
    )) as Extracted;
  const read = async (bytes: Uint8Array, name: string) =>
    ocr.read('a', await extract(bytes, name), name, signal);
  const wordsIn = (text: string) => text.replace(/<\/?mark>/g, '');

  it('B9 reads a scanned page among text pages, in English, German and Polish, with the same bytes each time', async () => {
    const pdf = await pdfOfPages(['Page one has text.', [await scannedPage()], 'Page three has text.']);
    const { text, ocr: found } = await read(pdf, 'a.pdf');
    for (const line of SCANNED) expect(wordsIn(text)).toContain(`\n${line}\n`);
    expect(text).toMatch(
      /<!-- page 2 -->\n\n!\[\]\(a\.pdf\.image1\.jpg\)\n\n<!-- read by OCR: page 2; certainty 9\d % -->/,
    );
    expect(found!.read).toMatchObject([{ place: 'page 2', lines: 3 }]);
    expect(found!.textBefore).toContain('words of this page, of which the file has only a picture');
    expect((await read(pdf, 'a.pdf')).text).toBe(text);
  });

  it('B9 reads a page that is stored as strips, although its lines are cut', async () => {
    const strips = [await scannedPage({ height: 320 }), await scannedPage({ top: 320, height: 1_080 })];
    const { text, images } = await read(await pdfOfPages([strips]), 'a.pdf');
    for (const line of SCANNED) expect(wordsIn(text)).toContain(`\n${line}\n`);
    expect(images).toHaveLength(1);
  });

  it('B9 reads pages that are turned', async () => {
    const turned = (degrees: number) => sharp(page).rotate(degrees).jpeg().toBuffer();
    const page = await scannedPage();
    const pages = await Promise.all([90, 180, 270].map(async (degrees) => [await turned(degrees)]));
    const { text, ocr: found } = await read(await pdfOfPages(pages), 'a.pdf');
    expect(found!.read.map(({ lines }) => lines)).toEqual([3, 3, 3]);
    const [first, , third] = SCANNED;
    const lines = wordsIn(text)
      .split('\n')
      .filter((line) => line === first || line === third);
    expect(lines).toEqual([first, third, first, third, first, third]);
  });

  it('B9 reads a picture of text in a Word file, and adds nothing for a photo', async () => {
    const body = `${pictureParagraph('rId1')}${pictureParagraph('rId2')}`;
    const links = officeLinks([
      ['rId1', 'image', 'media/a.png'],
      ['rId2', 'image', 'media/b.jpg'],
    ]);
    const word = wordFile(body, {
      'word/_rels/document.xml.rels': links,
      'word/media/a.png': await scannedLines(),
      'word/media/b.jpg': await photo(),
    });
    const { text, ocr: found } = await read(word, 'a.docx');
    for (const line of SCANNED) expect(wordsIn(text)).toContain(`\n${line}\n`);
    expect(found!.read).toMatchObject([{ place: 'picture 1', lines: 3 }]);
    expect(text.trimEnd()).toMatch(/!\[\]\(a\.docx\.image2\.jpg\)$/);
  });

  it('B9 refuses a file that contains only a photo', async () => {
    await expect(read(await pdfOfPages([[await photo()]]), 'a.pdf')).rejects.toThrow(
      'a.pdf contains no text, and text recognition (OCR) finds no words in its pictures',
    );
  });

  it('B9 names a picture whose words take too long, or too much memory', async () => {
    const extracted = { text: '![](a.docx.image1.png)\n', format: 'docx', encoding: null };
    const work = { ...extracted, images: [{ name: 'a.docx.image1.png', bytes: await scannedLines() }] };
    const clock = new HandClock();
    const slow = new ProcessPool({ processes: 1, perTenant: 1, memoryMb: PARSING_MEMORY_MB, clock });
    const reading = new Ocr(slow).read('a', work, 'a.docx', signal);
    while (clock.isIdle) await Promise.resolve();
    clock.share = 1;
    clock.pass(OCR_LIMIT_MS);
    expect((await reading).text).toContain(
      'left out: words of a picture: picture 1 (OCR takes longer than 60 s)',
    );
    await slow.close();
    const memoryMb = 150;
    const small = new ProcessPool({ processes: 1, perTenant: 1, memoryMb });
    const { text } = await new Ocr(small).read('a', work, 'a.docx', signal);
    expect(text).toContain('left out: words of a picture: picture 1 (OCR needs too much memory)');
    await small.close();
  });

  it('B9 needs no network', async () => {
    const script = `
      import net from 'node:net';
      import dns from 'node:dns';
      import { readFileSync } from 'node:fs';
      const refuse = () => { console.error('network'); process.exit(9); };
      net.Socket.prototype.connect = refuse;
      dns.lookup = refuse;
      globalThis.fetch = refuse;
      const { recognize } = await import(${JSON.stringify(RECOGNIZE.href)});
      const found = await recognize(readFileSync('test/fixtures/scanned-lines.png'));
      console.log(found.flat().map((line) => line.map(({ text }) => text).join(' ')).join('\\n'));`;
    const { stdout } = await runNode(process.execPath, ['--input-type=module', '--eval', script]);
    expect(stdout.trim().split('\n')).toEqual(SCANNED);
  });

  it('B9 is off without its optional packages, and the message names them', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'scriptorium-ocr-'));
    try {
      await writeFile(join(folder, 'package.json'), '{"type":"module"}');
      const copy = join(folder, 'recognize.js');
      await copyFile(RECOGNIZE, copy);
      const script = `import { ocrLanguages } from ${JSON.stringify(pathToFileURL(copy).href)}; console.log(ocrLanguages().length);`;
      const { stdout } = await runNode(process.execPath, ['--input-type=module', '--eval', script]);
      expect(stdout.trim()).toBe('0');
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
    const bytes = await pdfOfPages([[await scannedPage()]]);
    const extracting = new ExtractionPool(processes).extract('a', { bytes, name: 'a.pdf' }, signal);
    await expect(extracting).rejects.toThrow(
      /only pictures; install .*tesseract\.js-core and @tesseract\.js-data/,
    );
  });
});
