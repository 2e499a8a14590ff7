import { chromiumPath } from '#testing/browser.js';
import { sharedStack } from '#testing/shared-stack.js';
import { openStudio, overflow, settled, signIn, type Studio } from '#testing/studio.js';

/** Every page with its own address, without content. */
const PAGES = [
  '/',
  '/work',
  '/work?kind=article',
  '/work?kind=plan',
  '/books/new/concept',
  '/sources',
  '/plans/new',
  '/style',
  '/inbox',
  '/schedules',
  ...['runs', 'usage', 'model', 'access', 'servers', 'secrets', 'webhooks', 'audit', 'service'].map(
    (name) => `/settings/${name}`,
  ),
  '/nowhere',
];

(chromiumPath ? describe : describe.skip)('pages of the studio (chromium)', () => {
  let studio: Studio;

  beforeAll(async () => {
    studio = await openStudio(await sharedStack('gateway'));
  });
  afterAll(() => studio.close());

  // One by one, because all together exceed the time limit of a test on a busy machine.
  it.each(PAGES)('have no fault in both colour schemes, also at 390 px: %s', async (path) => {
    for (const width of [390, 1280]) {
      await studio.page.setViewportSize({ width, height: 800 });
      await studio.open(path);
      expect([width, await studio.accessibility()]).toEqual([width, []]);
      expect([width, await overflow(studio.page)]).toEqual([width, 0]);
    }
    expect(studio.faults).toEqual([]);
  });

  it.each(['/access', '/knowledge', '/documents', '/articles'])(
    'have dialogs whose close button has a name: %s',
    async (path) => {
      await studio.open(path);
      await studio.page.getByRole('main').getByRole('button', { name: /^New / }).click();
      const dialog = studio.page.getByRole('dialog');
      await dialog.waitFor();
      expect(await studio.accessibility()).toEqual([]);
      await dialog.getByRole('button', { name: 'Close', exact: true }).click();
      await dialog.waitFor({ state: 'hidden' });
      const opener = studio.page.getByRole('main').getByRole('button', { name: /^New / });
      await opener.and(studio.page.locator(':focus')).waitFor();
    },
  );

  it.each<[string, string]>([
    ['/documents', '/work?kind=document'],
    ['/books?title=ice', '/work?title=ice&kind=book'],
    ['/articles', '/work?kind=article'],
    ['/plans', '/work?kind=plan'],
    ['/decisions', '/inbox'],
    ['/tools', '/plans/new'],
    ['/knowledge', '/sources'],
    ['/runs?status=failed', '/settings/runs?status=failed'],
    ...['model', 'access', 'webhooks', 'secrets', 'servers', 'usage', 'audit', 'service'].map(
      (name): [string, string] => [`/${name}`, `/settings/${name}`],
    ),
  ])('X22 are found under their earlier address: %s', async (before, now) => {
    await studio.open(before);
    expect(studio.page.url()).toBe(studio.url + now);
  });

  it('X22 are found by Ctrl+K, as are works and sources, and the settings by the account', async () => {
    const { page, tenant } = studio;
    await tenant.post('/api/books/projects', { title: 'Winter ice' });
    await tenant.post('/api/knowledge/collections', { name: 'Ice charts' });
    await studio.open('/schedules');
    await page.keyboard.press('Control+k');
    const search = page.getByRole('dialog');
    await search.getByRole('textbox').fill('ice');
    await search.getByRole('button', { name: /Ice charts/ }).waitFor();
    expect(await studio.accessibility()).toEqual([]);
    // Pages were listed before the works were found.
    await search.getByRole('button', { name: /Winter ice/ }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Winter ice' }).waitFor();
    await page.getByRole('button', { name: 'tenant' }).click();
    await page.getByRole('menuitem', { name: 'Settings' }).click();
    await page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name: 'Usage' }).click();
    await page.getByRole('heading', { level: 1, name: 'Usage' }).waitFor();
    expect(studio.faults).toEqual([]);
  });

  it('do not show the name of the tenant that the first start makes', async () => {
    await studio.page.route('**/api/studio/session', async (route) => {
      const answer = await route.fetch();
      await route.fulfill({ json: { ...((await answer.json()) as object), tenant_name: 'default' } });
    });
    await studio.open('/');
    await studio.page.getByRole('button', { name: 'Account' }).waitFor();
    await studio.page.unroute('**/api/studio/session');
  });

  it('are shown in Polish on request, and declare the language to screen readers', async () => {
    await studio.open('/books');
    await studio.page.getByRole('button', { name: 'tenant' }).click();
    await studio.page.getByRole('menuitemradio', { name: 'Polski' }).click();
    await studio.page.getByRole('heading', { level: 1, name: 'Książki' }).waitFor();
    expect(await studio.page.evaluate('document.documentElement.lang')).toBe('pl');
    await studio.page.reload();
    await studio.page.getByRole('heading', { level: 1, name: 'Książki' }).waitFor();
    await studio.page.evaluate('localStorage.clear()');
  });

  it('lead by keyboard alone from the first page to a new book', async () => {
    await studio.open('/');
    const { keyboard } = studio.page;
    await keyboard.press('Tab');
    expect(await studio.page.evaluate('document.activeElement.className')).toBe('skip-link');
    for (let presses = 0; presses < 12; presses++) {
      await keyboard.press('Tab');
      if ((await studio.page.evaluate('document.activeElement.textContent')) === 'Work') break;
    }
    await keyboard.press('Enter');
    await studio.page.getByRole('heading', { level: 1, name: 'Work' }).waitFor();
    await studio.page.getByRole('button', { name: 'New', exact: true }).focus();
    await keyboard.press('Enter');
    await studio.page.getByRole('menuitem', { name: 'New book' }).focus();
    await keyboard.press('Enter');
    await studio.page.getByLabel(/^Title/).focus();
    await keyboard.type('Written without a mouse');
    await studio.page.getByRole('button', { name: 'Continue to the outline' }).focus();
    await keyboard.press('Enter');
    await studio.page.getByRole('heading', { level: 1, name: 'Written without a mouse' }).waitFor();
    await studio.page.getByRole('tab', { name: 'Outline', selected: true }).waitFor();
    expect(studio.faults).toEqual([]);
  });

  it('lead a signed-out user to the sign-in and back', async () => {
    const context = await studio.browser.newContext();
    const page = await context.newPage();
    await signIn(page, studio.url, studio.tenant);
    await page.getByRole('heading', { level: 1, name: /^Turn raw notes/ }).waitFor();
    await context.clearCookies();
    await page.getByRole('navigation').getByRole('link', { name: 'Schedules' }).click();
    await page.getByRole('alert').getByRole('link', { name: 'Sign in again' }).click();
    await page.getByRole('textbox', { name: /API key/ }).fill(studio.tenant.key!);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { level: 1, name: 'Schedules' }).waitFor();
    await context.close();
  });

  it('offer only what the scopes of the key allow', async () => {
    const key = (await studio.tenant.post('/api/keys', { name: 'reader', scopes: ['read'] })).json['key'];
    const page = await studio.browser.newPage();
    await page.goto(`${studio.url}/sign-in`);
    await page.getByRole('textbox', { name: /API key/ }).fill(String(key));
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { level: 1, name: /^Turn raw notes/ }).waitFor();
    for (const path of ['/documents', '/books', '/knowledge', '/plans']) {
      await page.goto(studio.url + path);
      await settled(page);
      expect([path, await page.getByRole('main').getByText(/^New /).count()]).toEqual([path, 0]);
    }
    await page.close();
  });
});
