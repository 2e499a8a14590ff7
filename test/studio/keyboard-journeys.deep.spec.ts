import { chromiumPath } from '#testing/browser.js';
import { MISSING_IMAGE } from '#testing/examples.js';
import { keyboardOf, type Keyboard } from '#testing/keyboard.js';
import { sharedStack } from '#testing/shared-stack.js';
import { chooseFolder, openStudio, type Studio } from '#testing/studio.js';
import type { Page } from 'playwright-core';

const FILES = { 'a/readme.md': '# One\n\nFirst.\n', 'b/readme.md': '# Two\n\nSecond.\n', 'b/empty.md': '' };

/** Further journeys without a mouse, next to those of `keyboard.deep.spec.ts`. */
(chromiumPath ? describe : describe.skip)('further journeys by keyboard alone (chromium)', () => {
  let studio: Studio;
  let page: Page;
  let button: Keyboard['button'];
  let press: Keyboard['press'];
  let type: Keyboard['type'];

  beforeAll(async () => {
    studio = await openStudio(await sharedStack());
    ({ page } = studio);
    ({ button, press, type } = keyboardOf(page));
  });
  afterAll(() => studio.close());
  afterEach(() => expect(studio.faults).toEqual([]));

  it('writes a document from a folder with two files of one name, after moving one', async () => {
    await studio.open('/');
    await page.locator('.drop-zone').waitFor();
    await chooseFolder(page, FILES);
    await page.getByRole('alert').getByText('b/empty.md: it is empty').waitFor();
    await press(button('Move down: a/readme.md'));
    await page
      .getByRole('region', { name: '2 files' })
      .getByRole('listitem')
      .first()
      .getByText('b/readme.md')
      .waitFor();
    await press(button('Write the document'));
    await page.getByRole('link', { name: 'Download DOCX' }).waitFor();
    const headings = page.getByRole('region', { name: 'Manuscript' }).getByRole('heading');
    await headings.filter({ hasText: 'One' }).waitFor();
    const titles = (await headings.allTextContents()).filter((title) => /One|Two/.test(title));
    expect(titles).toEqual([expect.stringContaining('Two'), expect.stringContaining('One')]);
  });

  it('makes the outline of a book and changes it', async () => {
    await studio.open('/books');
    await press(page.getByRole('button', { name: 'New book' }));
    await type(page.getByLabel(/^Title/), 'Nets and boats');
    await press(button('Continue to the outline'));
    await press(button('Create the outline'));
    await page.getByLabel('Title of chapter 1').waitFor();
    await type(page.getByLabel('Title of chapter 1'), 'Beginnings');
    await press(button('Save the outline'));
    await button('Remove Beginnings').waitFor();
  });

  it('answers in a second tab what the first shows', async () => {
    await studio.open('/');
    await press(button('No files at hand? Write the example'));
    await page.getByRole('region', { name: MISSING_IMAGE }).waitFor();
    const other = await page.context().newPage();
    await other.goto(page.url());
    const question = other.getByRole('region', { name: MISSING_IMAGE });
    const second = keyboardOf(other);
    await second.press(question.getByRole('radio', { name: 'leave it out' }), 'Space');
    await second.press(question.getByRole('button', { name: 'Answer' }));
    await page.getByRole('link', { name: 'Download DOCX' }).waitFor();
    await other.close();
  });

  it('opens the menu of a telephone and reaches a page with it', async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    await studio.open('/');
    await press(button('Menu'));
    await press(page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Work' }));
    await page.getByRole('heading', { level: 1, name: 'Work' }).waitFor();
    await press(page.getByRole('link', { name: /Incident INC-2291/ }));
    await page.getByRole('link', { name: 'Download DOCX' }).waitFor();
  });
});
