import fc from 'fast-check';
import { takeInventory } from '#inventory/take-inventory.js';
import { zipFile } from '#testing/office-files.js';
import { extractText } from '../extract.js';

const page = (body: string) =>
  `<?xml version="1.0"?><!DOCTYPE html><html xmlns="http://www.w3.org/1999/xhtml"><head><title/><script src="x.js"/></head><body>${body}</body></html>`;
const book = (
  pages: Record<string, string>,
  spine: string[],
  more: Record<string, string | Uint8Array> = {},
  items = '',
) =>
  zipFile({
    'META-INF/container.xml':
      '<container><rootfiles><rootfile full-path="OEBPS/book.opf"/></rootfiles></container>',
    'OEBPS/book.opf': `<opf:package xmlns:opf="o"><opf:manifest>${Object.keys(pages)
      .map((name) => `<opf:item id="${name}" href="text/${name}.xhtml" media-type="application/xhtml+xml"/>`)
      .join(
        '',
      )}${items}</opf:manifest><opf:spine>${spine.map((id) => `<opf:itemref idref="${id}"/>`).join('')}</opf:spine></opf:package>`,
    ...Object.fromEntries(
      Object.entries(pages).map(([name, body]) => [`OEBPS/text/${name}.xhtml`, page(body)]),
    ),
    ...more,
  });

describe('epubText', () => {
  it('D4 reads the pages of a book in reading order, with pictures, formulas and empty elements of XHTML', async () => {
    const png = Uint8Array.from([0x89, 0x50]);
    const pages = {
      two: '<h2><a id="x"/>Second &amp; last</h2><p>a<br/>b&nbsp;c <em/>d</p><p><img src="../img/a%20b.png" alt="Ship"/></p>',
      one: '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"><image xlink:href="../img/a%20b.png"/></svg><h1>First</h1><p>x<sup>2</sup><![CDATA[<y>]]></p><ol start="4"><li>four</li></ol>',
    };
    const { text, images } = await extractText(
      book(pages, ['one', 'two'], { 'OEBPS/img/a b.png': png }),
      'a.epub',
    );
    expect(text).toBe(
      '![](a.epub.image1.png)\n\n# First\n\nx²\\<y>\n\n4. four\n\n## Second & last\n\na\\\nb\u00a0c d\n\n![Ship](a.epub.image1.png)\n',
    );
    expect(images?.map(({ name }) => name)).toEqual(['a.epub.image1.png']);
  });

  it('D4 reports the table of contents and pages outside the reading order', async () => {
    const nav = '<opf:item id="nav" properties="nav" href="nav.xhtml" media-type="application/xhtml+xml"/>';
    const file = book(
      { one: '<p>words</p>', lost: '<p>not led to</p>' },
      ['nav', 'one'],
      { 'OEBPS/nav.xhtml': page('<ol><li>One</li><li>Two</li></ol>') },
      nav,
    );
    expect((await extractText(file, 'a.epub')).text).toBe(
      '<!-- left out: table of contents (lines: 2) -->\n\nwords\n\n<!-- left out: page outside the reading order: lost.xhtml not led to -->\n',
    );
  });

  it('D4 reports pages of the reading order that the book lacks', async () => {
    const gone = '<opf:item id="gone" href="text/gone%201.xhtml" media-type="application/xhtml+xml"/>';
    const bytes = book({ one: '<p>words</p>' }, ['gone', 'one'], {}, gone);
    const { text } = await extractText(bytes, 'a.epub');
    expect(text).toBe('<!-- left out: page that the book lacks: gone 1.xhtml -->\n\nwords\n');
    const { entries } = await takeInventory(bytes, 'a.epub', { text, encoding: null });
    expect(entries).toMatchObject([{ outcome: 'left_out', words: 'gone 1.xhtml' }]);
  });

  it('D4 names pages of the reading order that the list of files lacks', async () => {
    const bytes = book({ one: '<p>words</p>' }, ['chapter-2', 'one', 'chapter-2'], {});
    const { text } = await extractText(bytes, 'a.epub');
    expect(text).toBe('<!-- left out: page that the book lacks: chapter-2 -->\n\nwords\n');
    const { entries } = await takeInventory(bytes, 'a.epub', { text, encoding: null });
    expect(entries).toMatchObject([{ outcome: 'left_out', words: 'chapter-2' }]);
  });

  it('D4 reads damaged pages as far as possible, and rejects files that are protected or not books', async () => {
    const damagedPage = { 'OEBPS/text/one.xhtml': '<p>one <b>two</p><p>three & four' };
    expect((await extractText(book({ one: '' }, ['one'], damagedPage), 'a.epub')).text).toBe(
      'one two\n\nthree & four\n',
    );
    await expect(extractText(zipFile({ 'x.txt': 'x' }), 'a.epub')).rejects.toThrow('a.epub is not an EPUB');
    const protection = { 'META-INF/encryption.xml': '<e><CipherReference URI="OEBPS/text/one.xhtml"/></e>' };
    await expect(extractText(book({ one: '' }, ['one'], protection), 'a.epub')).rejects.toThrow(
      'protected against copying',
    );
    const fonts = { 'META-INF/encryption.xml': '<e><CipherReference URI="OEBPS/f.otf"/></e>' };
    expect((await extractText(book({ one: 'x' }, ['one'], fonts), 'a.epub')).text).toBe('x\n');
  });

  it('reads a page once, however often the reading order and the list of files name it', async () => {
    const ids = Array.from({ length: 3_000 }, (_, n) => `copy${n}`);
    const items = ids.map(
      (id) => `<opf:item id="${id}" href="text/one.xhtml" media-type="application/xhtml+xml"/>`,
    );
    const spine = ['two', ...ids.flatMap((id) => [id, 'one', 'two'])];
    const file = book({ one: '<p>one</p>', two: '<p>two</p>' }, spine, {}, items.join(''));
    expect((await extractText(file, 'a.epub')).text).toBe('two\n\none\n');
  });

  it('X1 carries or reports every word of any book', async () => {
    const word = fc.nat({ max: 999_999 }).map((n) => `w${n}w`);
    const bodies = fc.array(
      fc.tuple(word, fc.constantFrom('p', 'h1', 'li', 'td', 'aside', 'i'), fc.boolean()),
      { maxLength: 5 },
    );
    await fc.assert(
      fc.asyncProperty(bodies, async (all) => {
        const pages = Object.fromEntries(
          all.map(([text, tag], index) => [`p${index}`, `<${tag}/><${tag}>${text}</${tag}>`]),
        );
        const spine = all.flatMap(([, , isShown], index) => (isShown ? [`p${index}`] : []));
        const { text } = await extractText(book(pages, spine), 'a.epub');
        for (const [each] of all) expect(text).toContain(each);
      }),
    );
  });
});
