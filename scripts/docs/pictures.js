/**
 * Second part of `npm run docs`: writes screenshots of the studio for the README into docs/images/, from the
 * whole embedded stack. Without Chromium, prints a message and writes nothing.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import sharp from 'sharp';
import { freePort } from '../../dist/libs/embedded/free-port.js';
import { chromiumPath, launchBrowser } from '../../dist/libs/testing/browser.js';
import { Api, makeArticle, makeBook, makeDocument, makePlan } from './example-work.js';

const root = join(import.meta.dirname, '../..');
const VIEW = { width: 1200, height: 900 };
const SETTLE_MS = 2_000;

/** Starts the whole stack with an empty data folder. */
async function startStack(folder) {
  const port = await freePort();
  const child = spawn(process.execPath, [join(root, 'dist/apps/cli/src/main.js'), 'start'], {
    cwd: folder,
    env: { ...process.env, GATEWAY_PORT: String(port) },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  for await (const line of createInterface({ input: child.stdout })) if (line.includes('Ctrl-C')) break;
  child.stdout.resume();
  const key = readFileSync(join(folder, '.scriptorium/api-key'), 'utf8').trim();
  return { child, key, url: `http://127.0.0.1:${port}` };
}

/** Opens the pages, clicks where necessary and writes the screenshots. */
async function takePictures(page, api) {
  const examples = join(root, 'examples');
  const at = async (path, ready) => {
    await page.goto(api.url + path);
    await ready.first().waitFor();
  };
  const take = async (name) => {
    await page.evaluate('document.activeElement.blur()');
    // Pages follow streams, so the network is never idle.
    await page.waitForTimeout(SETTLE_MS);
    const png = await page.screenshot();
    await sharp(png)
      .png({ palette: true, colours: 64, compressionLevel: 9 })
      .toFile(join(root, `docs/images/studio-${name}.png`));
    process.stdout.write(`written: docs/images/studio-${name}.png\n`);
  };
  const tab = (name) => page.getByRole('tab', { name });

  const plan = await makePlan(api);
  await at(`/plans/${plan}`, page.locator('.plan-task'));
  await page.locator('.plan-graph').scrollIntoViewIfNeeded();
  await take('plan');

  const { session, run } = await makeDocument(api, examples);
  await at(`/documents/${session}`, tab('Word'));
  await tab('Word').click();
  // The first pages are the title and the table of contents.
  const heading = page.locator('.word-preview').getByText('What customers saw').last();
  await heading.evaluate((element) => element.scrollIntoView({ block: 'start' }));
  await page.evaluate('scrollTo(0, 0)');
  await take('document');
  await tab('Ledger').click();
  await page
    .getByRole('listbox', { name: '01-timeline.md' })
    .getByRole('option')
    .nth(9)
    .click({ position: { x: 20, y: 8 } });
  await take('ledger');
  await at(`/runs/${run}`, page.getByRole('option'));
  await page
    .getByRole('option', { name: /^Agent/ })
    .first()
    .click();
  await tab('Output').waitFor();
  await tab('Output').evaluate((element) => element.scrollIntoView({ block: 'center' }));
  await take('run');

  await at(`/articles/${await makeArticle(api, examples)}`, page.getByRole('textbox', { name: 'Draft' }));
  await take('article');

  const book = await makeBook(api, examples);
  await at(`/books/${book}/drafting`, page.locator('.reading'));
  await take('book');
}

if (chromiumPath === undefined) {
  process.stdout.write('No Chromium is installed: the pictures of the studio stay as they are.\n');
} else {
  const folder = mkdtempSync(join(tmpdir(), 'scriptorium-pictures-'));
  const { child, key, url } = await startStack(folder);
  const browser = await launchBrowser();
  try {
    const context = await browser.newContext({
      viewport: VIEW,
      colorScheme: 'light',
      reducedMotion: 'reduce',
    });
    const headers = { authorization: `Bearer ${key}`, 'sec-fetch-site': 'same-origin' };
    await context.request.post(`${url}/api/studio/sign-in`, { headers });
    const page = await context.newPage();
    page.setDefaultTimeout(300_000);
    await takePictures(page, new Api(url, key));
  } finally {
    await browser.close();
    child.kill('SIGINT');
    await once(child, 'exit');
    rmSync(folder, { recursive: true, force: true });
  }
}
