import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Locator, Page } from 'playwright-core';
import type { ApiClient } from './api-client.js';
import { accessibilityFaults, launchBrowser, watchPage } from './browser.js';
import type { TcpProxy } from './tcp-proxy.js';

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
  /** What axe finds on the page as it stands, in both colour schemes, and on a telephone, which it must not be wider than. */
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
  page.setDefaultTimeout(150_000);
  const faults = watchPage(page, stack.url);
  Object.assign(globalThis, { onTestFailure: () => shownBy(page, faults) });
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
    accessibility: async () => [...(await faultsInBothSchemes(page)), ...(await faultsOfTelephone(page))],
    close: () => browser.close(),
  };
}

/** What a page shows when a test fails: that it waited for something says little. */
async function shownBy(page: Page, faults: readonly string[]): Promise<string> {
  const content = page.locator('main, body').last();
  const shown = await content.ariaSnapshot({ timeout: 10_000 }).catch(String);
  return [page.url(), ...faults, shown].join('\n');
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

/** When everything has faded that does; what turns for ever is not waited for. */
const FADED = `Promise.all(document.getAnimations()
  .filter((animation) => animation.effect.getComputedTiming().endTime !== Infinity)
  .map((animation) => animation.finished.catch(() => null)))`;

async function faultsInBothSchemes(page: Page): Promise<string[]> {
  const faults: string[] = [];
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    // The page takes the scheme over a moment later; what fades then has another contrast until it is there.
    await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
    await page.evaluate(FADED);
    faults.push(...(await accessibilityFaults(page)).map((fault) => `${colorScheme}: ${fault}`));
  }
  return faults;
}

const TELEPHONE = { width: 390, height: 800 };

/** In the colours that the page has; its size is the one from before again afterwards. */
async function faultsOfTelephone(page: Page): Promise<string[]> {
  const before = page.viewportSize() ?? TELEPHONE;
  await page.setViewportSize(TELEPHONE);
  const pixels = await overflow(page);
  const faults = await accessibilityFaults(page);
  await page.setViewportSize(before);
  return [
    ...faults.map((fault) => `390 px: ${fault}`),
    ...(pixels === 0 ? [] : [`390 px: ${pixels} px wider than the window`]),
  ];
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

/** The notice of a page whose stream broke off. */
const lost = (page: Page) => page.getByText('Connection lost; reconnecting').first();

/** Cuts the wire of a page that follows a run, and mends it: the page says so, and goes on by itself. */
export async function loseConnection(page: Page, relay: TcpProxy): Promise<void> {
  relay.cut();
  await lost(page).waitFor();
  relay.mend();
  await lost(page).waitFor({ state: 'detached' });
}

/** The gateway dies as by a crash under a page that follows a run; the page goes on by itself once another took its place. */
export async function killGateway(page: Page, stack: { kill(name: 'gateway'): number }): Promise<void> {
  stack.kill('gateway');
  await lost(page).waitFor();
  await lost(page).waitFor({ state: 'detached' });
}

/** More places than any page of the studio has for the focus. */
const PLACES = 200;

/** Goes on by Tab until something has the focus, as who has no mouse does. @throws Error when it is not to be reached */
export async function tabTo(page: Page, target: Locator): Promise<void> {
  // What is drawn over a radio button hides it.
  await target.waitFor({ state: 'attached' });
  const focused = target.and(page.locator(':focus'));
  for (let presses = 0; presses < PLACES; presses++) {
    if ((await focused.count()) > 0) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`the keyboard does not reach ${target}`);
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
