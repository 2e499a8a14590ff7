import { getDocumentProxy } from 'unpdf';
import { trimSizes, type TrimSize } from '#contracts/file-kinds.js';
import { buildStructure } from '../structure/build.js';
import { typstPdf, type TypstOptions } from './typst.js';

const sentence = 'Die Hafenverwaltung veröffentlichte außergewöhnliche Wetterbeobachtungen. ';
const BOOK = `---
title: Die Salzstraße
author: Anna Fink
lang: de
---

# Der Hafen

${`${sentence.repeat(12)}\n\n`.repeat(4)}

## Ein Abschnitt

${sentence.repeat(6)}

# Briefe

${`${sentence.repeat(12)}\n\n`.repeat(5)}

# Literatur

- Quelle
`;
const optionsOf = (trim: TrimSize): TypstOptions => ({
  toc: true,
  chaptersOnNewPages: true,
  book: { trim, backMatter: 'Literatur' },
});
const write = (options = optionsOf('a5')) =>
  typstPdf(buildStructure(BOOK), () => Promise.resolve(null), options);

const open = (bytes: Uint8Array) => getDocumentProxy(new Uint8Array(bytes), { verbosity: 0 });

/** Returns the lines of each page, from top to bottom. */
async function linesOf(bytes: Uint8Array): Promise<string[][]> {
  const document = await open(bytes);
  return Promise.all(
    Array.from({ length: document.numPages }, async (_, n) => {
      const { items } = await (await document.getPage(n + 1)).getTextContent();
      const lines = new Map<number, string>();
      for (const item of items as { str: string; transform: number[] }[]) {
        const y = Math.round(item.transform[5]!);
        lines.set(y, (lines.get(y) ?? '') + item.str);
      }
      return [...lines]
        .sort(([a], [b]) => b - a)
        .map(([, text]) => text.trim())
        .filter((text) => text !== '');
    }),
  );
}

