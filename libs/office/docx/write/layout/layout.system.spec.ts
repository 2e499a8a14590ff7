import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { gunzipSync } from 'node:zlib';
import sharp from 'sharp';
import { buildStructure } from '../../../structure/build.js';
import { itWith } from '#testing/programs.js';
import { run } from '#testing/docx/tools.js';
import { readDocx } from '../../read/read.js';
import { writeDocx, type AssetResolver } from '../write.js';

const root = new URL('../../../../../', import.meta.url);
const CORPUS = [
  'README.md',
  'CONTRIBUTING.md',
  'docs/ARCHITECTURE.md',
  'docs/ADDING.md',
  'docs/OPERATIONS.md',
  'docs/RELIABILITY.md',
  'docs/SECURITY.md',
  'examples/handover/01-README.md',
  'examples/handover/02-operations.md',
  'examples/incident/01-timeline.md',
  'test/fixtures/markdown/tour.md',
];

const SIZES: Readonly<Record<string, [number, number]>> = { 'full.png': [900, 1300], 'wide.png': [700, 300] };
const assets: AssetResolver = async (ref) => {
  const [width, height] = SIZES[ref] ?? [0, 0];
  if (width === 0) return null;
  return sharp({ create: { width, height, channels: 3, background: '#369' } })
    .png()
    .toBuffer();
};

const words = (count: number): string =>
  Array.from(
    { length: count },
    (_, i) => ['order', 'database', 'zażółć', 'of', 'the', 'x'][(i * 7) % 6],
  ).join(' ');
const repeat = (count: number, part: (i: number) => string): string =>
  Array.from({ length: count }, (_, i) => part(i + 1)).join('\n');

/**
 * Content whose page is hard to estimate: pictures, notes, tables across pages, long logs, lists, words without spaces.
 */
const MADE: Readonly<Record<string, string>> = {
  pictures: repeat(
    8,
    (i) => `# P ${i}\n\nWords.\n\n![Full ${i}](full.png)\n\n## W ${i}\n\n${words(60)} ![](wide.png)\n`,
  ),
  notes: repeat(
    40,
    (i) => `## N ${i}\n\n${words(90)}[^${i}] ${words(30)}\n\n[^${i}]: ${words(i % 30)} end\n`,
  ),
  tables: repeat(
    12,
    (i) => `## T ${i}\n\n| A | B |\n| - | -: |\n${repeat(9 * i, (k) => `| ${words(k % 20)} | ${k} |`)}\n`,
  ),
  logs: repeat(
    6,
    (i) => `# L ${i}\n\n\`\`\`log\n${repeat(150 * i, (k) => `2026 [w-${k}]\t${words(k % 25)}`)}\n\`\`\`\n`,
  ),
  chapters: repeat(
    12,
    (i) => `# C ${i}\n\n${repeat(i, () => `${words(90)}\n`)}\n> # Q ${i}\n\n## S ${i}\n\n${words(120)}\n`,
  ),
  paths: repeat(
    40,
    (i) =>
      `## S ${i}\n\n${repeat(4, (k) => `${k}. ${words(k + (i % 7))} \`libs/order/database/queue.ts\` ${words(3)} on 2026-01-${10 + k} and/or ${words(i % 5)} \`npm run docs\`.\n`)}`,
  ),
  missing: repeat(30, (i) => `## M ${i}${' ![a state](no-1.png)'.repeat(2)}\n\n${words(60)}\n`),
  lists: repeat(
    30,
    (i) => `## I ${i}\n\n${repeat(i, (k) => `${k}. ${words(k)}\n   - ${words(20)}`)}\n\n> ${words(i * 3)}\n`,
  ),
};

