/**
 * Measures the studio in a real Chromium: `npm run bench:studio [-- --json file]`. Starts its own PostgreSQL and a gateway;
 * writes the events of a run as the engine does.
 */
import { createDatabase } from '#db/client.js';
import { ApiKeyRepository } from '#db/repositories/api-keys.js';
import { launchBrowser } from '#testing/browser.js';
import { pageWeight } from '#testing/page-weight.js';
import { RunLog } from '#testing/run-log.js';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { BrowserContext, CDPSession, Page } from 'playwright-core';
import { startServers } from './engine/bench-stack.js';
import { percentiles, type Percentiles } from './engine/figures.js';
import { startGatewayProcess } from './engine/gateway-process.js';

const SAMPLES = 10;
const EVENTS = 10_000;
const SCROLL_MS = 4_000;
const CPU_THROTTLE = 4;

interface Result {
  /** All that the browser loads for the first page after the sign-in, compressed with gzip. */
  firstPageGzipKb: number;
  /** With the CPU four times slower. */
  largestContentfulPaintMs: Percentiles;
  /** Frames a second while the list of 10,000 events is scrolled. */
  scrollFps: number;
  /** JavaScript heap of the page with these events, after a collection. */
  memoryMb: number;
  /** Frames a second while the page of a manuscript of 30 MB is scrolled, from its first line to its last. */
  manuscriptFps: number;
  /** From the commit of an event to the frame that shows it. */
  eventToPixelMs: Percentiles;
}

/** Hands the browser the session of a key, as the sign-in page does. */
async function signIn(context: BrowserContext, url: string, key: string): Promise<void> {
  const headers = { authorization: `Bearer ${key}`, 'sec-fetch-site': 'same-origin' };
  const answer = await context.request.post(`${url}/api/studio/sign-in`, { headers });
  if (!answer.ok()) throw new Error(`no session: ${answer.status()}`);
}

async function firstPageKb(context: BrowserContext, url: string): Promise<number> {
  const page = await context.newPage();
  const sizes = await pageWeight(page, url, () => page.locator('.drop-zone').waitFor());
  await page.close();
  return [...sizes.values()].reduce((sum, size) => sum + size, 0);
}

/** Waits within the page: Playwright's waiting code would run before the paint and be measured with it. */
const LARGEST_PAINT = `new Promise((done) => {
  const look = () => {
    if (document.querySelector('main h1') === null || document.querySelector('main button') === null) return;
    observer.disconnect();
    // The browser reports paints some time after the frame.
    requestAnimationFrame(() => setTimeout(tell, 100));
  };
  const tell = () => (window.largestPaint === undefined ? setTimeout(tell, 20) : done(window.largestPaint));
  const observer = new MutationObserver(look);
  observer.observe(document.body, { childList: true, subtree: true });
  look();
})`;

async function largestPaint(context: BrowserContext, url: string): Promise<number> {
  const page = await context.newPage();
  const cdp = await context.newCDPSession(page);
  await cdp.send('Emulation.setCPUThrottlingRate', { rate: CPU_THROTTLE });
  await page.addInitScript(`new PerformanceObserver((list) => {
    for (const { startTime } of list.getEntries()) window.largestPaint = startTime;
  }).observe({ type: 'largest-contentful-paint', buffered: true })`);
  await page.goto(`${url}/`);
  const { result } = await cdp.send('Runtime.evaluate', { expression: LARGEST_PAINT, awaitPromise: true });
  await page.close();
  return result.value as number;
}

async function openEvents(page: Page, url: string, runId: string, shown: number): Promise<void> {
  await page.goto(`${url}/runs/${runId}`);
  await page.getByRole('tab', { name: 'Events' }).click();
  await page.getByText(new RegExp(`^${shown} events?$`)).waitFor();
}

/** A log of 30 MB. */
const LOG = Array.from(
  { length: 400_000 },
  (_, n) =>
    `2026-03-12T04:12:${String(n % 60).padStart(2, '0')}Z label-api took label ${n} of depot ${n % 997}, and was done.`,
).join('\n');

/** Opens a document whose manuscript is the log, scrolls through it and counts the frames that were drawn. */
async function scrollManuscript(context: BrowserContext, url: string, sessionId: string): Promise<number> {
  const page = await context.newPage();
  await page.route('**/manuscript', (route) => route.fulfill({ body: LOG, contentType: 'text/markdown' }));
  await page.goto(`${url}/documents/${sessionId}`);
  await page.locator('.source-lines').waitFor();
  const fps = await page.evaluate<number>(
    SCROLL.replace("querySelector('.scroll-frame')", 'scrollingElement'),
  );
  await page.close();
  return fps;
}

