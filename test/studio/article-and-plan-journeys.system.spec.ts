import { chromiumPath } from '#testing/browser.js';
import { openJourney, type StudioJourney } from '#testing/studio-journey.js';
import { download, killGateway, loseConnection, type Studio } from '#testing/studio.js';
import { until } from '#testing/until.js';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';

const CORPUS = 'examples/article/corpus';
const KNOWLEDGE =
  'The tower of Marrow Point is 31 metres high. It was built in 1874, and its lamp burned rape oil.\n';

/**
 * An article and a plan from the start to the downloaded file, despite closed pages, lost streams and a stopped
 * gateway.
 */
(chromiumPath ? describe : describe.skip)('an article and a plan in the studio (chromium)', () => {
  let journey: StudioJourney;
  let studio: Studio;
  let page: Page;

  beforeAll(async () => {
    journey = await openJourney();
    ({ studio } = journey);
    ({ page } = studio);
  });
  afterAll(() => journey.close());

  const button = (name: string | RegExp) => page.getByRole('button', { name });
  const region = (name: string) => page.getByRole('region', { name });

  it('A6 shows the fingerprint of the added texts as the style of writing', async () => {
    await studio.open('/style');
    const files = readdirSync(CORPUS).map((name) => join(CORPUS, name));
    await page.setInputFiles('input[type=file]', files);
    await region('Fingerprint').getByText('Words per sentence', { exact: true }).waitFor();
    expect(await studio.accessibility()).toEqual([]);
  });

  it('A3 A8 an article is researched, drafted and approved despite a reload, two tabs, a lost stream and a stopped gateway', async () => {
    const collection = (await studio.tenant.post('/api/knowledge/collections', { name: 'Notes' })).json;
    const sources = `/api/knowledge/collections/${String(collection.id)}/sources`;
    const note = (await studio.tenant.post(sources, { name: 'tower.md', text: KNOWLEDGE })).json;
    const [source] = note.items as { id: string }[];
    await until(
      'the note is ready',
      async () => (await studio.tenant.get(`${sources}/${source!.id}`)).json.state,
      (state) => state === 'ready',
    );

    await studio.open('/articles');
    await button('New article').first().click();
    await page.getByLabel('Topic').fill('The tower of Marrow Point');
    await button('Start').click();
    await region('Research and structure').waitFor();
    await page.reload();
    await region('Research and structure').waitFor();
    expect(await studio.accessibility()).toEqual([]);
    const other = await page.context().newPage();
    await other.goto(page.url());
    await other.getByRole('region', { name: 'Research and structure' }).waitFor();
    await loseConnection(page, journey.relay);
    await button('Approve and continue').click();
    await region('Draft').waitFor();
    // The other tab shows the answer given here.
    await other.getByRole('region', { name: 'Draft' }).waitFor();
    await other.close();

    await killGateway(page, journey.gateway);
    await region('Draft').waitFor();
    expect(await studio.accessibility()).toEqual([]);
    // The decision is in view, although the draft does not fit.
    const { width, height } = page.viewportSize()!;
    await page.setViewportSize({ width: 390, height: 420 });
    const accept = page.getByRole('button', { name: 'Accept', exact: true });
    const bar = (await accept.boundingBox())!;
    expect(bar.y + bar.height).toBeLessThanOrEqual(420);
    await page.setViewportSize({ width, height });
    await accept.click();
    // The draft can be downloaded before it is accepted.
    await region('Draft').waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'Open the source' }).first().waitFor();
    await page.getByRole('link', { name: 'Download Article' }).waitFor();
    const file = await download(page, page.getByRole('link', { name: 'Download Article' }));
    expect([file.name, file.bytes.toString()]).toEqual(['article.md', expect.stringContaining('31 metres')]);
  });

  it('A5 A14 the article is repurposed within limits that are shown while typing, and its topic is recognized', async () => {
    await button('Repurpose').click();
    await page.getByRole('tab', { name: 'LinkedIn' }).click();
    const part = page.getByRole('textbox', { name: 'Part 1' });
    await part.waitFor();
    await part.fill('x'.repeat(3_001));
    await page.getByText('3001 of 3000 characters', { exact: true }).waitFor();
    expect(await studio.accessibility()).toEqual([]);
    await page.goBack();
    await region('Repurpose').waitFor();
    await studio.open('/articles');
    await button('New article').first().click();
    await page.getByLabel('Topic').fill('The tower of Marrow Point');
    await page.getByText('An approved article on a very similar topic exists').waitFor();
  });

  it('P2 P5 a plan is started and approved despite a reload, a lost stream and a stopped gateway, and its result is downloaded', async () => {
    await studio.open('/plans');
    await button('New plan').first().click();
    await page.getByRole('combobox', { name: 'Template' }).click();
    await page.getByRole('option', { name: 'List the input files' }).click();
    await page.getByRole('combobox', { name: 'Ask for approval' }).click();
    await page.getByRole('option', { name: 'before every step' }).click();
    await button('Start').click();
    await region('Waiting for your approval').waitFor();
    await page.goBack();
    await page.goForward();
    await region('Waiting for your approval').waitFor();
    expect(await studio.accessibility()).toEqual([]);
    await killGateway(page, journey.gateway);
    await loseConnection(page, journey.relay);
    await button('Approve').click();
    const link = page.getByRole('link', { name: 'Download list' });
    await link.waitFor();
    const file = await download(page, link);
    expect(JSON.parse(file.bytes.toString())).toMatchObject({ files: [] });
    expect(await studio.accessibility()).toEqual([]);
  });

  it('X5 a step of a run shows its input and output', async () => {
    await page.getByRole('link', { name: 'Steps and events' }).click();
    await page.getByRole('option', { name: /^Prepare/ }).click();
    await page.getByRole('tab', { name: 'Output' }).waitFor();
    expect(await studio.accessibility()).toEqual([]);
    await page.getByRole('tab', { name: 'Events' }).click();
    const first = page.getByRole('option').first();
    await first.filter({ hasText: 'Status of the run: queued.' }).click();
    await region('Data of event 1').waitFor();
    const data = region('Data of event 1').getByText('"status": "queued"');
    expect(await data.isVisible()).toBe(false);
    await region('Data of event 1').getByText('Data (JSON)').click();
    await data.waitFor();
    expect(await studio.accessibility()).toEqual([]);
  });
});
