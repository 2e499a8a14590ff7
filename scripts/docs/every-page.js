/**
 * `npm run docs:pages [pattern of names]`: writes a picture of every page and dialog of the studio into out/studio/,
 * in both colour schemes, three languages and two widths, so that a person can look at all of them.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { chromiumPath, launchBrowser } from '../../dist/libs/testing/browser.js';
import { Api, makeArticle, makeBook, makePlan } from './example-work.js';
import { makeModelStates, makeStates } from './page-states.js';
import { openSignedIn, startStack } from './studio-stack.js';

const root = join(import.meta.dirname, '../..');
const LANGUAGES = ['en', 'de', 'pl'];
const SCHEMES = ['light', 'dark'];
const VIEWS = [
  { width: 1280, height: 900 },
  { width: 390, height: 844 },
];
/** Taller pictures are cut. */
const MAX_HEIGHT = 3_000;
const LOADED_MS = 900;
const DRAWN_MS = 250;
const OUT = join(root, 'out/studio');

/** Creates documents that wait for an answer, are completed and are cancelled. Returns their sessions and runs. */
async function makeDocuments(api) {
  const write = async (folder) => {
    const session = (await api.post('/api/sessions')).id;
    await api.upload(`/api/sessions/${session}/inputs`, join(root, 'examples', folder));
    return { session, run: (await api.post('/api/agents/runs', { session_id: session })).id };
  };
  // Later documents of the same files use the answer to an earlier one.
  const [waiting, done] = [await write('incident'), await write('incident')];
  await api.asked(waiting.run);
  const question = await api.asked(done.run);
  await api.answer(question, question.default_answer);
  const cancelled = await write('handover');
  await api.post(`/api/agents/runs/${cancelled.run}/cancel`);
  await Promise.all([done, cancelled].map(({ run }) => api.ended(run)));
  return { waiting, done, cancelled };
}

/** Creates work of every kind. Returns its IDs, and the addresses of its pages by the names of the pictures. */
async function makeWork(api) {
  const { waiting, done, cancelled } = await makeDocuments(api);
  const examples = join(root, 'examples');
  const plan = await makePlan(api);
  const article = await makeArticle(api, examples);
  const book = await makeBook(api, examples);
  const [{ id: collection }] = (await api.get('/api/knowledge/collections')).items;
  const [{ id: source }] = (await api.get(`/api/knowledge/collections/${collection}/sources`)).items;
  const tabs = (path, names) => names.map((name) => [`${path}?tab=${name}`, name]);
  const pages = Object.fromEntries([
    ['document-waiting', `/documents/${waiting.session}`],
    ['document-cancelled', `/documents/${cancelled.session}`],
    ...tabs(`/documents/${done.session}`, ['manuscript', 'ledger', 'sources']).map(([path, name]) => [
      `document-${name}`,
      path,
    ]),
    ['run-done', `/runs/${done.run}`],
    ['run-events', `/runs/${done.run}?tab=events`],
    ['run-waiting', `/runs/${waiting.run}`],
    ['plan', `/plans/${plan}`],
    ['article', `/articles/${article}`],
    ...['concept', 'outline', 'drafting', 'export'].map((step) => [`book-${step}`, `/books/${book}/${step}`]),
    ['knowledge-collection', `/knowledge/${collection}`],
    ['knowledge-source', `/knowledge/${collection}/sources/${source}`],
  ]);
  return { pages, known: { done, article, book, collection } };
}

/** Pages of lists and of the operation, which a studio without work has too. */
const LISTS = Object.fromEntries(
  [
    ...['', 'work', 'books/new/concept', 'style', 'tools', 'inbox', 'sources', 'schedules', 'nowhere'],
    ...['runs', 'usage', 'model', 'access', 'servers', 'secrets', 'webhooks', 'audit', 'service'].map(
      (name) => `settings/${name}`,
    ),
  ].map((path) => [path === '' ? 'home' : path.replaceAll('/', '-'), `/${path}`]),
);

/** Pages as a key without the right to change anything shows them. */
const READ_ONLY = Object.fromEntries(
  ['', 'work', 'access', 'secrets', 'model', 'schedules', 'webhooks'].map((path) => [
    `read-only-${path || 'home'}`,
    `/${path}`,
  ]),
);

