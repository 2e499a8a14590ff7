import type { CDPSession, Page } from 'playwright-core';

/** A page that is scrolled from its beginning to its end for some seconds. */
export interface Scrolling {
  framesPerSecond: number;
  /** CPU time of the main thread for each frame, whatever else the machine does; 20 ms allow 50 frames per second. */
  cpuMsPerFrame: number;
  /** CPU time of the main thread from the navigation until the page is complete. */
  openingCpuMs: number;
  /** Longest block of the main thread until then. */
  longestTaskMs: number;
}

const SCROLL_MS = 4_000;

/** Scrolls an element, otherwise the page, and returns the number of frames and the duration in ms. */
const scroll = (selector: string | null): string => `(async () => {
  const frame = ${selector ? `document.querySelector(${JSON.stringify(selector)})` : 'document.scrollingElement'};
  const began = performance.now();
  let frames = 0;
  for (let now = began; now - began < ${SCROLL_MS}; now = await new Promise(requestAnimationFrame)) {
    frame.scrollTop = ((now - began) / ${SCROLL_MS}) * (frame.scrollHeight - frame.clientHeight);
    frames++;
  }
  return { frames, ms: performance.now() - began };
})()`;

const LONGEST_TASK = `window.longestTask = 0;
new PerformanceObserver((list) => {
  for (const { duration } of list.getEntries()) window.longestTask = Math.max(window.longestTask, duration);
}).observe({ type: 'longtask', buffered: true });`;

/** Counts the CPU time of the main threads of a page. Call it before the page is opened. */
export async function countCpu(cdp: CDPSession): Promise<void> {
  await cdp.send('Performance.enable', { timeDomain: 'threadTicks' });
}

/** Returns the CPU time of the page's main thread in ms since it was opened. */
export async function cpuMs(cdp: CDPSession): Promise<number> {
  const { metrics } = await cdp.send('Performance.getMetrics');
  return metrics.find(({ name }) => name === 'TaskDuration')!.value * 1_000;
}

/**
 * Opens a page and scrolls it.
 *
 * @param open resolves once the page is complete
 * @param selector element that is scrolled; null for the page
 */
export async function scrollPage(
  page: Page,
  open: () => Promise<unknown>,
  selector: string | null,
): Promise<Scrolling> {
  const cdp = await page.context().newCDPSession(page);
  await countCpu(cdp);
  await page.addInitScript(LONGEST_TASK);
  await open();
  const opened = await cpuMs(cdp);
  const longestTaskMs = await page.evaluate<number>('window.longestTask ?? 0');
  const { frames, ms } = await page.evaluate<{ frames: number; ms: number }>(scroll(selector));
  const scrolled = await cpuMs(cdp);
  const round = (value: number) => Math.round(value * 10) / 10;
  return {
    framesPerSecond: Math.round((frames / ms) * 1_000),
    cpuMsPerFrame: round((scrolled - opened) / frames),
    openingCpuMs: Math.round(opened),
    longestTaskMs: Math.round(longestTaskMs),
  };
}
