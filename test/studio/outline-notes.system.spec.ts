import { chromiumPath } from '#testing/browser.js';
import { sharedStack } from '#testing/shared-stack.js';
import { openStudio, type Studio } from '#testing/studio.js';

const NOTE = /^The book should have 3 chapters, but the sources have sections for only 1\./;

(chromiumPath ? describe : describe.skip)('the outline of a book in the studio (chromium)', () => {
  let studio: Studio;

  beforeAll(async () => {
    studio = await openStudio(await sharedStack());
  });
  afterAll(() => studio.close());

  it('B12 says that the sources have sections for too few chapters, until there are enough', async () => {
    const { page, tenant } = studio;
    const concept = { title: 'Salt and Light', chapter_count: 3 };
    const { id } = (await tenant.post('/api/books/projects', concept)).json as { id: string };
    const content = '# The lamp\n\nThe lamp of the lighthouse was lit in 1871.\n';
    await tenant.post(`/api/books/projects/${id}/sources`, { title: 'Notes', content });
    await studio.open(`/books/${id}/outline`);
    await page.getByRole('button', { name: 'Create the outline' }).click();
    await page.getByRole('status').filter({ hasText: NOTE }).waitFor();
    expect(await studio.accessibility()).toEqual([]);
    const add = page.getByRole('button', { name: 'Add a chapter' });
    await add.click();
    await add.click();
    await page.getByRole('status').filter({ hasText: NOTE }).waitFor({ state: 'detached' });
  });
});
