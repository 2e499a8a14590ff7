/** Creates work of every kind for the screenshots, with the public API and rules instead of a model. */
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';

const POLL_MS = 300;
const ENDED = ['completed', 'failed', 'cancelled', 'rejected'];

/** Client of the JSON API with a key. */
export class Api {
  constructor(url, key) {
    this.url = url;
    this.headers = { authorization: `Bearer ${key}` };
  }

  async respond(method, path, body) {
    const isForm = body instanceof FormData;
    const response = await fetch(this.url + path, {
      method,
      headers: { ...this.headers, ...(body && !isForm ? { 'content-type': 'application/json' } : {}) },
      ...(body ? { body: isForm ? body : JSON.stringify(body) } : {}),
    });
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
    return response;
  }

  async call(method, path, body) {
    const text = await (await this.respond(method, path, body)).text();
    return text === '' ? null : JSON.parse(text);
  }

  async text(path) {
    return (await this.respond('GET', path)).text();
  }

  async bytes(path) {
    return Buffer.from(await (await this.respond('GET', path)).arrayBuffer());
  }

  get(path) {
    return this.call('GET', path);
  }

  post(path, body = {}) {
    return this.call('POST', path, body);
  }

  /** Uploads the files of a folder that `isWanted` selects by name. */
  upload(path, folder, isWanted = () => true) {
    const form = new FormData();
    for (const name of readdirSync(folder).filter(isWanted))
      form.append('file', new Blob([readFileSync(join(folder, name))]), basename(name));
    return this.call('POST', path, form);
  }

  /** Polls `look` until it returns a truthy value, and returns that. */
  async until(look) {
    for (;;) {
      const found = await look();
      if (found) return found;
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
  }

  /** Waits for the end of a run and returns it. */
  ended(runId) {
    return this.until(async () => {
      const run = await this.get(`/api/agents/runs/${runId}`);
      return ENDED.includes(run.status) && run;
    });
  }

  /** Waits for an open decision of a run and returns it. */
  asked(runId) {
    return this.until(async () => {
      const { items } = await this.get(`/api/decisions?run_id=${runId}`);
      return items[0];
    });
  }

  answer(decision, answer) {
    return this.post(`/api/decisions/${decision.id}/answer`, answer);
  }
}

const isMarkdown = (name) => name.endsWith('.md');

/** Writes all chapters of a book from the example's sources. Returns its ID. */
export async function makeBook(api, examples) {
  const book = await api.post('/api/books/projects', {
    title: 'The Light at Marrow Point',
    genre: 'History',
    target_audience: 'Readers of local history',
    language: 'en',
    chapter_count: 5,
    chapter_length: 'short',
  });
  const at = `/api/books/projects/${book.id}`;
  await api.upload(`${at}/knowledge-upload`, join(examples, 'book'), isMarkdown);
  await indexed(api, `${at}/sources`);
  for (const mode of ['toc', 'book'])
    await api.ended((await api.post('/api/agents/runs', { project_id: book.id, mode })).id);
  return book.id;
}

/** Creates an article up to the decision about its draft. Returns the run's ID. */
export async function makeArticle(api, examples) {
  await api.upload('/api/corpus/ingest', join(examples, 'article/corpus'), isMarkdown);
  await indexed(api, '/api/corpus/texts');
  const notes = `/api/knowledge/collections/${(await api.post('/api/knowledge/collections', { name: 'Notes' })).id}/sources`;
  await api.upload(notes, join(examples, 'book'), isMarkdown);
  await indexed(api, notes);
  const session = await api.post('/api/sessions', { title: 'The tower of Marrow Point' });
  const inputs = { topic: 'The tower and the lamp of Marrow Point', keywords: ['lighthouse', 'keeper'] };
  const run = await api.post('/api/agents/runs', {
    session_id: session.id,
    kind: 'article',
    mode: 'author',
    inputs,
  });
  await api.answer(await api.asked(run.id), { action: 'approve' });
  await api.until(async () => (await api.asked(run.id)).decision_type === 'article_draft');
  return run.id;
}

const task = (id, tool, args = {}, depends_on = []) => ({ id, tool, arguments: args, depends_on });
const from = ($from, path) => ({ $from, path });

/** Creates a plan up to its second approval. Returns its ID. */
export async function makePlan(api) {
  const session = await api.post('/api/sessions', { title: 'Ages of the crew' });
  const form = new FormData();
  form.append('file', new Blob(['name,age\nAda,36\nAlan,41\nGrace,52\n']), 'crew.csv');
  form.append('file', new Blob(['# Crew\n\nAda, Alan and Grace.\n']), 'notes.md');
  await api.call('POST', `/api/sessions/${session.id}/inputs`, form);
  const plan = await api.post('/api/plans', {
    session_id: session.id,
    intent: 'read the table of the crew and the notes beside it',
    config: { hil: { approval_required: 'always' } },
    dag: {
      tasks: [
        task('tables', 'list_inputs', { format: 'csv' }),
        task('notes', 'list_inputs', { format: 'md' }),
        task('read_table', 'read_input', { name: from('tables', '/files/0/name') }, ['tables']),
        task('read_notes', 'read_input', { name: from('notes', '/files/0/name') }, ['notes']),
        task('parse', 'parse_csv', { text: from('read_table', '/text') }, ['read_table']),
      ],
    },
  });
  const waits = () => api.until(async () => (await api.get(`/api/plans/${plan.id}`)).approval_required);
  const { checkpoint_id } = await waits();
  await api.post(`/api/plans/${plan.id}/commands`, {
    type: 'approval_response',
    checkpoint_id,
    approved: true,
  });
  await api.until(async () => {
    const { approval_required: next } = await api.get(`/api/plans/${plan.id}`);
    return next && next.checkpoint_id !== checkpoint_id;
  });
  return plan.id;
}

function indexed(api, path) {
  return api.until(async () => {
    const { items } = await api.get(`${path}?limit=100`);
    return items.length > 0 && items.every((item) => (item.metadata_json ?? item).state === 'ready');
  });
}
