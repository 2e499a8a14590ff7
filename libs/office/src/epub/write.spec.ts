import { accessibilityFaults, chromiumPath, launchBrowser } from '#testing/browser.js';
import { epubcheck, hasEpubcheck } from '#testing/epubcheck.js';
import { anyMarkdown } from '#writing/testing/any-markdown.js';
import fc from 'fast-check';
import { strFromU8, unzipSync } from 'fflate';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import sharp from 'sharp';
import { buildStructure } from '../structure/build.js';
import { writeEpub, type EpubOptions } from './write.js';

const BOOK = `# Tides

Some *words* of [a place](#winds), a note[^a] & <b>more</b>.

![A gauge](gauge.png)

![](missing.png)

## Springs

| A |   |
| - | - |
| 1 | 2 |

> [!NOTE]
> Beware.

- [x] done
- open

# Winds

\`\`\`js
const a = '<x>';
\`\`\`

[^a]: Said by *one*.
`;

describe('EPUB', () => {
  let png: Uint8Array;
  beforeAll(async () => {
    const image = sharp({ create: { width: 40, height: 20, channels: 3, background: '#369' } });
    png = await image.png().toBuffer();
  });
  const resolve = (ref: string) => Promise.resolve(ref === 'gauge.png' ? png : null);
  const write = (markdown: string, options: EpubOptions = { title: 'Salt & Light', author: 'A. Finch' }) =>
    writeEpub(buildStructure(markdown), resolve, options);
  const filesOf = (epub: Uint8Array) =>
    Object.fromEntries(Object.entries(unzipSync(epub)).map(([name, bytes]) => [name, strFromU8(bytes)]));

  it('B12 has a cover, a title page, navigation, a file a chapter, notes and images with words', async () => {
    const files = filesOf(await write(BOOK, { title: 'Salt & Light', subtitle: 'A coast', language: 'en' }));
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
    expect(files['OEBPS/cover.svg']).toContain('Salt &amp; Light');
    expect(files['OEBPS/package.opf']).toContain('properties="cover-image"');
  });

  it('B12 gives equal bytes for an equal book', async () => {
    expect(Buffer.from(await write(BOOK)).equals(await write(BOOK))).toBe(true);
  });

  (chromiumPath ? it : it.skip)('B12 axe finds nothing wrong with any of its pages', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'scriptorium-axe-'));
    const browser = await launchBrowser();
    try {
      const page = await browser.newPage();
      for (const [name, bytes] of Object.entries(unzipSync(await write(BOOK)))) {
        await mkdir(dirname(join(folder, name)), { recursive: true });
        await writeFile(join(folder, name), bytes);
      }
      for (const name of ['cover', 'title', 'nav', 'chapter-001', 'chapter-002']) {
        await page.goto(pathToFileURL(join(folder, 'OEBPS', `${name}.xhtml`)).href);
        expect([name, await accessibilityFaults(page)]).toEqual([name, []]);
      }
    } finally {
      await browser.close();
      await rm(folder, { recursive: true });
    }
  });

  (hasEpubcheck ? it : it.skip)(
    'B12 epubcheck finds neither an error nor a warning in a book, and in fifty of any blocks in any order',
    async () => {
      const markdowns = fc.sample(fc.tuple(anyMarkdown, anyMarkdown), { numRuns: 50 });
      const titles = fc.sample(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 80 }), { numRuns: 50 });
      const books = [await write(BOOK)];
      for (const [n, [first, second]] of markdowns.entries())
        books.push(
          await write(`# One\n\n${first}\n\n![A *gauge*](gauge.png)\n\n# Two\n\n${second}\n`, {
            title: titles[n]!.trim() || 'Untitled',
            language: ['en', 'pl', 'ar'][n % 3]!,
          }),
        );
      expect(epubcheck(books)).toEqual([]);
    },
    300_000,
  );
});