/** Dialogs: page, and the message that names the button which opens the dialog. */
const DIALOGS = {
  'dialog-document': ['/documents', 'documents.new'],
  'dialog-article': ['/articles', 'articles.new'],
  'dialog-plan': ['/plans', 'plans.new'],
  'dialog-collection': ['/knowledge', 'knowledge.new'],
  'dialog-key': ['/access', 'access.new'],
  'dialog-rename': ['/documents', 'work.rename'],
};

/** Returns a message of the studio in a language, by its dotted name. */
function messageOf(language, name) {
  const { studio } = JSON.parse(readFileSync(join(root, `libs/locales/${language}.json`), 'utf8'));
  const [group, ...names] = name.split('.');
  return studio[group][names.join('.')];
}

/**
 * Uses a control of a page: a button, a tab, or a field, into which it enters a text.
 *
 * @param name the control's message, or its name
 */
async function useControl(page, language, [name, role = 'button', text]) {
  const label = name.includes('.') ? messageOf(language, name) : name;
  if (role !== 'fill') return page.getByRole(role, { name: label }).first().click();
  await page.getByLabel(label).first().fill(text);
  return page.keyboard.press('Enter');
}

/** Writes the pictures of a page in one language. */
async function photograph(page, url, [name, place], language) {
  const [path, ...control] = [place].flat();
  await page.setViewportSize(VIEWS[0]);
  await page.goto(url + path);
  await page.getByRole('main').or(page.getByRole('heading')).first().waitFor();
  // Pages follow streams, so the network is never idle.
  await page.waitForTimeout(LOADED_MS);
  if (control.length > 0) {
    await useControl(page, language, control);
    await page.waitForTimeout(LOADED_MS);
  }
  for (const view of VIEWS) {
    await page.setViewportSize(view);
    const height = Math.min(MAX_HEIGHT, await page.evaluate('document.documentElement.scrollHeight'));
    await page.setViewportSize({ ...view, height: Math.max(view.height, height) });
    for (const colorScheme of SCHEMES) {
      await page.emulateMedia({ colorScheme });
      await page.waitForTimeout(DRAWN_MS);
      const file = join(OUT, `${name}.${language}.${colorScheme}.${view.width}.png`);
      writeFileSync(file, await page.screenshot());
    }
  }
}

/** Writes the pictures of the named places in every language. */
async function photographAll(browser, stack, places) {
  const wanted = Object.entries(places).filter(([name]) => new RegExp(process.argv[2] ?? '').test(name));
  for (const language of wanted.length > 0 ? LANGUAGES : []) {
    const page = await openSignedIn(browser, stack, { viewport: VIEWS[0] });
    await page.addInitScript(`localStorage.setItem('scriptorium.language', '${language}')`);
    for (const place of wanted) await photograph(page, stack.url, place, language);
    await page.context().close();
  }
}

if (chromiumPath === undefined) {
  process.stderr.write('Install Chromium first.\n');
  process.exit(1);
}
mkdirSync(OUT, { recursive: true });
// The states include a webhook, a tool server and a model on this machine.
const stack = await startStack({ WEBHOOK_ALLOW_PRIVATE: 'true', EGRESS_ALLOW_PRIVATE: 'true' });
const browser = await launchBrowser();
try {
  const empty = Object.entries(LISTS).map(([name, path]) => [`empty-${name}`, path]);
  await photographAll(browser, stack, Object.fromEntries([...empty, ['sign-in', '/sign-in']]));
  const api = new Api(stack.url, stack.key);
  const { pages, known } = await makeWork(api);
  await photographAll(browser, stack, { ...LISTS, ...pages, ...DIALOGS });
  const examples = join(root, 'examples');
  await photographAll(browser, stack, await makeStates(api, stack.adminPassword, known));
  const reader = await api.post('/api/keys', { name: 'reader', scopes: ['read'] });
  await photographAll(browser, { ...stack, key: reader.key }, READ_ONLY);
  const { pages: modelPages, stop } = await makeModelStates(api, examples);
  await photographAll(browser, stack, modelPages);
  stop();
} finally {
  await browser.close();
  await stack.stop();
}
process.stdout.write(`The pictures are in ${OUT}.\n`);