describe('the PDF of a book', () => {
  it('B12 sets a table of many columns on landscape pages, without words over others', async () => {
    const cells = ['Berth', 'Vessel registration', 'Responsible harbour officer', 'Arrival (local time)'];
    const row = [
      ...cells,
      'Departure',
      'Draught',
      'Cargo',
      'Tonnage',
      'Certificate',
      'ICX/2025/48213',
      'Remarks',
    ];
    const table = [row, row.map(() => '---'), row, row].map((line) => `| ${line.join(' | ')} |`).join('\n');
    const text = `# One\n\nText.\n\n## Berths\n\n${table}\n\n# Two\n\n${table}\n\nEnd.\n`;
    const pdf = await open(
      await typstPdf(buildStructure(text), () => Promise.resolve(null), optionsOf('5x8in')),
    );
    const wide: string[] = [];
    for (let n = 1; n <= pdf.numPages; n++) {
      const page = await pdf.getPage(n);
      const [, , width = 0, height = 0] = page.view;
      const { items } = await page.getTextContent();
      const shown = (items as { str: string; width: number; transform: number[] }[]).filter(({ str }) =>
        str.trim(),
      );
      if (width > height) wide.push(shown.map(({ str }) => str).join(' '));
      for (const one of shown)
        for (const other of shown) {
          const [x = 0, y] = one.transform.slice(4);
          const [left = 0, base] = other.transform.slice(4);
          if (y === base && left > x) expect(x + one.width).toBeLessThan(left + 0.5);
        }
    }
    expect(wide).toHaveLength(2);
    for (const words of wide) expect(words).toMatch(/(?:Berths|Two).*Certificate.*ICX\/2025\/48213/s);
  });

  it('B12 opens chapters on right pages with their number and without a running head', async () => {
    const pages = await linesOf(await write());
    const opening = (number: string, title: string) =>
      pages.findIndex(([first, second]) => first === number && second === title);
    const [first, second] = [opening('1', 'Der Hafen'), opening('2', 'Briefe')];
    expect(first).toBeGreaterThan(2);
    expect(second).toBeGreaterThan(first + 1);
    expect([first % 2, second % 2]).toEqual([0, 0]);
    expect(pages.findIndex(([line]) => line === 'Literatur') % 2).toBe(0);
    expect(pages[first + 1]![0]).toBe('Die Salzstraße');
    expect(pages[second + 1]![0]).toBe('Die Salzstraße');
    expect(pages[second + 2]![0]).toBe('Briefe');
  });

  it('B12 keeps the running head of a very long title on the page', async () => {
    const title = 'Ein sehr langer Titel, '.repeat(16);
    const structure = buildStructure(BOOK.replace(/Die Salzstraße|Der Hafen/g, title));
    const document = await open(await typstPdf(structure, () => Promise.resolve(null), optionsOf('5x8in')));
    for (let n = 1; n <= document.numPages; n++) {
      const { items } = await (await document.getPage(n)).getTextContent();
      for (const { transform } of items as { transform: number[] }[])
        expect(transform[5]).toBeLessThan(8 * 72 - 9);
    }
  });

  it('B12 numbers the pages from the first chapter, and its contents state these numbers', async () => {
    const pages = await linesOf(await write());
    const front = pages.findIndex(([first]) => first === '1');
    expect(pages.slice(0, 4)).toEqual([
      ['Die Salzstraße'],
      [],
      ['Die Salzstraße', 'Anna Fink'],
      ['Die Salzstraße', 'Anna Fink', 'Deutsch'],
    ]);
    for (const [n, page] of pages.entries()) {
      const isNumbered = n >= front && page.length > 0;
      expect([n, isNumbered && page.at(-1) === String(n - front + 1)]).toEqual([n, isNumbered]);
    }
    const contents = pages[4]!.join('\n');
    for (const title of ['Der Hafen', 'Briefe', 'Literatur']) {
      const page = pages.findIndex(
        (lines, n) => n >= front && lines.slice(0, 2).includes(title) && n % 2 === 0,
      );
      expect(contents).toMatch(new RegExp(`${title}[ .]*${page - front + 1}$`, 'm'));
    }
  });

  it('B12 sets a long book in parts with the same pages', async () => {
    const lines = async (options: TypstOptions) => {
      const pages = await linesOf(await write(options));
      return pages.flatMap((page, n) => (n === 4 ? [] : [page.join('\n')])).filter((page) => page !== '');
    };
    expect(await lines({ ...optionsOf('a5'), partSize: 2_000 })).toEqual(await lines(optionsOf('a5')));
  });

  it('65.7 ends with an index that states each page of a term once, also of a long book', async () => {
    const index = [
      { term: 'Hafenverwaltung', lines: [9, 11, 19, 23] },
      { term: 'Wetter', lines: [23] },
    ];
    const options = { ...optionsOf('a5'), book: { ...optionsOf('a5').book!, index } };
    const [pages, inParts] = [await write(options), await write({ ...options, partSize: 2_000 })];
    const lines = (await linesOf(pages)).at(-1)!;
    expect(lines[0]).toBe('Register');
    expect(lines.slice(1, 3)).toEqual(['Hafenverwaltung, 1, 2, 5', 'Wetter, 5']);
    expect(Buffer.from(inParts).equals(pages)).toBe(true);
  });

  it('B12 hyphenates in the language of the book and has serif letters', async () => {
    const bytes = await write();
    const words = new Set(BOOK.split(/\s+/));
    const ends = (await linesOf(bytes)).flat().map((line) => /\p{Ll}{2,}$/u.exec(line)?.[0]);
    // The text of a PDF has no hyphens at the ends of lines.
    expect(ends.some((end) => end !== undefined && !words.has(end))).toBe(true);
    expect(Buffer.from(bytes).toString('latin1')).toMatch(/LibertinusSerif/);
  });

  it.each(trimSizes)('B12 has pages of %s and equal bytes for equal input', async (trim) => {
    const bytes = await write(optionsOf(trim));
    const { width, height } = (await (await open(bytes)).getPage(1)).getViewport({ scale: 1 });
    const inches = /^(\d+)x(\d+)in$/.exec(trim);
    const [wide, high] = inches
      ? [Number(inches[1]) * 72, Number(inches[2]) * 72]
      : { a5: [419.5, 595.3], a4: [595.3, 841.9], letter: [612, 792], digest: [396, 612] }[
          trim as 'a5' | 'a4' | 'letter' | 'digest'
        ];
    expect([Math.abs(width - wide!) < 0.6, Math.abs(height - high!) < 0.6]).toEqual([true, true]);
    expect(Buffer.from(bytes).equals(await write(optionsOf(trim)))).toBe(true);
  });
});
