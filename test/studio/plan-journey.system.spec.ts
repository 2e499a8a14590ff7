import { chromiumPath } from '#testing/browser.js';
import { startModelStub, type ModelStub } from '#testing/model-stub.js';
import { keyboardOf } from '#testing/keyboard.js';
import { leasedStack, type LeasedStack } from '#testing/shared-stack.js';
import { download, openStudio, type Studio } from '#testing/studio.js';
import { until } from '#testing/until.js';
import type { Locator, Page } from 'playwright-core';
import { from, task } from '../e2e/plan-bodies.js';

/** What a page computes, of which Node knows no type. */
interface Styles {
  getComputedStyle: (path: unknown) => { strokeDasharray: string };
}

const INTENT = 'Total value per kind as a table, and let me approve the file';
const PLAN = {
  understanding: 'A table with the total value of each kind.',
  tasks: [
    task('read', 'read_input', { name: '07-surcharges.csv' }),
    task('rows', 'parse_csv', { text: from('read', '/text') }),
    task('totals', 'aggregate', {
      rows: from('rows', '/rows'),
      group_by: ['kind'],
      measures: [{ column: 'value', function: 'sum', as: 'total' }],
    }),
    {
      ...task('file', 'write_file', { name: 'totals.csv', content: from('totals', '/rows') }),
      needs_approval: true,
    },
  ],
  outputs: [{ task: 'file', description: 'the totals' }],
  assumptions: ['Percentages are added like amounts.'],
};

const LISTING = 'List what I have';
const LIST = { understanding: 'A list of the files.', tasks: [task('list', 'list_inputs')], outputs: [] };

