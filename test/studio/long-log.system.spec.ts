import { chromiumPath } from '#testing/browser.js';
import { sharedStack } from '#testing/shared-stack.js';
import { openStudio, type Studio } from '#testing/studio.js';
import { until } from '#testing/until.js';

const LINES = 20_000;
/** Of either side of the ledger: a screen of them and some around. */
const ROWS_AT_MOST = 200;
/** Maximum number of reads of 500 lines: for the first screen, the last one, and adjacent lines, on both sides. */
const READS_AT_MOST = 8;
const LOG = Array.from(
  { length: LINES },
  (_, n) =>
    `03:${String(n % 60).padStart(2, '0')} worker-${n % 17} took label ${n} of depot ${(n * 31) % 997}\n`,
).join('');

/**
 * The cost of a page depends on the visible part of a log. A log of 20 MB passes the same test, but its run takes a
 * minute longer.
 */
(chromiumPath ? describe : describe.skip)('a long log in the ledger (chromium)', () => {
  let studio: Studio;

  beforeAll(async () => {
    studio = await openStudio(await sharedStack());
  });
  afterAll(() => studio.close());

  it('X1 is loaded in parts while it is scrolled, from its first line to its last', async () => {
    const { page, tenant } = studio;
    const session = String((await tenant.post('/api/sessions', { title: 'A long log' })).json['id']);
    await tenant.upload(session, { 'long.log': Buffer.from(LOG) });
    const run = String((await tenant.post('/api/agents/runs', { session_id: session })).json['id']);
    await until(
      `the run ${run} is completed`,
      () => tenant.run(run),
      ({ status }) => status === 'completed',
    );

    const reads = new Set<string>();
    page.on('request', (request) => {
      if (request.url().includes('/lines?')) reads.add(request.url());
    });
    await studio.open(`/documents/${session}`);
    const source = page.getByRole('listbox', { name: 'long.log' });
    await source.getByText('took label 0 of').waitFor();
    await source.focus();
    await page.keyboard.press('End');
    const last = new RegExp(`took label ${LINES - 1} of`);
    await source.getByRole('option', { selected: true }).filter({ hasText: last }).waitFor();
    const manuscript = page.getByRole('listbox', { name: 'Manuscript' });
    await manuscript.getByRole('option', { selected: true }).filter({ hasText: last }).waitFor();
    for (const side of [source, manuscript])
      expect(await side.getByRole('option').count()).toBeLessThan(ROWS_AT_MOST);
    expect(reads.size).toBeLessThanOrEqual(READS_AT_MOST);
    expect(studio.faults).toEqual([]);
  });
});
