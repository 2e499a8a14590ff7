/** Creates work in states that the usual work does not reach, and returns its pages, for the pictures. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import { join } from 'node:path';

/** Starts a server that lists one model. It answers requests for texts with 500, or, while `isSlow`, not at all. */
export async function startModel() {
  const model = { isSlow: false, url: '', stop: () => server.closeAllConnections() ?? server.close() };
  const server = createServer((request, response) => {
    if (request.method === 'GET') response.end(JSON.stringify({ data: [{ id: 'a-model' }] }));
    else if (!model.isSlow) response.writeHead(500).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  model.url = `http://127.0.0.1:${server.address().port}/v1`;
  return model;
}

const upload = async (api, files) => {
  const { id } = await api.post('/api/sessions');
  const form = new FormData();
  for (const [name, content] of Object.entries(files)) form.append('file', new Blob([content]), name);
  await api.call('POST', `/api/sessions/${id}/inputs`, form);
  return id;
};
const start = (api, session_id, more = {}) => api.post('/api/agents/runs', { session_id, ...more });

/** Creates questions and ends of documents. */
async function documents(api, done) {
  const garbled = await upload(api, {
    'cafe.txt': Buffer.from('Voil\xe0 un caf\xe9 cr\xe8me.\n'.repeat(9), 'latin1'),
  });
  const broken = await upload(api, {
    'notes.md': '# Notes\n\nOne line.\n',
    'report.docx': Buffer.from('PK\x03\x04broken'),
  });
  const ended = await upload(api, {
    'report.docx': Buffer.from('PK\x03\x04broken'),
    'a.md': '# A\n\nWords.\n',
  });
  await start(api, garbled);
  await start(api, broken);
  const { id } = await start(api, ended);
  await api.answer(await api.asked(id), { action: 'abort' });
  await api.ended(id);
  const empty = await upload(api, { 'notes.md': '# Notes\n' });
  const { items } = await api.get(`/api/agents/runs/${done.run}/history`);
  const fork = await api.post(`/api/sessions/${done.session}/fork`, {
    run_id: done.run,
    checkpoint_id: items.at(-2).checkpoint_id,
  });
  return {
    'document-encodings': `/documents/${garbled}`,
    'document-unreadable': `/documents/${broken}`,
    'document-ended': `/documents/${ended}`,
    'document-unwritten': `/documents/${empty}`,
    'document-figures': `/documents/${done.session}?tab=ledger`,
    'run-step': `/runs/${done.run}?step=15`,
    'run-fork': `/runs/${fork.run.id}`,
  };
}

/** Creates questions and ends of articles and plans. */
async function articlesAndPlans(api, article) {
  const text =
    'We ship it. The queue is emptied by a worker, and it is done very quickly!!\n\nIt was decided that the lamp are lit.\n';
  const shadow = await start(api, await upload(api, { 'a.md': text }), {
    kind: 'article',
    mode: 'shadow',
    inputs: { user_text: text },
  });
  const asked = await start(api, await upload(api, { 'a.md': text }), {
    kind: 'article',
    mode: 'author',
    inputs: { topic: 'The fog signal', allow_duplicate: true },
  });
  const written = await start(api, await upload(api, { 'a.md': text }), {
    kind: 'article',
    mode: 'author',
    inputs: { topic: 'Ships and wrecks', allow_duplicate: true },
  });
  await api.answer(await api.asked(written.id), { action: 'approve' });
  await api.answer(
    await api.until(async () => {
      const question = await api.asked(written.id);
      return question.decision_type === 'article_draft' && question;
    }),
    { action: 'accept' },
  );
  await api.ended(written.id);
  await api.asked(asked.id);
  await api.asked(shadow.id);
  const plan = async (never, tasks) => {
    const made = await api.post('/api/plans', {
      session_id: await upload(api, { 'crew.csv': 'name,age\nAda,36\nAlan,41\n' }),
      intent: 'read the table of the crew',
      config: { hil: { approval_required: never } },
      dag: { tasks },
    });
    await api.until(async () =>
      ['completed', 'failed'].includes((await api.get(`/api/plans/${made.id}`)).status),
    );
    return made.id;
  };
  const read = { id: 'read', tool: 'read_input', arguments: { name: 'crew.csv' }, depends_on: [] };
  const parse = {
    id: 'parse',
    tool: 'parse_csv',
    arguments: { text: { $from: 'read', path: '/text' } },
    depends_on: ['read'],
  };
  const wrong = { ...read, arguments: { name: 'missing.csv' } };
  return {
    'article-shadow': `/articles/${shadow.id}`,
    'article-research': `/articles/${asked.id}`,
    'article-done': `/articles/${written.id}`,
    'article-paragraphs': [`/articles/${article}`, 'draft.paragraphs', 'tab'],
    'article-edit': [`/articles/${article}`, 'drafting.edit', 'tab'],
    'plan-done': `/plans/${await plan('never', [read, parse])}`,
    'plan-failed': `/plans/${await plan('never', [wrong, parse])}`,
  };
}

/** Creates work in further states. Returns its pages by the names of the pictures. @param known IDs of usual work */
export async function makeStates(api, adminPassword, { done, article, book, collection }) {
  await api.post('/api/webhooks', { url: 'http://127.0.0.1:9/hook' });
  await api.post('/api/secrets', { name: 'weather_key', value: 'one-two-three', hosts: ['api.example.com'] });
  await api.post('/api/mcp/servers', { name: 'search', url: 'http://127.0.0.1:9/mcp' });
  const unknown = Object.fromEntries(
    [
      ['documents', 'ses'],
      ['runs', 'run'],
      ['articles', 'run'],
      ['plans', 'run'],
      ['knowledge', 'col'],
    ].map(([path, prefix]) => [`unknown-${path}`, `/${path}/${prefix}_00000000000000000000000000`]),
  );
  const tabs = ['edit', 'versions', 'sources', 'facts'].map((tab) => [
    `book-tab-${tab}`,
    `/books/${book}/drafting?tab=${tab}`,
  ]);
  return {
    ...unknown,
    ...Object.fromEntries(tabs),
    ...(await documents(api, done)),
    ...(await articlesAndPlans(api, article)),
    'nothing-found': '/documents?title=zzz',
    'knowledge-hits': [`/knowledge/${collection}`, 'search.query', 'fill', 'the lamp of the tower'],
    'service-tables': ['/service', 'service.password', 'fill', adminPassword],
    'account-menu': ['/', 'Account', 'button'],
    'document-change': [`/documents/${done.session}`, 'selection.change', 'button'],
    'webhook-deliveries': ['/webhooks', 'webhooks.deliveries', 'button'],
    ...Object.fromEntries(
      ['secrets', 'servers', 'webhooks', 'access'].map((path) => [`filled-${path}`, `/${path}`]),
    ),
  };
}

/** Creates a document whose model fails, and one whose model has not answered yet. */
export async function makeModelStates(api, examples) {
  const model = await startModel();
  await api.post('/api/model/endpoint', { base_url: model.url, model: 'a-model', api_key: 'a-key' });
  const failed = (await api.post('/api/sessions')).id;
  await api.upload(`/api/sessions/${failed}/inputs`, join(examples, 'handover'));
  await api.asked((await start(api, failed)).id);
  model.isSlow = true;
  const working = (await api.post('/api/sessions')).id;
  await api.upload(`/api/sessions/${working}/inputs`, join(examples, 'handover'));
  await start(api, working);
  return {
    stop: model.stop,
    pages: {
      'model-own': '/model',
      'document-model-failed': `/documents/${failed}`,
      'document-working': `/documents/${working}`,
      'home-working': '/',
      'book-model': '/books/new/concept',
    },
  };
}
