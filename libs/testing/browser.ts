import axe from 'axe-core';
import { chromium, type Browser, type Page } from 'playwright-core';
import { programPath } from './programs.js';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome'];

/** Path of an installed Chromium; undefined if none is found. */
export const chromiumPath: string | undefined = NAMES.map(programPath).find((path) => path !== undefined);

/** Starts a headless Chromium that sends requests only for the pages that are opened. */
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

/** Collects forbidden behaviour of a page: errors, scripts from tenants' text, and requests to other hosts. */
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

/** Returns axe's findings on the page, one line each. Evaluating the script directly avoids the page's content security policy. */
export async function accessibilityFaults(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  const { violations } = await page.evaluate<{ violations: AxeViolation[] }>('axe.run()');
  return violations.map(
    ({ id, nodes }) =>
      `${id}: ${nodes.map(({ html, failureSummary }) => `${html.slice(0, 160)} ${failureSummary}`).join(' | ')}`,
  );
}

interface AxeViolation {
  id: string;
  nodes: { html: string; failureSummary: string }[];
}
