import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Locator, Page } from 'playwright-core';
import type { ApiClient } from './api-client.js';
import { accessibilityFaults, launchBrowser, watchPage } from './browser.js';

/** A browser that is signed in to the studio as a tenant. */
export interface Studio {
  browser: Browser;
  page: Page;
  tenant: ApiClient;
  url: string;
  /** What the pages did that they must not, so far. */
  faults: string[];
  /** Opens a page of the studio and waits until it shows what it has read. */
  open(path: string): Promise<void>;
  /** What axe finds on the page as it stands, in both colour schemes. */
  accessibility(): Promise<string[]>;
  close(): Promise<void>;
}

interface Served {
  url: string;
  tenant(name?: string): Promise<ApiClient>;
}

/** Signs a new tenant of a running system in, in a browser of its own. */
export async function openStudio(stack: Served, known?: ApiClient): Promise<Studio> {
  const tenant = known ?? (await stack.tenant());
  const browser = await launchBrowser();
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
  const page = await context.newPage();
  // Whole runs are waited for, on whatever machine; a test that hangs ends by jest's own patience.
  page.setDefaultTimeout(60_000);
  const faults = watchPage(page, stack.url);
  await signIn(page, stack.url, tenant);
  return {
    browser,
    page,
    tenant,
    url: stack.url,
    faults,
    open: async (path) => {
      await page.goto(stack.url + path);
      await settled(page);
    },
    accessibility: () => faultsInBothSchemes(page),
    close: () => browser.close(),
  };
}

/** Signs a page in by a link of the tenant, as `npm start` prints one. */
export async function signIn(page: Page, url: string, tenant: ApiClient): Promise<void> {
  const { path } = (await tenant.post('/api/studio/sign-in-links')).json;
  await page.goto(url + String(path));
  await page.getByRole('navigation').first().waitFor();
}

/** Waits until a page has its heading and nothing of it is being loaded. */
export async function settled(page: Page): Promise<void> {
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page
    .getByRole('status', { name: /^(?:Loading|Wczytywanie)/ })
    .first()
    .waitFor({ state: 'detached' });
}

async function faultsInBothSchemes(page: Page): Promise<string[]> {
  const faults: string[] = [];
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    // The page takes the scheme over a moment later; what fades then has another contrast until it is there.
    await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
    await page.evaluate('Promise.all(document.getAnimations().map((a) => a.finished.catch(() => null)))');
    faults.push(...(await accessibilityFaults(page)).map((fault) => `${colorScheme}: ${fault}`));
  }
  return faults;
}

/** Frames that a page has to take over a new width and what it has read. */
const FRAMES = 300;

/** Pixels by which a page is wider than the window, once it is none or stays so. */
export async function overflow(page: Page): Promise<number> {
  let pixels = 0;
  for (let frame = 0; frame < FRAMES; frame++) {
    pixels = await page.evaluate<number>(
      'new Promise((done) => requestAnimationFrame(() => done(document.documentElement.scrollWidth - innerWidth)))',
    );
    if (pixels === 0) break;
  }
  return pixels;
}

/** Presses a download button and returns the name and the bytes of what comes. */
export async function download(page: Page, button: Locator): Promise<{ name: string; bytes: Buffer }> {
  const [file] = await Promise.all([page.waitForEvent('download'), button.click()]);
  const folder = await mkdtemp(join(tmpdir(), 'scriptorium-download-'));
  try {
    const path = join(folder, 'file');
    await file.saveAs(path);
    return { name: file.suggestedFilename(), bytes: await readFile(path) };
  } finally {
    await rm(folder, { recursive: true });
  }
}
