/**
 * Second part of `npm run docs`: writes the pictures of the README into docs/images/, from the whole embedded
 * stack. Without Chromium, LibreOffice or Poppler, prints a message and leaves the pictures that need it.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { chromiumPath, launchBrowser } from '../../dist/libs/testing/browser.js';
import { programPath } from '../../dist/libs/testing/programs.js';
import { Api, makeArticle, makeBook, makePlan } from './example-work.js';
import { recordFirstMinute } from './first-minute.js';
import { drawOneLine } from './one-line.js';
import { openSignedIn, startStack } from './studio-stack.js';
import { drawWordPages, pdfOf } from './word-pages.js';

const root = join(import.meta.dirname, '../..');
/** So wide that the desk of a book has its margin. */
const VIEW = { width: 1280, height: 900 };
const SETTLE_MS = 2_000;

/** Writes a picture into docs/images/. */
function save(name, bytes) {
  writeFileSync(join(root, 'docs/images', name), bytes);
  process.stdout.write(`written: docs/images/${name} (${Math.ceil(bytes.length / 1_000)} kB)\n`);
}

/** Returns a PNG with few colours, as small as a drawing needs. */
const reduced = (png) =>
  sharp(png).png({ palette: true, colours: 64, compressionLevel: 9, effort: 10, dither: 0 }).toBuffer();

const PROGRAMS = ['soffice', 'pdftoppm', 'pdftotext'];

/** Draws the pictures that show the example's Word file, if the programs for that are installed. */
async function drawDocument(context, api, session, folder, examples) {
  if (PROGRAMS.some((name) => programPath(name) === undefined)) {
    process.stdout.write(
      'Without LibreOffice and Poppler, incident.png and one-line.png stay as they are.\n',
    );
    return;
  }
  const [{ id }] = (await api.get(`/api/sessions/${session}/exports`)).items;
  const work = join(folder, 'word');
  mkdirSync(work);
  const docx = join(work, 'incident.docx');
  writeFileSync(docx, await api.bytes(`/api/sessions/${session}/exports/${id}`));
  const pdf = pdfOf(docx, work);
  save('incident.png', await reduced(await drawWordPages(pdf)));
  const page = await context.newPage();
  save('one-line.png', await reduced(await drawOneLine(page, api, session, examples, pdf)));
}

/** Opens the pages, clicks where necessary and writes the screenshots. */
async function takePictures(page, api, folder) {
  const examples = join(root, 'examples');
  const at = async (path, ready) => {
    await page.goto(api.url + path);
    await ready.first().waitFor();
  };
  const take = async (name) => {
    await page.evaluate('document.activeElement.blur()');
    // Pages follow streams, so the network is never idle.
    await page.waitForTimeout(SETTLE_MS);
    save(`studio-${name}.png`, await reduced(await page.screenshot()));
  };
  const tab = (name) => page.getByRole('tab', { name });

  // Later documents of the same files are not asked about the missing image, so the recording comes first.
  save('first-minute.gif', await recordFirstMinute(page, api.url));
  const [{ id: run, session_id: session }] = (await api.get('/api/agents/runs?kind=document')).items;

  const plan = await makePlan(api);
  await at(`/plans/${plan}`, page.locator('.plan-task'));
  await page.locator('.plan-canvas').scrollIntoViewIfNeeded();
  await take('plan');

  const beside = (name) => page.getByRole('radiogroup').getByText(name, { exact: true });
  await at(`/documents/${session}`, beside('Word'));
  await beside('Word').click();
  // The first pages are the title and the table of contents.
  const heading = page.locator('.word-preview').getByText('What customers saw').last();
  await heading.evaluate((element) => element.scrollIntoView({ block: 'start' }));
  await page.evaluate('scrollTo(0, 0)');
  await take('document');
  await beside('Sources').click();
  await page
    .getByRole('listbox', { name: '01-timeline.md' })
    .getByRole('option')
    .nth(9)
    .click({ position: { x: 20, y: 8 } });
  await page.evaluate('scrollTo(0, 0)');
  await take('ledger');
  await at(`/runs/${run}`, page.getByRole('option'));
  await page
    .getByRole('option', { name: /^Agent/ })
    .first()
    .click();
  await tab('Output').waitFor();
  await tab('Output').evaluate((element) => element.scrollIntoView({ block: 'center' }));
  await take('run');

  await at(`/articles/${await makeArticle(api, examples)}`, page.getByRole('region', { name: 'Draft' }));
  await take('article');

  const book = await makeBook(api, examples);
  await at(`/books/${book}/drafting`, page.locator('.reading'));
  await take('book');

  await drawDocument(page.context(), api, session, folder, examples);
}

if (chromiumPath === undefined) {
  process.stdout.write('No Chromium is installed: the pictures of the studio stay as they are.\n');
} else {
  const stack = await startStack();
  const browser = await launchBrowser();
  try {
    const page = await openSignedIn(browser, stack, { viewport: VIEW, colorScheme: 'light' });
    page.setDefaultTimeout(300_000);
    await takePictures(page, new Api(stack.url, stack.key), stack.folder);
  } finally {
    await browser.close();
    await stack.stop();
  }
}
