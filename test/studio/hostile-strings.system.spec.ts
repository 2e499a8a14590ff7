import { newId } from '#contracts/ids.js';
import { createDatabase } from '#db/client.js';
import { chromiumPath } from '#testing/browser.js';
import { HOSTILE_FLAG, hostileStrings } from '#testing/hostile-strings.js';
import { sharedStack, type SharedStack } from '#testing/shared-stack.js';
import { openStudio, overflow, type Studio } from '#testing/studio.js';
import { until } from '#testing/until.js';

const ALL = hostileStrings.join('\n\n');
/** Returns `count` strings for titles and names, from all parts of the list. */
const some = (count: number) =>
  Array.from({ length: count }, (_, i) => hostileStrings[Math.floor((i * hostileStrings.length) / count)]!);

/** Strings written to attack the people who see them (stored XSS), on every page that shows words of tenants. */
(chromiumPath ? describe : describe.skip)('hostile strings in the studio (chromium)', () => {
  let stack: SharedStack;
  let studio: Studio;
  let book: string;

  beforeAll(async () => {
    stack = await sharedStack();
    studio = await openStudio(stack);
  });
  afterAll(() => studio.close());

  /** Checks that nothing on the page runs, contacts another host or exceeds the window, at 1280 and at 390 px. */
  const isHarmless = async (path: string) => {
    for (const width of [1280, 390]) {
      await studio.page.setViewportSize({ width, height: 800 });
      expect([path, width, await overflow(studio.page)]).toEqual([path, width, 0]);
    }
    expect([path, await studio.page.evaluate(HOSTILE_FLAG)]).toEqual([path, false]);
    expect([path, studio.faults]).toEqual([path, []]);
  };

  /** Creates a document and a collection named like each of the strings, as far as PostgreSQL can store it. */
  const documentsAndCollectionsOfAll = async () => {
    const db = createDatabase(stack.database.url, 1);
    const { id } = (await studio.tenant.post('/api/sessions', {})).json;
    const { tenantId } = await db.session.findUniqueOrThrow({ where: { id: String(id) } });
    const names = hostileStrings.map((text) => text.replaceAll('\0', '').slice(0, 200));
    const sessions = names.map((title) => ({ id: newId('ses'), tenantId, title }));
    await db.session.createMany({ data: sessions });
    const run = { tenantId, kind: 'document', status: 'completed', inputs: {}, graphVersion: '1' };
    await db.run.createMany({
      data: sessions.map(({ id: sessionId }) => ({ id: newId('run'), sessionId, ...run })),
    });
    await db.knowledgeCollection.createMany({
      data: names.map((name) => ({
        id: newId('col'),
        tenantId,
        name,
        description: name,
        purpose: 'knowledge',
      })),
    });
    await db.$disconnect();
  };

  /** Loads a list to its end. */
  const showAll = async () => {
    const rows = studio.page.getByRole('row');
    const more = studio.page.getByRole('button', { name: 'Show more' });
    while ((await more.count()) > 0) {
      const before = await rows.count();
      await more.click();
      await until(
        `more than ${before} rows`,
        () => rows.count(),
        (count) => count > before,
      );
    }
    expect(await rows.count()).toBeGreaterThan(hostileStrings.length);
  };

  it('have 500 cases', () => expect(new Set(hostileStrings).size).toBeGreaterThanOrEqual(500));

  it('as titles, names and sources', async () => {
    const { tenant } = studio;
    await documentsAndCollectionsOfAll();
    for (const name of some(10)) await tenant.post('/api/keys', { name, scopes: ['read'] });
    const { id } = (await tenant.post('/api/knowledge/collections', { name: 'Hostile' })).json;
    for (const title of some(10)) {
      const note = { name: title, title, author: title, text: ALL };
      await tenant.post(`/api/knowledge/collections/${String(id)}/sources`, note);
    }
    for (const path of ['/documents', '/knowledge', `/knowledge/${String(id)}`, '/access', '/audit']) {
      await studio.open(path);
      if (path === '/documents' || path === '/knowledge') await showAll();
      await isHarmless(path);
    }
    const { items } = (await tenant.get(`/api/knowledge/collections/${String(id)}/sources`)).json;
    const [source] = items as { id: string }[];
    expect(source).toBeDefined();
    const path = `/knowledge/${String(id)}/sources/${source!.id}`;
    await studio.open(path);
    await studio.page.getByRole('region', { name: 'Text of the source' }).waitFor();
    await isHarmless(path);
  });

  it('as outline, chapters and their texts', async () => {
    const { tenant, page } = studio;
    const made = await tenant.post('/api/books/projects', {
      title: `<script>${'x'}</script><img src=x onerror=window.hostileRan=true>`,
      language: 'en',
    });
    book = String(made.json['id']);
    for (const title of some(25)) {
      const chapter = { title, summary: title, content: ALL };
      await tenant.post(`/api/books/projects/${book}/chapters`, chapter);
    }
    for (const step of ['concept', 'outline', 'drafting', 'export']) {
      await studio.open(`/books/${book}/${step}`);
      if (step === 'drafting') {
        await page.locator('.reading').waitFor();
        await page.getByRole('tab', { name: 'Edit' }).click();
        await page.getByRole('textbox', { name: /^Text of/ }).waitFor();
      }
      await isHarmless(step);
    }
  });

  it('as the lines of a document, in its manuscript and its ledger', async () => {
    const { tenant, page } = studio;
    const session = String((await tenant.post('/api/sessions', { title: 'Hostile lines' })).json['id']);
    await tenant.upload(session, { 'hostile.txt': Buffer.from(ALL) });
    const run = (await tenant.post('/api/agents/runs', { session_id: session })).json;
    await studio.open(`/runs/${String(run['id'])}`);
    await isHarmless('run');
    await studio.open(`/documents/${session}`);
    await page
      .getByRole('link', { name: /^Download / })
      .or(page.getByRole('button', { name: 'Answer' }))
      .first()
      .waitFor();
    await isHarmless('document');
    const answer = page.getByRole('button', { name: 'Answer' });
    if (await answer.count()) {
      for (const choice of await page.getByRole('radio', { name: 'leave it out' }).all())
        await choice.click();
      await answer.first().click();
    }
    await until(
      `the ledger of the session ${session}`,
      async () => (await tenant.get(`/api/sessions/${session}/ledger`)).status,
      (status) => status === 200,
    );
    await studio.open(`/documents/${session}`);
    await page.getByRole('listbox', { name: 'hostile.txt' }).waitFor();
    await page.getByRole('tab', { name: 'Ledger' }).click();
    await page.getByRole('cell', { name: 'hostile.txt' }).waitFor();
    await isHarmless('ledger');
  });

  it('as the description of a server’s tool', async () => {
    const { tenant, page } = studio;
    const { id } = (await tenant.post('/api/mcp/servers', { name: 'hostile', command: 'none' })).json;
    const db = createDatabase(stack.database.url, 1);
    const { tenantId } = await db.mcpServer.findUniqueOrThrow({ where: { id: String(id) } });
    const toolWith = (name: string, description: string) => ({ name, description, input: {}, output: null });
    // Each has changed since it was approved, so that both descriptions are shown.
    await db.mcpTool.createMany({
      data: hostileStrings.map((description, n) => ({
        serverId: String(id),
        tenantId,
        name: `tool-${n}`,
        seen: toolWith(`tool-${n}`, description),
        seenHash: 'now',
        approved: toolWith(`tool-${n}`, `${description} before`),
        approvedHash: 'then',
      })),
    });
    await db.$disconnect();
    await studio.open('/servers');
    await page.getByRole('region', { name: 'tool-0', exact: true }).waitFor();
    await isHarmless('/servers');
  });
});
