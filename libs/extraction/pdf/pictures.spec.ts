import { jest } from '@jest/globals';
import { PDFiumLibrary } from '@hyzyla/pdfium';
import sharp from 'sharp';
import { pdfFile, pdfLines } from '#testing/sample-files.js';
import { pdfOfPages, scannedPage } from '#testing/scans.js';
import { extractText } from '../extract.js';

/** Picture of four pixels: red, green, blue, white, from the upper left corner. */
const PIXELS = 'ff000000ff000000ffffffff>';
const IMAGE = `<< /Type /XObject /Subtype /Image /Width 2 /Height 2 /ColorSpace /DeviceRGB /BitsPerComponent 8 /Filter /ASCIIHexDecode /Length ${PIXELS.length} >>\nstream\n${PIXELS}\nendstream`;
const draw = (matrix: string) => `ET q ${matrix} cm /P1 Do Q BT /F1 12 Tf`;
const read = (operators: string, options: Parameters<typeof pdfFile>[1] = {}) =>
  extractText(pdfFile(operators, { objects: [IMAGE], xObjects: '/P1 9 0 R', ...options }), 'a.pdf');

describe('pictures of a PDF', () => {
  it('X1 are carried at their place, and not within a sentence', async () => {
    const at = (y: number, words: string) => `1 0 0 1 50 ${y} Tm (${words}) Tj`;
    const { text, images } = await read(
      `${at(700, 'Above.')} ${draw('100 0 0 100 50 560')} ${at(540, 'Figure 1.')} ${at(500, 'Below.')}`,
    );
    expect(text).toBe('Above.\n\n![](a.pdf.image1.png)\n\nFigure 1.\n\nBelow.\n');
    expect(images?.map(({ name }) => name)).toEqual(['a.pdf.image1.png']);
    const { text: beside } = await read(
      `${at(700, 'A sentence that goes on')} ${draw('100 0 0 100 50 643')} ${at(686, 'below the picture.')} ${at(640, 'Next.')}`,
    );
    expect(beside).toBe('A sentence that goes on\nbelow the picture.\n\n![](a.pdf.image1.png)\n\nNext.\n');
  });

  it.each([
    ['upright', '100 0 0 100 50 500', ''],
    ['mirrored', '-100 0 0 100 150 500', ''],
    ['turned with the page', '0 100 -100 0 150 500', '/Rotate 90'],
  ])('X1 are carried as a reader sees them: %s', async (how, matrix, page) => {
    const { images } = await read(`(Words) Tj ${draw(matrix)}`, { page });
    const pixels = await sharp(images![0]!.bytes)
      .resize(2, 2, { kernel: 'nearest' })
      .removeAlpha()
      .raw()
      .toBuffer();
    const shown = pixels.toString('hex').match(/.{6}/g);
    const plain = ['ff0000', '00ff00', '0000ff', 'ffffff'];
    expect(shown).toEqual(how === 'mirrored' ? ['00ff00', 'ff0000', 'ffffff', '0000ff'] : plain);
  });

  it('X1 are counted if they only decorate the page: small ones and those behind its text', async () => {
    const words = pdfLines(
      Array<string>(20).fill('Words that cover a good part of the page, line by line, under each other.'),
    );
    const { text, images } = await read(`${words} ${draw('10 0 0 10 50 500')} ${draw('600 0 0 800 0 0')}`);
    expect(text).toMatch(/^<!-- page 1; left out: pictures that only decorate the page: 2 -->\n\nWords that/);
    expect(images).toBeUndefined();
  });

  it('X1 of a scanned page are carried and named, although a page number is printed on it', async () => {
    const { text } = await read(`(ACME 000123) Tj ${draw('600 0 0 800 0 0')}`);
    expect(text).toBe(
      '<!-- page 1; left out: words of this page, of which the file has only a picture -->\n\nACME 000123\n\n![](a.pdf.image1.png)\n',
    );
  });

  it('X1 never make a file unreadable: one that is too large is counted', async () => {
    const objects = [IMAGE.replace('/Width 2 /Height 2', '/Width 17000 /Height 17000')];
    const { text } = await read(`(Words) Tj ${draw('100 0 0 100 50 500')}`, { objects });
    expect(text).toBe('<!-- page 1; left out: pictures that are too large or too many: 1 -->\n\nWords\n');
  });

  it('X1 are no decoration because three pages have one that is too large', async () => {
    const page = [await scannedPage()];
    const pdf = Buffer.from(await pdfOfPages(['Words', page, page, page])).toString('latin1');
    const large = pdf.replaceAll('/Width 1000 /Height 1400', '/Width 17000 /Height 17000');
    const { text } = await extractText(Buffer.from(large, 'latin1'), 'a.pdf');
    expect(text.match(/pictures that are too large or too many: 1/g)).toHaveLength(3);
  });

  it('B9 that are too large for OCR are the reason why a file is unreadable', async () => {
    const pdf = pdfFile(draw('600 0 0 800 0 0'), {
      objects: [IMAGE.replace('/Width 2 /Height 2', '/Width 17000 /Height 17000')],
      xObjects: '/P1 9 0 R',
    });
    await expect(extractText(pdf, 'a.pdf', undefined, true)).rejects.toThrow('pictures are too large for');
  });

  it('X1 never make a file unreadable: it is named that they cannot be read', async () => {
    const abort = jest.spyOn(PDFiumLibrary, 'init').mockRejectedValueOnce(new Error('Aborted()'));
    const { text } = await read(`(Words) Tj ${draw('100 0 0 100 50 500')}`);
    abort.mockRestore();
    expect(text).toContain('left out: pictures of this file, which could not be searched for');
  });

  it('X1 are carried at their place on a page that is turned', async () => {
    const at = (x: number, words: string) => `0 1 -1 0 ${x} 50 Tm (${words}) Tj`;
    const { text } = await read(`${at(100, 'Above.')} ${draw('0 100 -100 0 250 50')} ${at(300, 'Below.')}`, {
      page: '/Rotate 90',
    });
    expect(text).toBe('Above.\n\n![](a.pdf.image1.png)\n\nBelow.\n');
  });
});
