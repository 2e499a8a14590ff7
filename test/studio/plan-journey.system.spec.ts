import { chromiumPath } from '#testing/browser.js';
import { startModelStub, type ModelStub } from '#testing/model-stub.js';
import { leasedStack, type LeasedStack } from '#testing/shared-stack.js';
import { download, openStudio, type Studio } from '#testing/studio.js';
import type { Page } from 'playwright-core';
import { from, task } from '../e2e/plan-bodies.js';

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

/** A user enters a goal for a file, reads the plan, edits it when asked, and downloads the result. */
(chromiumPath ? describe : describe.skip)('a plan by the model in the studio (chromium)', () => {
  let stub: ModelStub;
  let stack: LeasedStack;
  let studio: Studio;
  let page: Page;

  beforeAll(async () => {
    stub = await startModelStub({ respond: () => ({ text: JSON.stringify(PLAN) }) });
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

  it('P2 P5 P7 a request with a file becomes a plan, is approved with an edit, and produces a file', async () => {
    await studio.open('/plans');
    await button('New plan').first().click();
    await page.getByLabel('Goal').fill(INTENT);
    await page.setInputFiles('input[type=file]', 'examples/handover/07-surcharges.csv');
    await page.getByText('07-surcharges.csv').waitFor();
    await button('Suggest a plan').click();
    await page.getByText(PLAN.understanding).waitFor();
    await page.getByText('Planned by the model').waitFor();
    await page.getByText('Percentages are added like amounts.').waitFor();
    await button('Start').click();
    await page.getByRole('region', { name: 'Waiting for your approval' }).waitFor();
    const graph = page.getByRole('group', { name: 'Graph of the plan' });
    for (const { id } of PLAN.tasks) await graph.getByText(id, { exact: true }).waitFor();
    const step = page.getByRole('group', { name: 'file · write_file' });
    // What will be written, not where it comes from.
    expect(await step.getByLabel('content').inputValue()).toContain('2825');
    await step.getByLabel('name').fill('totals-per-kind.csv');
    await page.getByRole('button', { name: 'Approve', exact: true }).click();
    const link = page.getByRole('link', { name: 'totals-per-kind.csv' });
    await link.waitFor();
    const file = await download(page, link);
    expect(file.name).toBe('totals-per-kind.csv');
    expect(file.bytes.toString()).toBe('kind,total\r\nfixed,2825\r\npercent,6.5\r\n');
    expect(await studio.accessibility()).toEqual([]);
    expect(studio.faults).toEqual([]);
  });
});
