import { accessibilityFaults, chromiumPath } from '#testing/browser.js';
import { TcpProxy } from '#testing/tcp-proxy.js';
import { download, killGateway, loseConnection, openStudio, type Studio } from '#testing/studio.js';
import { TestStack } from '#testing/test-stack.js';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { until } from '#testing/until.js';
import type { Page } from 'playwright-core';

const EXAMPLES = 'examples/book';
const sources = readdirSync(EXAMPLES)
  .filter((name) => name.endsWith('.md'))
  .map((name) => join(EXAMPLES, name));

/** An author's work on a book in a browser, from the concept to its files. */
(chromiumPath ? describe : describe.skip)('a book in the studio (chromium)', () => {
  let stack: TestStack;
  let relay: TcpProxy;
  let studio: Studio;
  let page: Page;

  beforeAll(async () => {
    stack = await TestStack.start();
    relay = await TcpProxy.start(stack.url);
    studio = await openStudio({ url: relay.url, tenant: () => stack.tenant() });
    ({ page } = studio);
  });
  afterAll(async () => {
    await studio.close();
    await relay.stop();
    await stack.stop();
  });

  const button = (name: string | RegExp) => page.getByRole('button', { name });

  it('B3 B17 X21 the concept is filled in by the form without a model, and survives an immediate reload', async () => {
    await studio.open('/books');
    await button('New book').click();
    await page.getByLabel('Genre').fill('History');
    await page.reload();
    expect(await page.getByLabel('Genre').inputValue()).toBe('History');

    // Without a model, the form is all there is.
    await page.getByText('A conversation needs a model.').waitFor();
    expect(await page.getByLabel('Message').count()).toBe(0);
    expect(await studio.accessibility()).toEqual([]);
    await page.getByLabel(/^Title/).fill('The Light at Marrow Point');
    await page.getByLabel('Chapters', { exact: true }).fill('3');
    await page.getByText('Stored in this browser until you continue').waitFor();
    await page.reload();
    expect(await page.getByLabel(/^Title/).inputValue()).toBe('The Light at Marrow Point');
  });

  it('B17 a proposal of the model fills the form when the author accepts it', async () => {
    const reply = {
      assistant_reply: 'For whom?',
      field_updates: { tone: 'Warm' },
      next_field: 'target_audience',
    };
    const marks = { choices: ['Students'], is_finalized: false, missing_required: [], used_fallback: false };
    const json = { ...reply, ...marks, fallback_stage: null };
    const model = { source: 'installation', endpoint: null, models: [], embedding: null };
    await page.route('**/api/model', (route) => route.fulfill({ json: model }));
    await page.route('**/profile-assistant', (route) => route.fulfill({ json }));
    await page.reload();
    await page.getByLabel('Message').fill('It should feel like a hearth.');
    await button('Send').click();
    const proposed = page.getByRole('group', { name: 'Suggested for the form' });
    await proposed.getByText('Tone: Warm').waitFor();
    expect(await page.getByLabel('Tone').inputValue()).toBe('');
    expect(await studio.accessibility()).toEqual([]);
    await page.reload();
    await proposed.getByRole('button', { name: 'Apply' }).click();
    expect(await page.getByLabel('Tone').inputValue()).toBe('Warm');
    await proposed.waitFor({ state: 'detached' });
    await page.getByText('Saved', { exact: true }).waitFor();
    await page.unroute('**/profile-assistant');
    await page.unroute('**/api/model');
    await page.reload();
    // The conversation is still shown, but not continued.
    await page.getByRole('log', { name: 'Conversation' }).getByText('For whom?').waitFor();
    await page.getByText('A conversation needs a model.').waitFor();
  });

  it('B14 B15 sources are added as files and get priorities', async () => {
    await page.setInputFiles('input[type=file]', sources);
    for (const path of sources) await page.getByRole('link', { name: path.split('/').at(-1)! }).waitFor();
    await page.getByRole('combobox', { name: 'Priority of paper.md' }).click();
    await page.getByRole('option', { name: 'primary' }).click();
    const indexed = page.getByRole('row').getByText('ready', { exact: true });
    await indexed.nth(sources.length - 1).waitFor();
    const { items } = (await studio.tenant.get('/api/knowledge/collections')).json;
    const id = (items as { id: string }[])[0]!.id;
    const stored = (await studio.tenant.get(`/api/knowledge/collections/${id}/sources`)).json.items;
    expect(stored).toContainEqual(expect.objectContaining({ name: 'paper.md', priority: 'primary' }));
    expect(await studio.accessibility()).toEqual([]);
  });

  it('B12 B22 X21 the outline is made, reordered by keyboard, and changed without a model', async () => {
    await button('Continue to the outline').click();
    await button('Create the outline').click();
    const first = page.getByLabel('Title of chapter 1');
    // The outline may be shown before the end of its run, until when it cannot be edited.
    await first.click({ trial: true });
    const title = await first.inputValue();
    await first.focus();
    await page.keyboard.press('Alt+ArrowDown');
    expect(await page.getByLabel('Title of chapter 2').inputValue()).toBe(title);
    await page.reload();
    expect(await page.getByLabel('Title of chapter 2').inputValue()).toBe(title);
    await button('Save the outline').click();

    await page.getByText('Refining with feedback needs a model.').waitFor();
    expect(await page.getByRole('link', { name: 'Set up a model' }).getAttribute('href')).toBe(
      '/settings/model',
    );
    expect(await studio.accessibility()).toEqual([]);
    await page
      .getByRole('button', { name: /^Remove / })
      .nth(2)
      .click();
    await first.fill('Beginnings');
    await button('Save the outline').click();
    await page.reload();
    await page.getByLabel('Title of chapter 2').waitFor();
    expect(await page.getByLabel('Title of chapter 3').count()).toBe(0);
    expect(await first.inputValue()).toBe('Beginnings');
  });

  it('B6 B9 chapters are written despite a reload, two tabs, a lost stream and a stopped gateway, and show state and score', async () => {
    await button('Continue to drafting').click();
    // Pause the agent-runner until all interruptions have happened.
    const writer = stack.pids()['agent-runner']!;
    process.kill(writer, 'SIGSTOP');
    await button('Write the 2 missing chapters').click();
    await button('Cancel').waitFor();
    await page.reload();
    await button('Cancel').waitFor();
    const other = await page.context().newPage();
    await other.goto(page.url());
    await other.getByRole('button', { name: 'Cancel' }).waitFor();
    await loseConnection(page, relay);
    await killGateway(page, stack);
    process.kill(writer, 'SIGCONT');
    await button('Continue to export').waitFor();
    await other.getByRole('button', { name: 'Continue to export' }).waitFor();
    await other.close();
    const chapters = page.getByRole('navigation', { name: 'Chapters' });
    await chapters
      .getByText(/^score \d+$/)
      .first()
      .waitFor();
    const work = page.getByRole('region', { name: 'Current work' });
    await work.getByText('written by rules, without a model', { exact: true }).waitFor();
    // The score is in the list, and the decision is above what is needed to write again.
    expect(
      await page
        .getByRole('main')
        .getByText(/^score \d+$/)
        .count(),
    ).toBe(2);
    const [accept, rewrite] = ['Accept', 'Rewrite'].map((name) =>
      page.getByRole('button', { name, exact: true }),
    );
    expect((await accept!.boundingBox())!.y).toBeLessThan((await rewrite!.boundingBox())!.y);
    expect(await studio.accessibility()).toEqual([]);
  });

  it('X8 a manual change is a version that survives leaving the page, and its paragraphs can be rejected completely', async () => {
    const editor = page.getByRole('textbox', { name: 'Text of Beginnings' });
    const text = page.getByRole('region', { name: 'Beginnings' });
    await text.getByRole('heading').first().waitFor();
    expect(await studio.accessibility()).toEqual([]);
    await page.getByRole('tab', { name: 'Edit' }).click();
    await editor.click();
    await page.keyboard.press('Control+Home');
    // As a paste: typing would close brackets, and continue the table in the next line.
    await page.keyboard.insertText(
      '| A line of my own. | **Knots** |\n| --- | --- |\n| one | `400`[^1] |\n\n',
    );
    await page.reload();
    await editor.getByText('A line of my own.').waitFor();
    await button('Save').click();
    await page.getByText('Version 2', { exact: true }).waitFor();
    const id = (await studio.tenant.get('/api/books/projects')).json.items as { id: string }[];
    const chapters = (await studio.tenant.get(`/api/books/projects/${id[0]!.id}/chapters`)).json.items as {
      id: string;
    }[];
    const before = (await studio.tenant.get(`/api/books/chapters/${chapters[0]!.id}/versions/1`)).json;

    await page.getByRole('tab', { name: '2 versions' }).click();
    const change = page.getByRole('article', { name: 'Change 1' });
    const changes = page.getByRole('group', { name: 'Changes' });
    await changes.getByRole('columnheader', { name: 'Knots' }).locator('strong').waitFor();
    await changes.getByRole('cell', { name: '400' }).locator('code + sup').waitFor();
    expect(await studio.accessibility()).toEqual([]);
    await change.getByText('Reject').click();
    await page.getByRole('button', { name: /Reject all changes|Apply 0 changes/ }).click();
    await page.getByRole('tab', { name: '3 versions' }).waitFor();
    const after = (await studio.tenant.get(`/api/books/chapters/${chapters[0]!.id}`)).json;
    expect(after['content']).toBe(before['content']);
    await page.getByRole('button', { name: 'Accept', exact: true }).click();
    await button('Reopen').waitFor();
  });

  it('B3 a text that is typed in two tabs, or based on an older version, is kept until its author chooses', async () => {
    await button('Reopen').click();
    await page.getByRole('tab', { name: 'Edit' }).click();
    const other = await page.context().newPage();
    await other.goto(page.url());
    await other.getByRole('tab', { name: 'Edit' }).click();
    const name = 'Text of Beginnings';
    const at = (tab: Page) => ({
      editor: tab.getByRole('textbox', { name }),
      press: (label: string) => tab.getByRole('button', { name: label, exact: true }).click(),
    });
    const [here, there] = [at(page), at(other)];
    const type = async (tab: Page, text: string) => {
      await at(tab).editor.click();
      await tab.keyboard.press('Control+Home');
      await tab.keyboard.type(`${text}\n\n`);
    };
    await type(page, 'Typed here.');
    await type(other, 'Typed there.');
    await page.getByText('Another draft exists, from another tab or an earlier visit').waitFor();
    await here.press('Save');
    await page.getByText('Version 4', { exact: true }).waitFor();

    await other.getByText('A newer version exists', { exact: true }).waitFor();
    expect(await other.getByRole('button', { name: 'Save', exact: true }).isDisabled()).toBe(true);
    await there.editor.getByText('Typed there.').waitFor();
    expect(await accessibilityFaults(other)).toEqual([]);
    await there.press('Show the newest version');
    await there.editor.getByText('Typed here.').waitFor();
    expect(await accessibilityFaults(other)).toEqual([]);
    await there.press('Continue with it');
    await there.editor.getByText('Typed there.').waitFor();
    await there.press('Continue with my text');
    expect(await other.getByRole('button', { name: 'Save', exact: true }).isEnabled()).toBe(true);
    await there.press('Discard the changes');
    await other.getByText('Your unsaved changes will be deleted.').waitFor();
    await there.editor.getByText('Typed there.').waitFor();
    await there.press('Discard permanently');
    await there.editor.getByText('Typed here.').waitFor();
    await other.close();
  });

  it('B26 a finding is marked as wrong with a reason, and counts again when its author takes that back', async () => {
    const { items } = (await studio.tenant.get('/api/books/projects')).json;
    const { items: chapters } = (
      await studio.tenant.get(`/api/books/projects/${(items as { id: string }[])[0]!.id}/chapters`)
    ).json;
    const path = `/api/books/chapters/${(chapters as { id: string }[])[0]!.id}`;
    const { json: chapter } = await studio.tenant.get(path);
    const { json: version } = await studio.tenant.get(`${path}/versions/1`);
    const found = { id: 'f1', rule: 'r', severity: 'error', message: 'It was 1888.', span: null };
    const finding = { ...found, paragraph_id: null, evidence: [], suggestion: null };
    let overruled: object | null = null;
    const shown = () => {
      const findings = [overruled ? { ...finding, overruled } : finding];
      return { ...chapter, review: { ...(version['review'] as object), findings } };
    };
    await page.route(`**${path}`, (route) => route.fulfill({ json: shown() }));
    await page.route(`**${path}/findings/f1`, (route) => {
      const body = route.request().postDataJSON() as { overruled: { reason: string } | null };
      overruled = body.overruled && { ...body.overruled, by: 'key_1', at: new Date().toISOString() };
      return route.fulfill({ json: shown() });
    });
    await page.reload();
    await page.getByRole('tab', { name: 'Edit' }).click();
    await button('This finding is wrong').click();
    await page.getByLabel('Reason (optional)').fill('The plaque says so.');
    await button('Mark as wrong').click();
    await page.getByText('Marked as wrong: The plaque says so.').waitFor();
    await page.getByText('0 findings').waitFor();
    expect(await studio.accessibility()).toEqual([]);
    await button('Count it again').click();
    await button('This finding is wrong').waitFor();
    await page.unroute(`**${path}/findings/f1`);
    await page.unroute(`**${path}`);
    await page.reload();
  });

  it('X21 feedback on a chapter is not offered without a model', async () => {
    await page.getByText('Feedback needs a model. Without one, edit the text yourself.').waitFor();
    expect(await page.getByLabel('Feedback on the chapter').count()).toBe(0);
  });

  it('B12 the book is exported and downloaded, and its deletion, which can be undone, removes all of it', async () => {
    await button('Continue to export').click();
    await page.getByRole('checkbox', { name: 'EPUB' }).click();
    await page.getByRole('checkbox', { name: 'Markdown (ZIP)' }).click();
    await button('Create the files').click();
    for (const [format, begins] of [
      ['docx', 'PK'],
      ['pdf', '%PDF'],
      ['epub', 'PK'],
      ['zip', 'PK'],
    ] as const) {
      const link = page.getByRole('link', { name: new RegExp(`Download .*\\.${format}$`) });
      const { name, bytes } = await download(page, link);
      expect(name).toMatch(new RegExp(`\\.${format}$`));
      expect(bytes.subarray(0, begins.length).toString()).toBe(begins);
    }
    expect(await studio.accessibility()).toEqual([]);
    await page.goBack();
    await button('Continue to export').waitFor();
    await page.getByRole('button', { name: /^Delete: / }).click();
    await page.getByRole('heading', { level: 1, name: 'Books' }).waitFor();
    await page.getByRole('button', { name: /^Undo/ }).waitFor();
    await until(
      'the book is deleted',
      async () => (await studio.tenant.get('/api/books/projects')).json.items as unknown[],
      (books) => books.length === 0,
    );
    await until(
      'the drafts of the book are removed',
      () => page.evaluate<string[]>('Object.keys(localStorage)'),
      (keys) => !keys.some((key) => key.includes('book.')),
    );
    expect(studio.faults).toEqual([]);
  });
});
