import { accessibilityFaults, chromiumPath, launchBrowser } from '#testing/browser.js';
import { epubcheck, hasEpubcheck } from '#testing/epubcheck.js';
import { itWhere } from '#testing/it-where.js';
import { anyMarkdown } from '#testing/any-markdown.js';
import fc from 'fast-check';
import { unzipSync } from 'fflate';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { BOOK, writeSample } from '#testing/epub-book.js';

describe('EPUB in other programs', () => {
  itWhere(chromiumPath !== undefined)('B12 axe finds nothing wrong with any of its pages', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'scriptorium-axe-'));
    const browser = await launchBrowser();
    try {
      const page = await browser.newPage();
      for (const [name, bytes] of Object.entries(unzipSync(await writeSample(BOOK)))) {
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

  itWhere(hasEpubcheck)(
    'B12 epubcheck finds neither an error nor a warning in a book, and in fifty of any blocks in any order',
    async () => {
      const markdowns = fc.sample(fc.tuple(anyMarkdown, anyMarkdown), { numRuns: 50 });
      const titles = fc.sample(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 80 }), { numRuns: 50 });
      const books = [await writeSample(BOOK)];
      for (const [n, [first, second]] of markdowns.entries())
        books.push(
          await writeSample(`# One\n\n${first}\n\n![A *gauge*](gauge.png)\n\n# Two\n\n${second}\n`, {
            title: titles[n]!.trim() || 'Untitled',
            language: ['en', 'pl', 'ar'][n % 3]!,
          }),
        );
      expect(epubcheck(books)).toEqual([]);
    },
    300_000,
  );
});
