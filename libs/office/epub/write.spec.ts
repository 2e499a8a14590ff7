import { strFromU8, unzipSync } from 'fflate';
import { buildStructure } from '../structure/build.js';
import { writeEpub } from './write.js';
import { BOOK, writeSample } from '#testing/epub-book.js';

describe('EPUB', () => {
  const filesOf = (epub: Uint8Array) =>
    Object.fromEntries(Object.entries(unzipSync(epub)).map(([name, bytes]) => [name, strFromU8(bytes)]));

  it('B12 has a cover, a title page, navigation, one file per chapter, notes, and images with text alternatives', async () => {
    const files = filesOf(
      await writeSample(BOOK, { title: 'Salt & Light', subtitle: 'A coast', language: 'en' }),
    );
    expect(Object.keys(files)).toEqual(
      expect.arrayContaining(['OEBPS/cover.svg', 'OEBPS/title.xhtml', 'OEBPS/images/image-001.png']),
    );
    expect(Object.keys(files)[0]).toBe('mimetype');
    const chapter = files['OEBPS/chapter-001.xhtml']!;
    expect(chapter).toContain('<img src="images/image-001.png" alt="A gauge" width="40" height="20"/>');
    expect(chapter).toContain('[missing.png]');
    expect(chapter).toContain('href="chapter-002.xhtml#winds"');
    expect(chapter).toContain('role="doc-endnotes"');
    expect(files['OEBPS/nav.xhtml']).toContain('<a href="chapter-001.xhtml#springs">Springs</a>');
    expect(files['OEBPS/nav.xhtml']!.match(/epub:type="(\w+)" href="[\w.-]+"/g)).toEqual([
      'epub:type="cover" href="cover.xhtml"',
      'epub:type="titlepage" href="title.xhtml"',
      'epub:type="toc" href="nav.xhtml"',
      'epub:type="bodymatter" href="chapter-001.xhtml"',
    ]);
    expect(files['OEBPS/cover.svg']).toContain('Salt &amp; Light');
    expect(files['OEBPS/package.opf']).toContain('properties="cover-image"');
  });

  it('B12 numbers the chapters of a book, but not its bibliography', async () => {
    const markdown = '# One\n\n## Part\n\n# Two & more\n\n# Sources\n\nText.\n';
    const book = { trim: 'a5', backMatter: 'Sources' } as const;
    const read = async (options: object) => {
      const structure = buildStructure(markdown);
      const files = filesOf(await writeEpub(structure, async () => null, { title: 'T', ...options }));
      const headings = Object.values(files).flatMap((text) => [...text.matchAll(/<h\d id[^>]*>(.*?)</g)]);
      return [headings.map(([, words]) => words), files['OEBPS/nav.xhtml']] as const;
    };
    const [headings, nav] = await read({ book });
    expect(headings).toEqual(['1 One', 'Part', '2 Two &amp; more', 'Sources']);
    expect(nav).toContain('>2 Two &amp; more</a>');
    expect((await read({}))[0]).toEqual(['One', 'Part', 'Two &amp; more', 'Sources']);
  });

  it('65.7 ends with an index that links the first place of a term in each chapter', async () => {
    const structure = buildStructure(
      '# One\n\nSalt.\n\nMore salt.\n\n# Two\n\nSalt & light.\n\n# Sources\n\nA.\n',
    );
    const index = [
      { term: 'light', lines: [9] },
      { term: 'salt & co', lines: [3, 5, 9] },
    ];
    const book = { trim: 'a5', backMatter: 'Sources', index } as const;
    const files = filesOf(
      await writeEpub(structure, async () => null, { title: 'T', language: 'de', book: { ...book, index } }),
    );
    const list = files['OEBPS/chapter-004.xhtml']!.match(/<li>.*<\/li>/g);
    expect(list).toEqual([
      '<li>light, <a href="chapter-002.xhtml#index-3" title="Two">2</a></li>',
      '<li>salt &amp; co, <a href="chapter-001.xhtml#index-1" title="One">1</a>, <a href="chapter-002.xhtml#index-3" title="Two">2</a></li>',
    ]);
    expect(files['OEBPS/chapter-001.xhtml']).toContain('id="index-1"');
    expect(files['OEBPS/nav.xhtml']).toContain('<a href="chapter-004.xhtml">Register</a>');
    expect(files['OEBPS/nav.xhtml']).toContain('<a href="chapter-003.xhtml">Sources</a>');
  });

  it('B12 produces the same bytes for the same book', async () => {
    expect(Buffer.from(await writeSample(BOOK)).equals(await writeSample(BOOK))).toBe(true);
  });
});