/** Scrolls through all events and counts the frames that were drawn. */
const SCROLL = `(async () => {
  const frame = document.querySelector('.scroll-frame');
  const began = performance.now();
  let frames = 0;
  for (let now = began; now - began < ${SCROLL_MS}; now = await new Promise(requestAnimationFrame)) {
    frame.scrollTop = ((now - began) / ${SCROLL_MS}) * (frame.scrollHeight - frame.clientHeight);
    frames++;
  }
  return (frames / (performance.now() - began)) * 1000;
})()`;

async function heapMb(cdp: CDPSession): Promise<number> {
  await cdp.send('HeapProfiler.collectGarbage');
  const { usedSize } = await cdp.send('Runtime.getHeapUsage');
  return usedSize / 1_048_576;
}

/** Writes one event after the other and waits for the frame that shows each. */
async function eventToPixel(page: Page, log: RunLog): Promise<Percentiles> {
  const delays: number[] = [];
  for (let seq = 2; seq <= 60; seq++) {
    const shown = page.evaluate<number>(`new Promise((done) => {
      const look = () => {
        if (!document.querySelector('.scroll-frame').textContent.includes('mark-${seq}"')) return;
        observer.disconnect();
        requestAnimationFrame(() => done(Date.now()));
      };
      const observer = new MutationObserver(look);
      observer.observe(document.body, { childList: true, subtree: true, characterData: true });
    })`);
    // Create the observer before the event is written.
    await page.evaluate('1');
    await log.append(1, { mark: `mark-${seq}` }, 'state_updated');
    const committed = Date.now();
    delays.push(Math.max(0, (await shown) - committed));
  }
  return percentiles(delays);
}

const { values } = parseArgs({ options: { json: { type: 'string' } } });
const dir = await mkdtemp(join(tmpdir(), 'scriptorium-studio-'));
const servers = await startServers();
const db = createDatabase(servers.databaseUrl, 4);
const browser = await launchBrowser();
try {
  const gateway = await startGatewayProcess(servers.databaseUrl, dir);
  const { url } = gateway;
  const many = await RunLog.create(db);
  await db.tenant.update({ where: { id: many.tenantId }, data: { requestsPerMinute: 1_000_000 } });
  const { key } = await new ApiKeyRepository(db).create(many.tenantId, { name: 'bench' });
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
  await signIn(context, url, key);
  const firstPageGzipKb = await firstPageKb(context, url);
  const paints: number[] = [];
  for (let sample = 0; sample < SAMPLES; sample++) {
    // Without a cache, as at the first visit.
    const fresh = await browser.newContext();
    await signIn(fresh, url, key);
    paints.push(await largestPaint(fresh, url));
    await fresh.close();
  }
  await many.append(EVENTS, { node: 'agent', text: 'a few words of an event '.repeat(4) }, 'state_updated');
  const page = await context.newPage();
  await openEvents(page, url, many.runId, EVENTS);
  const scrollFps = await page.evaluate<number>(SCROLL);
  const memoryMb = await heapMb(await context.newCDPSession(page));
  await page.close();
  const session = await db.run.findUniqueOrThrow({ where: { id: many.runId } });
  const manuscriptFps = await scrollManuscript(context, url, session.sessionId);
  const few = await RunLog.create(db, many.tenantId);
  await few.append(1, { mark: 'mark-1' }, 'state_updated');
  const live = await context.newPage();
  await live.setViewportSize({ width: 1280, height: 4_000 });
  await openEvents(live, url, few.runId, 1);
  const result: Result = {
    firstPageGzipKb: Math.round(firstPageGzipKb),
    largestContentfulPaintMs: percentiles(paints),
    scrollFps: Math.round(scrollFps),
    manuscriptFps: Math.round(manuscriptFps),
    memoryMb: Math.round(memoryMb),
    eventToPixelMs: await eventToPixel(live, few),
  };
  console.log(JSON.stringify(result, null, 2));
  console.log(`load average ${loadavg()[0]!.toFixed(1)}`);
  if (values.json) await writeFile(values.json, `${JSON.stringify(result, null, 2)}\n`);
  await gateway.stop();
} finally {
  await browser.close();
  await db.$disconnect();
  await servers.stop();
  await rm(dir, { recursive: true, force: true });
}
