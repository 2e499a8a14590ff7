import { createDatabase } from '#db/client.js';
import { chromiumPath } from '#testing/browser.js';
import { exampleFiles, MISSING_IMAGE } from '#testing/examples.js';
import { sharedStack, type SharedStack } from '#testing/shared-stack.js';
import { openStudio, type Studio } from '#testing/studio.js';
import { TEST_ADMIN_PASSWORD } from '#testing/test-stack.js';
import { until } from '#testing/until.js';
import type { Page } from 'playwright-core';

const NOTE = '# Nets\n\nNets are mended in winter. Each net has 400 knots.\n';

/** Pages that list the results of journeys, with content: in both colour schemes and on a telephone. */
(chromiumPath ? describe : describe.skip)('pages with content in the studio (chromium)', () => {
  let stack: SharedStack;
  let studio: Studio;
  let page: Page;
  let run: { id: string; session_id: string };

  beforeAll(async () => {
    stack = await sharedStack();
    studio = await openStudio(stack);
    ({ page } = studio);
    const { tenant } = studio;
    const session = String(
      (await tenant.post('/api/sessions', { title: 'A night at the depot' })).json['id'],
    );
    await tenant.upload(session, exampleFiles('incident'));
    const { id } = (await tenant.post('/api/agents/runs', { session_id: session })).json;
    run = { id: String(id), session_id: session };
    await until(
      `the run ${run.id} needs an answer`,
      () => tenant.run(run.id),
      ({ status }) => status === 'needs_answer',
    );
  });
  afterAll(() => studio.close());

  const isWithoutFault = async (path: string) => {
    expect([path, await studio.accessibility()]).toEqual([path, []]);
    expect([path, studio.faults]).toEqual([path, []]);
  };

  it('documents, runs and open questions', async () => {
    for (const path of ['/documents', '/runs', '/usage', '/access', '/audit']) {
      await studio.open(path);
      await isWithoutFault(path);
    }
    await studio.open('/decisions');
    await page.getByRole('region', { name: MISSING_IMAGE }).waitFor();
    await isWithoutFault('/decisions');
  });

  it('a collection, the results of a search in it and the passage in its source', async () => {
    const { tenant } = studio;
    const collection = String(
      (await tenant.post('/api/knowledge/collections', { name: 'Harbour' })).json['id'],
    );
    const sources = `/api/knowledge/collections/${collection}/sources`;
    await tenant.post(sources, { name: 'nets.md', text: NOTE });
    await until(
      'every source is ready',
      async () => (await tenant.get(sources)).json['items'] as { state: string }[],
      (items) => items.every(({ state }) => state === 'ready'),
    );
    await studio.open('/knowledge');
    await isWithoutFault('/knowledge');
    await studio.open(`/knowledge/${collection}`);
    await page.getByRole('search').getByRole('textbox').first().fill('knots of a net');
    await page.keyboard.press('Enter');
    const hit = page.getByRole('article').first();
    await hit.locator('mark').first().waitFor();
    expect(new URL(page.url()).searchParams.get('q')).toBe('knots of a net');
    await isWithoutFault('search');
    await hit.getByRole('link').first().click();
    await page.getByRole('region', { name: 'Text of the source' }).waitFor();
    await isWithoutFault('source');
  });

  it('passages of sources, found by Ctrl+K, each of which opens at its place', async () => {
    await page.keyboard.press('Control+k');
    const search = page.getByRole('dialog');
    await search.getByRole('textbox').fill('knots');
    const hit = search.getByRole('button', { name: /^nets\.md.*knot/ });
    await hit.first().waitFor();
    await isWithoutFault('search of texts');
    await page.keyboard.press('Enter');
    await search.waitFor({ state: 'hidden' });
    await page
      .getByRole('status')
      .filter({ hasText: /^The passage is in lines/ })
      .waitFor();
    expect(Number(new URL(page.url()).searchParams.get('to'))).toBeGreaterThan(0);
    // The collection shows all of them.
    await page.keyboard.press('Control+k');
    await search.getByRole('textbox').fill('400');
    await search.getByRole('button', { name: 'Harbour', exact: true }).click();
    await page.getByRole('search').getByText('1 passage').waitFor();
  });

  it('a server with a changed tool, and a disabled webhook', async () => {
    const { id } = (await studio.tenant.post('/api/mcp/servers', { name: 'shelf', command: 'none' })).json;
    const db = createDatabase(stack.database.url, 1);
    const { tenantId } = await db.mcpServer.findUniqueOrThrow({ where: { id: String(id) } });
    const toolWith = (description: string) => ({ name: 'find', description, input: {}, output: null });
    await db.mcpTool.create({
      data: {
        serverId: String(id),
        tenantId,
        name: 'find',
        seen: toolWith('Finds a book.'),
        seenHash: 'now',
        approved: toolWith('Finds books.'),
        approvedHash: 'then',
      },
    });
    await db.webhook.create({
      data: {
        id: `whk_${run.id.slice(4)}`,
        tenantId,
        url: 'https://receiver.test/hook',
        events: [],
        secret: 'sealed',
        disabledAt: new Date(),
        disabledReason: 'The receiver responded with 410',
        deliveries: {
          create: {
            runId: run.id,
            seq: 1,
            tenantId,
            sessionId: run.session_id,
            event: 'needs_answer',
            runStatus: 'needs_answer',
            at: new Date(),
            status: 'failed',
            attempts: 1,
            statusCode: 410,
            settledAt: new Date(),
          },
        },
      },
    });
    await db.$disconnect();
    await studio.open('/servers');
    await page.getByRole('region', { name: 'find', exact: true }).waitFor();
    await isWithoutFault('/servers');
    await studio.open('/webhooks');
    await page.getByRole('button', { name: 'Deliveries' }).click();
    await page.getByText('410').first().waitFor();
    await isWithoutFault('/webhooks');
  });

  it('a schedule that is created, starts a run at once, and is removed', async () => {
    await studio.open('/schedules');
    await page.getByRole('button', { name: 'New schedule' }).click();
    await page.getByLabel('Name', { exact: true }).fill('Morning report');
    await page.getByRole('combobox', { name: 'Document' }).click();
    await page.getByRole('option', { name: 'A night at the depot' }).click();
    await page.getByText('Next:').waitFor();
    await isWithoutFault('/schedules');
    await page.getByRole('button', { name: 'Add schedule' }).click();
    const card = page.getByRole('article', { name: 'Morning report' });
    await card.getByRole('button', { name: 'Run now' }).click();
    // The session still has a run that waits for an answer.
    await card.getByText('skipped').waitFor();
    await isWithoutFault('/schedules');
    await card.getByRole('button', { name: 'Pause' }).click();
    await card.getByText('paused').waitFor();
    await card.getByRole('button', { name: 'Remove' }).click();
    await card.getByRole('button', { name: 'Remove permanently' }).click();
    await card.waitFor({ state: 'detached' });
  });

  it('the service, for its operator', async () => {
    await studio.open('/service');
    await page.getByLabel('Password', { exact: true }).fill(TEST_ADMIN_PASSWORD);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Queues' }).waitFor();
    await isWithoutFault('/service');
  });
});
