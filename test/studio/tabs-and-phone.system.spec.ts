import { chromiumPath } from '#testing/browser.js';
import { MISSING_IMAGE } from '#testing/examples.js';
import { sharedStack } from '#testing/shared-stack.js';
import { download, openStudio, overflow, type Studio } from '#testing/studio.js';

const PHONE = { width: 390, height: 844 };

/** The example's document, in two tabs and on a telephone. */
(chromiumPath ? describe : describe.skip)('two tabs and a telephone in the studio (chromium)', () => {
  let studio: Studio;

  beforeAll(async () => {
    studio = await openStudio(await sharedStack());
  });
  afterAll(() => studio.close());
  afterEach(() => expect(studio.faults).toEqual([]));

  it('show an answer of one tab in the other, and the finished document in both', async () => {
    const { page } = studio;
    await studio.open('/');
    await page.getByRole('button', { name: /^No files at hand/ }).click();
    await page.getByRole('region', { name: MISSING_IMAGE }).waitFor();
    const other = await page.context().newPage();
    await other.goto(page.url());
    const question = other.getByRole('region', { name: MISSING_IMAGE });
    await question.getByRole('radio', { name: 'leave it out' }).check();
    await question.getByRole('button', { name: 'Answer' }).click();
    await page.getByRole('region', { name: MISSING_IMAGE }).waitFor({ state: 'detached' });
    for (const tab of [page, other]) await tab.getByRole('link', { name: 'Download DOCX' }).waitFor();
    // The view of a tab is its own.
    await other.getByRole('tab', { name: 'Ledger' }).click();
    await page.getByRole('tab', { name: 'Manuscript', selected: true }).waitFor();
    await other.close();
  });

  it('write, find and download a document on a telephone, without a page that is too wide', async () => {
    const { page } = studio;
    await page.setViewportSize(PHONE);
    await studio.open('/');
    const navigation = page.getByRole('navigation', { name: 'Main' });
    await page.getByRole('button', { name: 'Menu' }).click();
    await navigation.getByRole('link', { name: 'Work' }).click();
    await navigation.waitFor({ state: 'hidden' });
    // The status of the document is readable without scrolling sideways.
    const row = page.getByRole('row', { name: /Incident INC-2291/ });
    const state = (await row.getByText('completed').boundingBox())!;
    expect(state.x + state.width).toBeLessThanOrEqual(PHONE.width);
    expect(await studio.accessibility()).toEqual([]);
    await row.getByRole('link', { name: /Incident/ }).click();
    const file = await download(page, page.getByRole('link', { name: 'Download DOCX' }));
    expect(file.bytes.subarray(0, 2).toString()).toBe('PK');
    const [manuscript, source] = await Promise.all(
      [page.getByRole('region', { name: 'Manuscript' }), page.getByRole('combobox', { name: 'Source' })].map(
        async (shown) => (await shown.boundingBox())!.y,
      ),
    );
    expect(manuscript).toBeLessThan(source!);
    for (const tab of ['Manuscript', 'Ledger', 'Sources']) {
      await page.getByRole('tab', { name: tab }).click();
      expect([tab, await overflow(page)]).toEqual([tab, 0]);
    }
  });

  it('show the pages of the Word file beside the manuscript again after a reload', async () => {
    const { page } = studio;
    await page.setViewportSize({ width: 1280, height: 900 });
    await studio.open('/documents');
    await page.getByRole('link', { name: /Incident/ }).click();
    const panes = page.getByRole('radiogroup', { name: 'Beside the manuscript' });
    await panes.getByText('Word').click();
    await page.getByRole('region', { name: 'Word', exact: true }).waitFor();
    expect(new URL(page.url()).searchParams.get('beside')).toBe('word');
    await page.reload();
    await page.getByRole('region', { name: 'Word', exact: true }).waitFor();
    await panes.getByRole('radio', { name: 'Word', checked: true }).waitFor({ state: 'attached' });
    expect(await page.getByRole('combobox', { name: 'Source' }).count()).toBe(0);
  });
});
