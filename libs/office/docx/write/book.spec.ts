import { trimSizes } from '#contracts/file-kinds.js';
import { unpack } from '#extraction/archive.js';
import { buildStructure } from '../../structure/build.js';
import { checkDocx } from '../check/check.js';
import type { DocxOptions } from './options.js';
import { writeDocx } from './write.js';

const BOOK = `---
title: Die Salzstraße
author: Anna Fink
lang: de
---

# Der Hafen

Erster Absatz.[^1]

Zweiter Absatz.

- Punkt

| A | B |
| - | - |
| 1 | 2 |

# Briefe & Karten

## Ein Abschnitt

Text.

# Literatur

- Quelle

[^1]: Notiz.
`;
const OPTIONS: DocxOptions = {
  toc: true,
  chaptersOnNewPages: true,
  book: { trim: 'a5', backMatter: 'Literatur' },
};

const write = (options: DocxOptions = OPTIONS, markdown = BOOK) =>
  writeDocx(buildStructure(markdown), () => Promise.resolve(null), options);

async function partsOf(options?: DocxOptions): Promise<Record<string, string>> {
  const parts = unpack(await write(options), () => true, 'the book');
  return Object.fromEntries([...parts].map(([name, bytes]) => [name, Buffer.from(bytes).toString('utf8')]));
}

describe('the look of a book', () => {
  it('B12 sets serif text, justified, hyphenated in the language of the book, without widows', async () => {
    const { 'word/styles.xml': styles, 'word/settings.xml': settings } = await partsOf();
    expect(styles).toContain('w:ascii="Times New Roman"');
    expect(styles).not.toContain('Arial');
    expect(styles).toContain('<w:lang w:val="de"');
    expect(/w:styleId="Normal">.*?<\/w:style>/.exec(styles!)?.[0]).toMatch(/widowControl.*w:jc w:val="both"/);
    for (const name of ['autoHyphenation', 'mirrorMargins', 'evenAndOddHeaders'])
      expect(settings).toContain(`<w:${name}/>`);
  });

  it('B12 has running heads with the titles of book and chapter, and none where a chapter opens', async () => {
    const parts = await partsOf();
    const text = (name: string) => parts[`word/${name}.xml`]?.replace(/<[^>]+>/g, '').trim();
    expect(['header1', 'header2', 'header3', 'header4', 'header5'].map(text)).toEqual([
      'Die Salzstraße',
      'Der Hafen',
      'Briefe &amp; Karten',
      'Literatur',
      undefined,
    ]);
    const sections = parts['word/document.xml']!.match(/<w:sectPr>.*?<\/w:sectPr>/g)!;
    expect(sections).toHaveLength(4);
    const [front, ...chapters] = sections;
    expect(front).not.toContain('headerReference');
    for (const chapter of chapters) {
      expect(chapter).toContain('<w:titlePg/>');
      expect(chapter).not.toContain('<w:headerReference w:type="first"');
    }
    expect(sections.map((section) => section.includes('<w:pgNumType w:start="1"/>'))).toEqual([
      false,
      true,
      false,
      false,
    ]);
  });

  it('B12 numbers chapters and their entries in the contents, but not the bibliography', async () => {
    const { 'word/document.xml': document } = await partsOf();
    const headings = document!.match(/<w:pStyle w:val="Heading\d"\/>.*?<\/w:p>/g)!;
    expect(headings.map((heading) => heading.includes('<w:numPr>'))).toEqual([true, true, false, false]);
    const entries = document!.match(/<w:pStyle w:val="TOC\d"\/>.*?<\/w:p>/g)!;
    expect(entries.map((entry) => entry.replace(/<w:instrText.*?<\/w:instrText>|<[^>]+>/g, ''))).toEqual([
      '1  Der Hafen1',
      '2  Briefe &amp; Karten2',
      'Ein Abschnitt2',
      'Literatur3',
    ]);
  });

  it('B12 states only what is known in the imprint', async () => {
    const imprint = async (markdown: string) => {
      const parts = unpack(await write(OPTIONS, markdown), () => true, 'the book');
      const document = Buffer.from(parts.get('word/document.xml')!).toString('utf8');
      return document
        .match(/<w:pStyle w:val="Imprint"\/>.*?<\/w:p>/g)!
        .map((line) => line.replace(/<[^>]+>/g, ''));
    };
    expect(await imprint(BOOK)).toEqual(['Die Salzstraße', 'Anna Fink', 'Deutsch']);
    expect(await imprint('---\ntitle: Only\nlang: pl-12\n---\n\n# One\n\nText.')).toEqual(['Only', 'polski']);
  });

  it.each(trimSizes)(
    'B12 is read back without a difference, with equal bytes, on pages of %s',
    async (trim) => {
      const options = { ...OPTIONS, book: { trim } };
      const docx = await write(options);
      expect(await checkDocx(buildStructure(BOOK), docx)).toEqual([]);
      expect(Buffer.from(docx).equals(await write(options))).toBe(true);
    },
  );

  it('65.7 begins with a page of the title alone, and a title page after it', async () => {
    const { 'word/document.xml': document } = await partsOf();
    const [front] = document!.split('<w:sdt>');
    const pages = front!.split('<w:br w:type="page"/>').map((page) => page.replace(/<[^>]+>/g, '').trim());
    expect(pages.slice(0, 3)).toEqual(['Die Salzstraße', '', 'Die SalzstraßeAnna Fink']);
  });

  it('65.7 ends with an index in two columns, with each page of a term once', async () => {
    const index = [
      { term: 'Absatz', lines: [9, 11, 11] },
      { term: 'Brief "A"', lines: [23] },
      { term: 'Tafel', lines: [16] },
    ];
    const options = { ...OPTIONS, book: { ...OPTIONS.book!, index } };
    const parts = await partsOf(options);
    const document = parts['word/document.xml']!;
    const entries = document.match(/<w:pStyle w:val="Index1"\/>.*?<\/w:p>/g)!;
    expect(entries.map((entry) => entry.replace(/<w:instrText.*?<\/w:instrText>|<[^>]+>/g, ''))).toEqual([
      'Absatz, 1',
      'Brief "A", 2',
      'Tafel, 1',
    ]);
    expect(document.match(/<w:sectPr>.*?<\/w:sectPr>/g)!.at(-1)).toContain('<w:cols w:num="2"');
    const contents = document.match(/<w:pStyle w:val="TOC1"\/>.*?<\/w:p>/g)!;
    const shown = contents.map((entry) => entry.replace(/<w:instrText.*?<\/w:instrText>|<[^>]+>/g, ''));
    expect(shown.slice(-2)).toEqual(['Literatur3', 'Register4']);
    expect(parts['word/header5.xml']).toContain('Register');
    expect(Buffer.from(await write(options)).equals(await write(options))).toBe(true);
  });

  it('B12 leaves the look to a template', async () => {
    const template = await write({}, '# Template\n\nText.');
    const { 'word/styles.xml': styles, 'word/settings.xml': settings } = await partsOf({
      ...OPTIONS,
      referenceDocx: template,
    });
    expect(styles).toContain('Arial');
    expect(settings).not.toContain('mirrorMargins');
  });
});
