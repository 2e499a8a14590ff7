import { chromiumPath } from '#testing/browser.js';
import { ArticleDesk } from '#testing/article-desk.js';
import { MISSING_IMAGE } from '#testing/examples.js';
import { keyboardOf, type Keyboard } from '#testing/keyboard.js';
import { sharedStack } from '#testing/shared-stack.js';
import { openStudio, type Studio } from '#testing/studio.js';
import { until } from '#testing/until.js';
import type { Page } from 'playwright-core';

const NOTE =
  '# Nets\n\nNets are mended in winter. Each net has 400 knots.\n\n# Rope\n\nRope is dear in spring.\n';

/** Whole journeys without a mouse (`keyboard.system.spec.ts` has a short one): each thing is reached by Tab from where the focus is. */
(chromiumPath ? describe : describe.skip)('a keyboard alone in the studio (chromium)', () => {
  let studio: Studio;
  let page: Page;
  let button: Keyboard['button'];
  let place: Keyboard['place'];
  let press: Keyboard['press'];
  let type: Keyboard['type'];

  beforeAll(async () => {
    studio = await openStudio(await sharedStack());
    ({ page } = studio);
    ({ button, place, press, type } = keyboardOf(page));
  });
  afterAll(() => studio.close());
  afterEach(() => expect(studio.faults).toEqual([]));

  it('makes a document, answers its question in the inbox and downloads it', async () => {
    await studio.open('/documents');
    await press(button('New document'));
    const chooser = page.waitForEvent('filechooser');
    await press(page.locator('.drop-zone'));
    await (await chooser).setFiles([]);
    await press(button('No files at hand? Write the example'));
    await page.getByRole('region', { name: MISSING_IMAGE }).waitFor();
    await press(button(/^Rename/));
    await type(page.getByRole('dialog').getByLabel('Title'), 'Without a mouse');
    await press(page.getByRole('dialog').getByRole('button', { name: 'Rename' }));
    await page.getByRole('heading', { level: 1, name: 'Without a mouse' }).waitFor();

    await press(place('Inbox'));
    await page.getByRole('heading', { level: 1, name: 'Inbox' }).waitFor();
    const question = page.getByRole('region', { name: MISSING_IMAGE });
    await press(question.getByRole('radio', { name: 'leave it out' }), 'Space');
    await press(question.getByRole('button', { name: 'Answer' }));
    await page.getByText('No open questions').waitFor();

    await press(place('Work'));
    await press(page.getByRole('link', { name: 'Without a mouse' }));
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      press(page.getByRole('link', { name: 'Download DOCX' })),
    ]);
    expect(file.suggestedFilename()).toMatch(/\.docx$/);
  });

  it('moves through the steps of a run and the data of its events', async () => {
    await press(page.getByRole('main').getByRole('link', { name: 'Details' }));
    await press(page.getByRole('listbox').first(), 'ArrowDown');
    await page.getByRole('tab', { name: 'Output' }).waitFor();
    await press(page.getByRole('tab', { name: 'Steps' }), 'ArrowRight');
    await press(page.getByRole('listbox').first(), 'ArrowDown');
    const data = page.getByRole('region', { name: /^Data of event/ });
    await press(data.getByText('Data (JSON)'));
    await data.getByText('"status"').waitFor();
  });

  it('removes a paragraph of an article, and accepts the next draft', async () => {
    await new ArticleDesk(studio.tenant).collection('knowledge', { 'nets.md': NOTE });
    await studio.open('/articles');
    await press(button('New article'));
    await type(page.getByLabel('Topic'), 'How nets are mended');
    await press(button('Start'));
    await press(button('Approve and continue'));
    const draft = page.getByRole('region', { name: 'Draft' });
    await press(draft.getByRole('tab').first(), 'ArrowRight');
    await page.keyboard.press('ArrowRight');
    await press(draft.getByRole('button', { name: /^Reject: .* 1$/ }));
    await press(draft.getByRole('button', { name: 'Remove 1 paragraph' }));
    await draft.getByText('rejected 1 time', { exact: true }).waitFor();
    await press(draft.getByRole('button', { name: 'Accept', exact: true }));
    await page.getByRole('link', { name: 'Download Article' }).waitFor();
  });

  /** Chooses an option of a list with the arrow keys. */
  const choose = async (name: string, option: string) => {
    const list = page.getByRole('combobox', { name });
    const choice = page.getByRole('option', { name: option });
    await press(list);
    await choice.waitFor();
    // Mantine sets the index of the selected option by a timer of no time when the list opens. Timers fire in their order.
    await page.evaluate('new Promise((done) => setTimeout(done))');
    while ((await choice.getAttribute('data-combobox-selected')) !== 'true')
      await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await choice.waitFor({ state: 'hidden' });
    expect(await list.inputValue()).toBe(option);
  };

  it('approves a plan', async () => {
    await studio.open('/plans');
    await press(button('New plan'));
    await choose('Template', 'List the input files');
    await choose('Ask for approval', 'before every step');
    await press(button('Start'));
    await press(button('Approve'));
    await page.getByRole('link', { name: 'Download list' }).waitFor();
  });

  it('searches the knowledge and reads a passage in its source', async () => {
    const collection = await new ArticleDesk(studio.tenant).collection('knowledge', { 'rope.md': NOTE });
    const sources = `/api/knowledge/collections/${collection}/sources`;
    await until(
      'the source is ready',
      async () => (await studio.tenant.get(sources)).json.items as { state: string }[],
      (items) => items.every(({ state }) => state === 'ready'),
    );
    await studio.open(`/knowledge/${collection}`);
    await type(page.getByRole('search').getByRole('textbox').first(), 'knots of a net');
    await page.keyboard.press('Enter');
    await press(page.getByRole('article').first().getByRole('link').first());
    await page.getByRole('region', { name: 'Text of the source' }).waitFor();
  });
});
