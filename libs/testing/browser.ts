import axe from 'axe-core';
import { chromium, type Browser, type Page } from 'playwright-core';
import { programPath } from './programs.js';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome'];

/** The path of an installed Chromium; undefined when there is none. */
export const chromiumPath: string | undefined = NAMES.map(programPath).find((path) => path !== undefined);

/** Starts a Chromium without a window; it asks nobody but the pages that are opened for anything. */
export function launchBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: chromiumPath,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
}

/** What a page must not do, whatever it shows: complain, run what a tenant wrote, or ask another host. */
export function watchPage(page: Page, origin: string): string[] {
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(`error: ${error.message}`));
  page.on('dialog', (dialog) => {
    faults.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('console', (message) => {
    const isRefusal = message.text().startsWith('Failed to load resource');
    if (message.type() === 'error' && !isRefusal) faults.push(`console: ${message.text()}`);
  });
  page.on('request', (request) => {
    const url = request.url();
    if (!url.startsWith(origin) && !/^(?:data|blob):/.test(url)) faults.push(`foreign request: ${url}`);
  });
  return faults;
}

/** What axe finds wrong with the page as it stands, as one line each; its script comes past the page's own policy. */
export async function accessibilityFaults(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  const { violations } = await page.evaluate<{ violations: AxeViolation[] }>('axe.run()');
  return violations.map(
    ({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(' | ')}`,
  );
}

interface AxeViolation {
  id: string;
  nodes: { html: string }[];
}
