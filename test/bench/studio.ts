/**
 * Measures the studio in a real Chromium: `npm run bench:studio [-- --json file] [--quick]`. Starts its own PostgreSQL and a gateway;
 * writes the events of a run as the engine does.
 */
import { createDatabase } from '#db/client.js';
import { ApiKeyRepository } from '#db/repositories/api-keys.js';
import { launchBrowser } from '#testing/browser.js';
import { pageWeight } from '#testing/page-weight.js';
import { RunLog } from '#testing/run-log.js';
import { mkdtemp, rm } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, BrowserContext, CDPSession, Page } from 'playwright-core';
import { startServers } from './engine/bench-stack.js';
import { percentiles, type Percentiles } from './engine/figures.js';
import { startGatewayProcess } from './engine/gateway-process.js';
import { benchOptions } from './options.js';
import { countCpu, cpuMs, scrollPage, type Scrolling } from './engine/scrolling.js';

const { sizes, save } = benchOptions({
  samples: [10, 1],
  events: [10_000, 500],
  sections: [5_600, 100],
  lines: [400_000, 60_000],
});
const CPU_THROTTLE = 4;
/** Milliseconds until an element or an event has to appear; a busy machine needs some for the log. */
const TIMEOUT_MS = 180_000;

interface Result {
  /** All that the browser loads for the first page after the sign-in, compressed with gzip. */
  firstPageGzipKb: number;
  largestContentfulPaintMs: Percentiles;
  /** With the CPU four times slower. */
  largestContentfulPaintSlowMs: Percentiles;
  /** CPU time of the main thread until the largest paint, at full speed; it does not depend on other processes. */
  largestContentfulPaintCpuMs: Percentiles;
  /** An empty page as high as the manuscript: what scrolling costs on this machine. */
  emptyPage: Scrolling;
  /** List of 10,000 events. */
  events: Scrolling;
  /** JavaScript heap of the page with these events, after a collection. */
  memoryMb: number;
  /** Manuscript of 30 MB, from its first line to its last. */
  manuscript: Scrolling;
  /** Rendered manuscript of 1.4 MB, near the length above which only lines are shown. */
  rendered: Scrolling;
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

interface Paint {
  /** Time until the largest paint. */
  ms: number;
  /** CPU time of the main thread until then. */
  cpuMs: number;
}

/** @param throttle factor by which the CPU is slower */
async function largestPaint(context: BrowserContext, url: string, throttle: number): Promise<Paint> {
  const page = await context.newPage();
  const cdp = await context.newCDPSession(page);
  await countCpu(cdp);
  await cdp.send('Emulation.setCPUThrottlingRate', { rate: throttle });
  await page.addInitScript(`new PerformanceObserver((list) => {
    for (const { startTime } of list.getEntries()) window.largestPaint = startTime;
  }).observe({ type: 'largest-contentful-paint', buffered: true })`);
  await page.goto(`${url}/`);
  const { result } = await cdp.send('Runtime.evaluate', { expression: LARGEST_PAINT, awaitPromise: true });
  const spent = await cpuMs(cdp);
  await page.close();
  return { ms: result.value as number, cpuMs: spent };
}

/** Measures the first page without a cache. */
async function firstVisit(browser: Browser, url: string, key: string, throttle: number): Promise<Paint> {
  const fresh = await browser.newContext();
  await signIn(fresh, url, key);
  const paint = await largestPaint(fresh, url, throttle);
  await fresh.close();
  return paint;
}

async function openEvents(page: Page, url: string, runId: string, shown: number): Promise<void> {
  await page.goto(`${url}/runs/${runId}`);
  await page.getByRole('tab', { name: 'Events' }).click();
  await page.getByText(new RegExp(`^${shown.toLocaleString('en')} events?$`)).waitFor();
}

/** A log of 30 MB. */
const LOG = Array.from(
  { length: sizes.lines },
  (_, n) =>
    `2026-03-12T04:12:${String(n % 60).padStart(2, '0')}Z label-api took label ${n} of depot ${n % 997}, and was done.`,
).join('\n');

/** A manuscript that is rendered: 1.4 MB of headings, paragraphs, lists, tables and code. */
const SECTION = (n: number) => `## Depot ${n}

The depot took **${n * 31} labels** and returned \`${n}\` of them; see [the log](https://example.com/${n}).

- Opened at ${n % 24}:00
- Closed at ${(n + 9) % 24}:00

| Label | Weight |
| --- | ---: |
| A${n} | ${n * 3} kg |
| B${n} | ${n * 7} kg |

\`\`\`ts
const weight = ${n} * 10;
\`\`\`
`;
const RENDERED = `# Depots\n\n${Array.from({ length: sizes.sections }, (_, n) => SECTION(n)).join('\n')}`;

/** Opens a document with a given manuscript and scrolls it. @param complete selects an element of the complete page */
async function scrollManuscript(
  context: BrowserContext,
  address: string,
  manuscript: string,
  complete: string,
): Promise<Scrolling> {
  const page = await context.newPage();
  await page.route('**/manuscript', (route) =>
    route.fulfill({ body: manuscript, contentType: 'text/markdown' }),
  );
  const open = async () => {
    await page.goto(address);
    await page.locator(complete).waitFor();
  };
  const scrolling = await scrollPage(page, open, null);
  await page.close();
  return scrolling;
}

async function scrollEmptyPage(context: BrowserContext): Promise<Scrolling> {
  const page = await context.newPage();
  const scrolling = await scrollPage(
    page,
    () => page.setContent('<div style="height: 10000000px"></div>'),
    null,
  );
  await page.close();
  return scrolling;
}

async function heapMb(cdp: CDPSession): Promise<number> {
  await cdp.send('HeapProfiler.collectGarbage');
  const { usedSize } = await cdp.send('Runtime.getHeapUsage');
  return usedSize / 1_048_576;
}

/** Writes one event after the other and waits for the frame that shows each. */
async function eventToPixel(page: Page, log: RunLog): Promise<Percentiles> {
  const delays: number[] = [];
  for (let seq = 2; seq <= 60; seq++) {
    const shown = page.evaluate<number>(`new Promise((done, fail) => {
      setTimeout(() => fail(new Error('the page does not show event ${seq}')), ${TIMEOUT_MS});
      const look = () => {
        if (document.getElementById('event-${seq}') === null) return;
        observer.disconnect();
        requestAnimationFrame(() => done(Date.now()));
      };
      const observer = new MutationObserver(look);
      observer.observe(document.body, { childList: true, subtree: true, characterData: true });
    })`);
    // Create the observer before the event is written.
    await page.evaluate('1');
    await log.append(1, {}, 'state_updated');
    const committed = Date.now();
    delays.push(Math.max(0, (await shown) - committed));
  }
  return percentiles(delays);
}

const dir = await mkdtemp(join(tmpdir(), 'scriptorium-studio-'));
const servers = await startServers();
const db = createDatabase(servers.databaseUrl, 4);
const browser = await launchBrowser();
const gateway = await startGatewayProcess(servers.databaseUrl, dir);
const { url } = gateway;
try {
  const many = await RunLog.create(db);
  await db.tenant.update({ where: { id: many.tenantId }, data: { requestsPerMinute: 1_000_000 } });
  const { key } = await new ApiKeyRepository(db).create(many.tenantId, { name: 'bench' });
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
  context.setDefaultTimeout(TIMEOUT_MS);
  await signIn(context, url, key);
  const firstPageGzipKb = await firstPageKb(context, url);
  const paints: Paint[] = [];
  const slowPaints: Paint[] = [];
  for (let sample = 0; sample < sizes.samples; sample++) {
    paints.push(await firstVisit(browser, url, key, 1));
    slowPaints.push(await firstVisit(browser, url, key, CPU_THROTTLE));
  }
  await many.append(
    sizes.events,
    { node: 'agent', text: 'a few words of an event '.repeat(4) },
    'state_updated',
  );
  const page = await context.newPage();
  const events = await scrollPage(
    page,
    () => openEvents(page, url, many.runId, sizes.events),
    '.scroll-frame',
  );
  const memoryMb = await heapMb(await context.newCDPSession(page));
  await page.close();
  const session = await db.run.findUniqueOrThrow({ where: { id: many.runId } });
  const document = `${url}/documents/${session.sessionId}`;
  const manuscript = await scrollManuscript(context, document, LOG, '.source-lines');
  const rendered = await scrollManuscript(context, document, RENDERED, '.reading[aria-busy=false]');
  const few = await RunLog.create(db, many.tenantId);
  await few.append(1, {}, 'state_updated');
  const live = await context.newPage();
  await live.setViewportSize({ width: 1280, height: 4_000 });
  await openEvents(live, url, few.runId, 1);
  const result: Result = {
    firstPageGzipKb: Math.round(firstPageGzipKb),
    largestContentfulPaintMs: percentiles(paints.map(({ ms }) => ms)),
    largestContentfulPaintSlowMs: percentiles(slowPaints.map(({ ms }) => ms)),
    largestContentfulPaintCpuMs: percentiles(paints.map(({ cpuMs }) => cpuMs)),
    emptyPage: await scrollEmptyPage(context),
    events,
    manuscript,
    rendered,
    memoryMb: Math.round(memoryMb),
    eventToPixelMs: await eventToPixel(live, few),
  };
  console.log(JSON.stringify(result, null, 2));
  console.log(`load average ${loadavg()[0]!.toFixed(1)}`);
  save(result);
} finally {
  await gateway.stop();
  await browser.close();
  await db.$disconnect();
  await servers.stop();
  await rm(dir, { recursive: true, force: true });
}
