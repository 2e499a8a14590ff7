import type { ApiClient, ApiResponse } from '#testing/api-client.js';

/** Parameters that name resources of a tenant; `beforeAll` finds their values. */
export const OWNED = [
  'session_id',
  'name',
  'checkpoint_id',
  'export_id',
  'kind',
  'result_name',
  'run_id',
  'step_id',
  'decision_id',
  'key_id',
  'webhook_id',
  'schedule_id',
  'word_template_id',
  'server_id',
  'credential_id',
  'saved_plan_id',
  'project_id',
  'chapter_id',
  'finding_id',
  'version',
  'collection_id',
  'source_id',
  'book_source_id',
  'share_id',
  'comment_id',
] as const;
export type Ids = Record<(typeof OWNED)[number], string>;

/** The client's own session. */
async function sessionOf(client: ApiClient): Promise<string> {
  const [session] = (await client.get('/api/sessions')).json.items as { id: string }[];
  return `/api/sessions/${session!.id}`;
}

const LISTS = { dag: { tasks: [{ id: 'list', tool: 'list_inputs' }] } };

/** Operations with an ID outside the path, and its place in the request. */
export const elsewhere: Record<string, (client: ApiClient, ids: Ids) => Promise<ApiResponse>> = {
  searchKnowledge: (client, { collection_id }) =>
    client.post('/api/knowledge/search', { collections: [collection_id], query: 'secret' }),
  reindexKnowledge: (client, { collection_id }) =>
    client.post('/api/knowledge/reindex', { collections: [collection_id] }),
  importReferences: async (client, { source_id }) => {
    const { json } = await client.post('/api/knowledge/collections', { name: 'own' });
    const path = `/api/knowledge/collections/${String(json.id)}/references`;
    return client.post(path, { text: '@book{a, title = {A}}', source_id });
  },
  listSessionProposals: async (client, { run_id }) =>
    client.get(`${await sessionOf(client)}/proposals?run_id=${run_id}`),
  // An author is free text; here it is one that only the owner has.
  ingestCorpus: (client, { collection_id }) =>
    client.post('/api/corpus/ingest', { author_id: collection_id, texts: [] }),
  listCorpusTexts: (client, { collection_id }) => client.get(`/api/corpus/texts?author_id=${collection_id}`),
  getFingerprint: (client, { collection_id }) =>
    client.get(`/api/corpus/fingerprint?author_id=${collection_id}`),
  compareWithCorpus: (client, { collection_id }) =>
    client.post('/api/corpus/compare', { author_id: collection_id, text: 'secret' }),
  listComments: async (client, { chapter_id }) =>
    client.get(`${await sessionOf(client)}/comments?of=chapter&chapter_id=${chapter_id}`),
  createComment: async (client, { comment_id }) =>
    client.post(`${await sessionOf(client)}/comments`, { reply_to: comment_id, text: 'Stolen' }),
  createShare: async (client, { export_id }) =>
    client.post(`${await sessionOf(client)}/shares`, {
      export_id,
      until: new Date(Date.now() + 3_600_000).toISOString(),
    }),
  createSchedule: (client, { session_id }) =>
    client.post('/api/schedules', { name: 'Stolen', start: { session_id }, every_seconds: 60 }),
  startRun: (client, { session_id }) => client.post('/api/agents/runs', { session_id }),
  suggestPlan: (client, { session_id }) =>
    client.post('/api/plans/suggestions', { session_id, intent: 'list inputs' }),
  startPlan: (client, { session_id }) => client.post('/api/plans', { session_id, intent: 'list inputs' }),
  createSavedPlan: (client, { run_id }) => client.post('/api/saved-plans', { name: 'stolen', run_id }),
  runSavedPlan: async (client, { session_id }) => {
    const name = `own ${session_id.slice(-8)}`;
    const { json } = await client.post('/api/saved-plans', { name, ...LISTS });
    return client.post(`/api/saved-plans/${String(json.id)}/runs`, { session_id });
  },
  runPlanAgain: async (client, { session_id }) => {
    const own = await client.sessionWith({ 'own.md': '# Own\n' });
    const { json } = await client.post('/api/plans', { session_id: own, template: 'list_files' });
    await client.completed(String(json.id));
    return client.post(`/api/plans/${String(json.id)}/again`, { session_id });
  },
  proposeChange: (client, { chapter_id }) =>
    client.post('/api/changes', { chapter_id, selection: { quote: 'words' }, instruction: 'steal' }),
  chatStream: (client, { session_id }) =>
    client.post('/api/chat/stream', { thread_id: session_id, inputs: { topic: 'Stolen' } }),
  chatResume: (client, { session_id, decision_id }) =>
    client.post('/api/chat/resume', { thread_id: session_id, decision_id, answer: { action: 'accept' } }),
  listRuns: (client, { session_id }) => client.get(`/api/agents/runs?session_id=${session_id}`),
  listDecisions: (client, { run_id }) => client.get(`/api/decisions?status=all&run_id=${run_id}`),
  restoreSession: async (client, { run_id, checkpoint_id }) =>
    client.post(`${await sessionOf(client)}/restore`, { run_id, checkpoint_id }),
  forkSession: async (client, { run_id, checkpoint_id }) =>
    client.post(`${await sessionOf(client)}/fork`, { run_id, checkpoint_id }),
  promoteFork: async (client, { session_id }) =>
    client.post(`${await sessionOf(client)}/promote`, { fork_session_id: session_id }),
  listChapters: (client, { project_id }) => client.get(`/api/books/chapters?project_id=${project_id}`),
  createChapter: (client, { project_id }) =>
    client.post('/api/books/chapters', { project_id, title: 'Stolen' }),
  listSourcesOfBooks: (client, { project_id }) => client.get(`/api/books/sources?project_id=${project_id}`),
  createBookSource: (client, { project_id }) =>
    client.post('/api/books/sources', { project_id, title: 'Stolen', content: 'Words.' }),
  diffManuscripts: async (client, { session_id }) =>
    client.get(`${await sessionOf(client)}/diff?with=${session_id}`),
};