/** A user enters a goal for a file, reads the plan, edits it when asked, and downloads the result. */
(chromiumPath ? describe : describe.skip)('a plan by the model in the studio (chromium)', () => {
  let stub: ModelStub;
  let stack: LeasedStack;
  let studio: Studio;
  let page: Page;

  beforeAll(async () => {
    stub = await startModelStub({
      respond: ({ messages }) => ({
        text: JSON.stringify(JSON.stringify(messages).includes(LISTING) ? LIST : PLAN),
      }),
    });
    stack = await leasedStack('model', { model: stub.baseUrl });
    studio = await openStudio(stack);
    ({ page } = studio);
  });
  afterAll(async () => {
    await studio.close();
    await stack.release();
    await stub.stop();
  });

  const button = (name: string) => page.getByRole('button', { name });

  it('P2 P5 P7 a goal becomes a graph, whose steps are edited in forms, checked and started', async () => {
    await studio.open('/plans');
    await button('New plan').first().click();
    // Nothing can be undone or checked yet.
    await page.getByLabel('Edit as JSON').waitFor();
    expect(await button('Undo').or(button('Check without running')).count()).toBe(0);
    await page.setInputFiles('input[type=file]', 'examples/handover/07-surcharges.csv');
    await page.getByText('07-surcharges.csv').waitFor();
    await page.getByLabel('Goal').fill(INTENT);
    await button('Suggest a plan').click();
    const graph = page.getByRole('group', { name: 'Graph of the plan' });
    await graph.getByText('Read 07-surcharges.csv').waitFor();
    await page.getByText(PLAN.understanding).waitFor();
    await page.getByText('Percentages are added like amounts.').waitFor();
    await graph.getByText('Add up and count by group').click();
    const step = page.getByRole('article', { name: 'Add up and count by group' });
    const name = step.getByLabel('Name of the result');
    await name.fill('sum');
    // A suggestion that replaces what was changed can be undone.
    await button('Suggest a plan').click();
    await until('the step is as suggested', async () => (await name.inputValue()) !== 'sum');
    await page.getByRole('button', { name: 'Undo', exact: true }).click();
    await until('the change is back', async () => (await name.inputValue()) === 'sum');
    await button('Check without running').click();
    await page.getByText('The plan can run. Nothing was executed.').waitFor();
    expect(await studio.accessibility()).toEqual([]);
    await button('Start').click();
    await page.getByRole('region', { name: 'Waiting for your approval' }).waitFor();
    await page.getByText('What was done and what comes next, as text').click();
    await page.getByRole('heading', { name: 'Next', exact: true }).waitFor();
    // What explains to programs how to answer is not for people.
    expect(await page.getByText('What your answer does').count()).toBe(0);
  });

  it('P2 P5 the content to be written is edited and approved, and the plan runs again from a step', async () => {
    const graph = page.getByRole('group', { name: 'Graph of the plan' });
    for (const { id } of PLAN.tasks) await graph.getByText(id, { exact: true }).waitFor();
    const approved = page.getByRole('group', { name: 'Write totals.csv (file)' });
    // What will be written, not where it comes from.
    expect(await approved.getByLabel('Content').inputValue()).toContain('2825');
    await approved.getByLabel('File').fill('totals-per-kind.csv');
    expect(await studio.accessibility()).toEqual([]);
    await page.getByRole('button', { name: 'Approve', exact: true }).click();
    const link = page.getByRole('link', { name: 'totals-per-kind.csv' });
    await link.waitFor();
    const file = await download(page, link);
    expect(file.name).toBe('totals-per-kind.csv');
    expect(file.bytes.toString()).toBe('kind,sum\r\nfixed,2825\r\npercent,6.5\r\n');
    for (const result of [/^code,kind,value/, /^\d+ rows$/, '2 rows', 'totals-per-kind.csv'])
      await graph.getByText(result).first().waitFor();
    await graph.getByText('Add up and count by group').click();
    await page.getByRole('article').getByRole('cell', { name: '2825' }).waitFor();
    expect(await studio.accessibility()).toEqual([]);
    await button('Run from here').click();
    await button('Run again now').click();
    await page.getByRole('region', { name: 'Waiting for your approval' }).waitFor();
    // The results of earlier steps are kept.
    await graph.getByText(/read.*done/).waitFor();
    expect(studio.faults).toEqual([]);
  });

  it('P7 X20 a goal on the first page becomes a graph at once, which is completed by keyboard alone', async () => {
    const { press, type } = keyboardOf(page);
    const graph = page.getByRole('group', { name: 'Graph of the plan' });
    await studio.open('/');
    await type(page.getByRole('textbox', { name: /^Or type what you want/ }), LISTING);
    await page.keyboard.press('Enter');
    await graph.getByText('List the files').waitFor();
    /** Types into a list, and chooses the first option that is left. */
    const choose = async (name: string, option: string) => {
      await type(page.getByRole('combobox', { name }), option);
      await page.getByRole('option', { name: option }).waitFor();
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('Enter');
    };
    await choose('Add a step', 'Writes a file');
    const step = page.getByRole('article', { name: 'Write …' });
    await step.getByText('Content is missing.').waitFor();
    await type(step.getByRole('textbox', { name: 'File' }), 'list.json');
    await choose('Use a result for Content', 'files');
    await graph.getByText('warning').waitFor({ state: 'detached' });
    expect(await studio.accessibility()).toEqual([]);
    // Enter opens a step, Delete removes it.
    await press(graph.getByRole('group', { name: /^List the files/ }));
    await page.getByRole('article', { name: 'List the files' }).waitFor();
    await press(graph.getByRole('group', { name: /^List the files/ }), 'Delete');
    await graph.getByText('List the files').waitFor({ state: 'detached' });
    await press(page.getByRole('button', { name: 'Undo' }));
    await graph.getByText('List the files').waitFor();
    await press(page.getByRole('button', { name: 'Redo' }));
    await graph.getByText('List the files').waitFor({ state: 'detached' });
    await press(page.getByRole('button', { name: 'Undo' }));
    await graph.getByText('List the files').waitFor();
    await press(page.getByRole('button', { name: 'Start' }));
    await page.getByRole('link', { name: 'Download list.json' }).waitFor();
    expect(studio.faults).toEqual([]);
  });

  it('P7 steps are linked by dragging; a condition goes with its line, and nothing is lost without a question', async () => {
    const when = { $from: 'list', path: '/more' };
    const tasks = [
      task('list', 'list_inputs'),
      task('file', 'write_file', { name: 'list.json' }),
      { ...task('again', 'list_inputs'), when },
    ];
    await studio.open('/plans/new');
    await page.getByLabel('Edit as JSON').click();
    await page.getByRole('textbox', { name: 'Tasks' }).fill(JSON.stringify(tasks));
    await page.getByLabel('Edit as JSON').click();
    const graph = page.getByRole('group', { name: 'Graph of the plan' });
    const handle = (id: string, of: 'source' | 'target') =>
      graph.locator(`[data-id="${id}"] .react-flow__handle.${of}`);
    // A line straight down has no width, so that it counts as hidden.
    await graph.locator('.react-flow__edge').waitFor({ state: 'attached' });
    const middleOf = async (one: Locator) => {
      const { x, y, width, height } = (await one.boundingBox())!;
      return [x + width / 2, y + height / 2] as const;
    };
    await page.mouse.move(...(await middleOf(handle('list', 'source'))));
    await page.mouse.down();
    // A line is drawn only after the first of several moves.
    await page.mouse.move(...(await middleOf(handle('file', 'target'))), { steps: 5 });
    await page.mouse.up();
    await page
      .getByRole('article', { name: 'Write list.json' })
      .getByText('result of list')
      .first()
      .waitFor();
    expect(await graph.locator('.react-flow__edge').count()).toBe(2);
    const condition = page.getByRole('group', { name: 'Conditional line from list to again' });
    const plain = page.getByRole('group', { name: 'Line from list to file', exact: true });
    const dashes = (line: Locator) =>
      line
        .locator('.react-flow__edge-path')
        .evaluate((path) => (globalThis as unknown as Styles).getComputedStyle(path).strokeDasharray);
    expect([await dashes(plain), await dashes(condition)]).toEqual(['none', '6px, 4px']);
    await condition.focus();
    await page.keyboard.press('Enter');
    await page.keyboard.press('Delete');
    await condition.waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'Schedules' }).click();
    const question = page.getByRole('dialog', { name: /will be lost/ });
    await question.getByRole('button', { name: 'Stay here' }).click();
    await question.waitFor({ state: 'detached' });
    expect(new URL(page.url()).pathname).toBe('/plans/new');
    await page.getByRole('link', { name: 'Schedules' }).click();
    await question.getByRole('button', { name: 'Leave' }).click();
    await page.waitForURL('**/schedules');
    expect(studio.faults).toEqual([]);
  });

  it('P15 a saved plan is scheduled with values for its form', async () => {
    const saved = { name: 'My total', template: 'total_by_group' };
    await studio.tenant.post('/api/saved-plans', saved);
    await studio.open('/schedules');
    await button('New schedule').click();
    const form = page.getByRole('dialog');
    await form.getByLabel('Name').fill('Totals at night');
    await form.getByRole('combobox', { name: 'Saved plan' }).click();
    await page.getByRole('option', { name: saved.name }).click();
    await form.getByLabel('Group by column').waitFor();
    // Without a file, it cannot run.
    expect(await form.getByRole('button', { name: 'Add schedule' }).isDisabled()).toBe(true);
    expect(await studio.accessibility()).toEqual([]);
  });
});