/** The page of each bookmark, as LibreOffice sets the documents. */
async function truePages(folder: string, names: readonly string[]): Promise<Map<string, number>[]> {
  const filter = '{"ExportBookmarksToPDFDestination":{"type":"boolean","value":"true"}}';
  const files = names.map((name) => join(folder, `${name}.docx`));
  await run('soffice', [
    `-env:UserInstallation=${pathToFileURL(join(folder, 'profile')).href}`,
    '--headless',
    '--convert-to',
    `pdf:writer_pdf_Export:${filter}`,
    '--outdir',
    folder,
    ...files,
  ]);
  return Promise.all(
    names.map(async (name) => {
      const { stdout } = await run('pdfinfo', ['-dests', join(folder, `${name}.pdf`)]);
      return new Map(
        [...stdout.matchAll(/^ *(\d+) \[.*"(.*)"$/gm)].map(([, page, mark]) => [mark ?? '', Number(page)]),
      );
    }),
  );
}

/**
 * The documentation of a service as one document: tables with rows higher than a page, and much text after them. It is
 * a copy, because an extra line before a page break would move all later headings.
 */
async function book(): Promise<string> {
  const file = new URL('test/fixtures/markdown/pages-of-a-service.md.gz', root);
  return gunzipSync(await readFile(file)).toString('utf8');
}

/** Whether this machine's fonts have the widths that the estimate uses. */
async function metricEqualFonts(): Promise<boolean> {
  try {
    const found = await Promise.all(
      ['Arial', 'Times New Roman', 'Courier New'].map((font) => run('fc-match', [font])),
    );
    return found.every(({ stdout }) => /liberation|arial|times new roman|courier new/i.test(stdout));
  } catch {
    return false;
  }
}

/** After this page the README promises only a rough estimate: one page more or less. */
const LAST_EXACT_PAGE = 90;

const isRight = (stated: number, truth: number): boolean =>
  Math.abs(stated - truth) <= (truth > LAST_EXACT_PAGE ? 1 : 0);

const itWithLibreOffice = (await metricEqualFonts()) ? itWith('soffice', 'pdfinfo') : it.skip;

describe('page numbers of the table of contents', () => {
  let folder = '';
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'scriptorium-pages-'));
  });
  afterAll(async () => {
    await rm(folder, { recursive: true, force: true });
  });

  itWithLibreOffice(
    'D24 are those that LibreOffice finds: 95 of 100 at least, in every kind of document',
    async () => {
      const documents = new Map(Object.entries(MADE));
      for (const path of CORPUS)
        documents.set(path.replace(/\W/g, '-'), await readFile(new URL(path, root), 'utf8'));
      documents.set('book', await book());
      const names = [...documents.keys()];
      const stated: Map<string, string>[] = [];
      for (const [name, markdown] of documents) {
        const bytes = await writeDocx(buildStructure(markdown), assets, {
          toc: true,
          title: name,
          chaptersOnNewPages: name === 'chapters',
        });
        await writeFile(join(folder, `${name}.docx`), bytes);
        stated.push(new Map(readDocx(bytes).toc.map(({ bookmark, page }) => [bookmark, page])));
      }
      const truth = await truePages(folder, names);
      let equal = 0;
      let total = 0;
      names.forEach((name, i) => {
        const entries = [...(stated[i] ?? [])].filter(([mark]) => truth[i]?.has(mark));
        const right = entries.filter(([mark, page]) => isRight(Number(page), truth[i]!.get(mark)!)).length;
        if (name in MADE || name === 'book')
          expect([name, right >= 0.95 * entries.length, entries.length > 5]).toEqual([name, true, true]);
        equal += right;
        total += entries.length;
      });
      expect(total).toBeGreaterThan(150);
      expect(equal / total).toBeGreaterThanOrEqual(0.95);
    },
    300_000,
  );

  itWithLibreOffice(
    'B12 are those that LibreOffice finds in a book whose words nobody hyphenates, from its first chapter on',
    async () => {
      const markdown = [MADE.chapters, MADE.tables, MADE.notes, MADE.pictures].join('\n');
      const bytes = await writeDocx(buildStructure(markdown), assets, {
        toc: true,
        title: 'printed',
        chaptersOnNewPages: true,
        // LibreOffice has no dictionary to hyphenate this language.
        language: 'la',
        book: { trim: 'a5' },
      });
      await writeFile(join(folder, 'printed.docx'), bytes);
      const [truth] = await truePages(folder, ['printed']);
      const entries = readDocx(bytes).toc.filter(({ bookmark }) => truth!.has(bookmark));
      const before = truth!.get(entries[0]!.bookmark)! - 1;
      const right = entries.filter(({ bookmark, page }) =>
        isRight(Number(page), truth!.get(bookmark)! - before),
      );
      expect(entries[0]!.page).toBe('1');
      expect(entries.length).toBeGreaterThan(20);
      expect(right.length / entries.length).toBeGreaterThanOrEqual(0.95);
    },
    300_000,
  );
});
