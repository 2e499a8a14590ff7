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
  /** Forbidden behaviour of the pages so far. */
  faults: string[];
  /** Opens a page of the studio and waits until its data is shown. */
  open(path: string): Promise<void>;
  /**
   * Returns axe's findings on the current page in both colour schemes, on a telephone and at 200 % zoom, and whether the page is too wide
   * there.
   */
  accessibility(): Promise<string[]>;
  close(): Promise<void>;
}

interface Served {
  url: string;
  tenant(name?: string): Promise<ApiClient>;
}

/** Opens a separate browser and signs it in as a new tenant of a running system. */
export async function openStudio(stack: Served, known?: ApiClient): Promise<Studio> {
  const tenant = known ?? (await stack.tenant());
  const browser = await launchBrowser();
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
  const page = await context.newPage();
  // Tests wait for whole runs on machines of any speed; jest's own time limit ends a test that hangs.
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
    accessibility: async () => [
      ...(await faultsInBothSchemes(page)),
      ...(await faultsAt(page, '390 px', TELEPHONE)),
      ...(await faultsAt(page, '200 %', ZOOMED)),
    ],
    close: () => browser.close(),
  };
}

/** Describes the page after a failed test, because a timeout alone explains little. */
async function shownBy(page: Page, faults: readonly string[]): Promise<string> {
  const content = page.locator('main, body').last();
  const shown = await content.ariaSnapshot({ timeout: 10_000 }).catch(String);
  return [page.url(), ...faults, shown].join('\n');
}

/** Signs a page in with a link of the tenant, like the link that `npm start` prints. */
export async function signIn(page: Page, url: string, tenant: ApiClient): Promise<void> {
  const { path } = (await tenant.post('/api/studio/sign-in-links')).json;
  await page.goto(url + String(path));
  await page.getByRole('navigation').first().waitFor();
}

/** Waits until a page has its heading and has loaded everything. */
export async function settled(page: Page): Promise<void> {
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page
    .getByRole('status', { name: /^(?:Loading|Wczytywanie)/ })
    .first()
    .waitFor({ state: 'detached' });
}

/** Resolves once all finite animations have ended; endless ones are ignored. */
const FADED = `Promise.all(document.getAnimations()
  .filter((animation) => animation.effect.getComputedTiming().endTime !== Infinity)
  .map((animation) => animation.finished.catch(() => null)))`;

async function faultsInBothSchemes(page: Page): Promise<string[]> {
  const faults: string[] = [];
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    // The page adopts the scheme a moment later, and colours that still fade have a different contrast.
    await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
    await page.evaluate(FADED);
    faults.push(...(await accessibilityFaults(page)).map((fault) => `${colorScheme}: ${fault}`));
  }
  return faults;
}

const TELEPHONE = { width: 390, height: 800 };
/** A window of 1280 by 900 pixels at a zoom of 200 %. */
const ZOOMED = { width: 640, height: 450 };

/** Returns accessibility findings at a window's size, in both colour schemes; restores the size afterwards. */
async function faultsAt(
  page: Page,
  name: string,
  size: { width: number; height: number },
): Promise<string[]> {
  const before = page.viewportSize() ?? size;
  await page.setViewportSize(size);
  const pixels = await overflow(page);
  const faults = await faultsInBothSchemes(page);
  await page.setViewportSize(before);
  return [
    ...faults.map((fault) => `${name}: ${fault}`),
    ...(pixels === 0 ? [] : [`${name}: ${pixels} px wider than the window`]),
  ];
}

/** Number of frames in which a page adopts a new width and shows loaded data. */
const FRAMES = 300;

/** Returns the pixels by which a page is wider than the window, waiting for a while until it fits. */
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

/** Locates the notice about a broken stream. */
const lostConnectionNotice = (page: Page) => page.getByText('Connection lost; reconnecting').first();

/** Cuts the connection of a page that follows a run and restores it. Expects a notice, then a reconnection. */
export async function loseConnection(page: Page, relay: TcpProxy): Promise<void> {
  relay.cut();
  await lostConnectionNotice(page).waitFor();
  relay.mend();
  await lostConnectionNotice(page).waitFor({ state: 'detached' });
}

/** Kills the gateway of a page that follows a run. Expects a notice, then a reconnection once a new gateway has started. */
export async function killGateway(page: Page, stack: { kill(name: 'gateway'): number }): Promise<void> {
  stack.kill('gateway');
  await lostConnectionNotice(page).waitFor();
  await lostConnectionNotice(page).waitFor({ state: 'detached' });
}

/** More than the number of focusable elements on any page of the studio. */
const PLACES = 200;

/** Presses Tab until the target has the focus, like a person without a mouse. @throws Error if it cannot be reached */
export async function tabTo(page: Page, target: Locator): Promise<void> {
  // Wait for attachment only: styled radio buttons are covered by their label and so not visible.
  await target.waitFor({ state: 'attached' });
  const focused = target.and(page.locator(':focus'));
  for (let presses = 0; presses < PLACES; presses++) {
    if ((await focused.count()) > 0) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`the keyboard does not reach ${target}`);
}

/** Presses a download button and returns the name and bytes of the file. */
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

/** Chooses files with their paths in the drop zone, as a browser does for a folder. */
export const chooseFolder = (page: Page, files: Record<string, string>): Promise<void> =>
  page.evaluate<void>(`(() => {
    const list = Object.entries(${JSON.stringify(files)}).map(([path, text]) => {
      const file = new File([text], path.split('/').at(-1));
      Object.defineProperty(file, 'webkitRelativePath', { value: path });
      return file;
    });
    const input = document.querySelector('.drop-zone input');
    Object.defineProperty(input, 'files', { value: Object.assign(list, { item: (at) => list[at] }), configurable: true });
    input.dispatchEvent(new Event('change', { bubbles: true }));
  })()`);
