import type { Page } from 'playwright-core';
import { request } from 'undici';

/**
 * Opens a page and returns the size of everything that the browser loads for it, in kB (1,000 bytes) by path: the page,
 * scripts, styles, fonts, messages and pictures, as sent to a client that accepts gzip. Responses of the API are not
 * included, because they depend on the tenant's data.
 *
 * @param isShown resolves as soon as the page is complete
 */
export async function pageWeight(
  page: Page,
  url: string,
  isShown: (page: Page) => Promise<unknown>,
): Promise<Map<string, number>> {
  const urls = new Set<string>();
  page.on('requestfinished', (finished) => {
    if (!new URL(finished.url()).pathname.startsWith('/api/')) urls.add(finished.url());
  });
  await page.goto(url);
  await isShown(page);
  await page.evaluate('document.fonts.ready.then(() => null)');
  await page.waitForLoadState('networkidle');
  const sizes = await Promise.all(
    [...urls].map(async (address) => [new URL(address).pathname, await sizeOf(address)] as const),
  );
  return new Map(sizes);
}

async function sizeOf(url: string): Promise<number> {
  const headers = { accept: 'text/html,*/*', 'accept-encoding': 'gzip' };
  const { body, statusCode } = await request(url, { headers });
  if (statusCode !== 200) throw new Error(`${url}: HTTP ${statusCode}`);
  return (await body.arrayBuffer()).byteLength / 1_000;
}
