import { execFile } from 'node:child_process';
import { mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { promisify } from 'node:util';
import { accessibilityFaults, chromiumPath, launchBrowser, watchPage } from '#testing/browser.js';
import type { Browser, Page } from 'playwright-core';

const GALLERY = join(process.cwd(), 'test/studio/gallery');
const STUDIO = join(process.cwd(), 'apps/studio');
/** Answered by this spec: nothing is sent. */
const ORIGIN = 'http://127.0.0.1:9';
const TYPES: Record<string, string> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.json': 'application/json',
  '.woff2': 'font/woff2',
};
/** Largest share of the pixels of a component that may differ from its picture. */
const TOLERANCE = 0.003;
const VIEWS = [
  { name: 'light', colorScheme: 'light', width: 800 },
  { name: 'dark', colorScheme: 'dark', width: 800 },
  { name: 'phone', colorScheme: 'light', width: 390 },
] as const;
/** Exported components that show nothing of their own, or only with a service, whose pages other specs open. */
const ELSEWHERE = [
  ...[
    'Age',
    'ChangeProposal',
    'ChangeSelection',
    'ChangedMarkdown',
    'ChangedWords',
    'ConfirmButton',
    'ConnectionNotice',
    'CopyLink',
  ],
  ...[
    'FindingNotes',
    'FindingText',
    'Form',
    'FormDialog',
    'FoundWords',
    'Heading',
    'Inlines',
    'InsertComments',
    'LazyDialog',
    'LazyMarkdownEditor',
    'LeaveGuard',
    'ListPage',
  ],
  ...[
    'MarkdownEditor',
    'Moment',
    'NewItem',
    'PageTabs',
    'ProblemCode',
    'ProposedText',
    'RenderedText',
    'ReturnedFile',
  ],
  ...[
    'RouteAnchor',
    'RouteNavLink',
    'Rows',
    'RunFailure',
    'RunLink',
    'SelectableText',
    'ShownStates',
    'SourceFacts',
    'StructureView',
  ],
  ...['Comments', 'StudioTheme', 'WorkLink'],
];

/** The studio's components in all their states on one page, beside the pictures that people looked at (66.15). `RERECORD=1` makes new ones. */
(chromiumPath ? describe : describe.skip)('components of the studio (chromium)', () => {
  let browser: Browser;
  let built: string;
  beforeAll(async () => {
    built = await mkdtemp(join(tmpdir(), 'scriptorium-gallery-'));
    await promisify(execFile)(process.execPath, [join(GALLERY, 'build.js'), built]);
    browser = await launchBrowser();
  });
  afterAll(async () => {
    await browser.close();
    await rm(built, { recursive: true });
  });

  /** Opens the page of components at a fixed time. @returns the page and what it did wrong */
  async function openGallery({ colorScheme, width }: (typeof VIEWS)[number]) {
    const context = await browser.newContext({
      viewport: { width, height: 900 },
      colorScheme,
      locale: 'en-GB',
      timezoneId: 'UTC',
      reducedMotion: 'reduce',
    });
    const page = await context.newPage();
    const faults = watchPage(page, ORIGIN);
    await page.clock.setFixedTime('2026-01-03T10:30:00Z');
    await page.route('**', async (route) => {
      const path = new URL(route.request().url()).pathname;
      const file = path === '/' ? 'index.html' : path.slice(1);
      const body = await readFile(join(built, file)).catch(() => null);
      const contentType = TYPES[extname(file)];
      await route.fulfill(body && contentType ? { body, contentType } : { status: 404 });
    });
    await page.goto(ORIGIN);
    // Also those in parts that are loaded on demand.
    await page.getByText('A gasket.').nth(1).waitFor();
    await page.locator('.cm-content').first().waitFor();
    await page.getByText('Invalid request').nth(4).waitFor();
    await page.evaluate('document.fonts.ready');
    return { context, page, faults };
  }

  /** Returns the picture of a component alone: below others, it would begin within a pixel. */
  async function pictureOf(page: Page, component: string): Promise<Buffer> {
    const shown = JSON.stringify(component);
    await page.evaluate(
      `for (const each of document.querySelectorAll('[data-component]')) each.hidden = each.dataset.component !== ${shown}`,
    );
    return page
      .locator(`[data-component="${component}"]`)
      .screenshot({ animations: 'disabled', caret: 'hide' });
  }

  it('are all among them', async () => {
    const { context, faults } = await openGallery(VIEWS[0]);
    const files = await readdir(join(STUDIO, 'src/ui'), { recursive: true });
    const texts = await Promise.all(
      files
        .filter((file) => file.endsWith('.tsx'))
        .map((file) => readFile(join(STUDIO, 'src/ui', file), 'utf8')),
    );
    const components = texts.flatMap((text) =>
      [...text.matchAll(/^export (?:default )?(?:function|const) ([A-Z][a-z]\w*)/gm)].map(
        ([, name]) => name!,
      ),
    );
    const states = await readFile(join(GALLERY, 'states.tsx'), 'utf8');
    const isShown = (name: string) => new RegExp(`<${name}\\b`).test(states);
    expect(components.filter((name) => !isShown(name)).sort()).toEqual(ELSEWHERE.toSorted());
    expect(faults).toEqual([]);
    await context.close();
  });

  it.each(VIEWS)('look as in their pictures and are accessible: $name', async (view) => {
    const { context, page, faults } = await openGallery(view);
    // The states of a component have one name.
    const unclear = (await accessibilityFaults(page)).filter((fault) => !fault.startsWith('landmark-unique'));
    expect(unclear).toEqual([]);
    const others: string[] = [];
    for (const component of await page.evaluate<string[]>('components')) {
      const path = join(GALLERY, 'pictures', `${component}-${view.name}.png`);
      const actual = await pictureOf(page, component);
      if (process.env['RERECORD'] === '1') await writeFile(path, actual);
      const pictures = [await readFile(path), actual].map((each) => each.toString('base64'));
      const share = await page.evaluate<number>(`differenceOf(...${JSON.stringify(pictures)})`);
      if (share > TOLERANCE) others.push(`${component}: ${(100 * share).toFixed(2)} %`);
    }
    expect(others).toEqual([]);
    expect(faults).toEqual([]);
    await context.close();
  });
});
