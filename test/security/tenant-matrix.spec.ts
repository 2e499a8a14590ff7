import { buildOpenApiDocument } from '#gateway/openapi/openapi.js';
import type { ApiClient, ApiResponse } from '#testing/api-client.js';
import { askingFiles, MISSING_IMAGE } from '#testing/examples.js';
import { sharedStack, type SharedStack } from '#testing/shared-stack.js';
import { bodies } from './bodies-of-operations.js';
import { elsewhere, OWNED, type Ids } from './ids-elsewhere.js';
import { until } from '#testing/until.js';

interface Operation {
  method: string;
  path: string;
  operationId: string;
  parameters: string[];
  hasBody: boolean;
}

interface DocumentedOperation {
  operationId: string;
  parameters?: { name: string; in: string }[];
  security: Record<string, string[]>[];
  requestBody?: { content: Record<string, { schema?: { $ref?: string; properties?: object } }> };
}

const document = buildOpenApiDocument('0.0.0');

function documented(): [string, string, DocumentedOperation][] {
  return Object.entries(document.paths ?? {}).flatMap(([path, item]) =>
    Object.entries(item as Record<string, DocumentedOperation>).map(
      ([method, operation]): [string, string, DocumentedOperation] => [method.toUpperCase(), path, operation],
    ),
  );
}

const isAdmins = ({ security }: DocumentedOperation) => security.some((scheme) => 'admin' in scheme);

function operationsWithIds(): Operation[] {
  return documented()
    .filter(([, , operation]) => !isAdmins(operation))
    .map(([method, path, { operationId, requestBody }]) => ({
      method,
      path,
      operationId,
      parameters: [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]!),
      hasBody: requestBody !== undefined,
    }))
    .filter(({ parameters }) => parameters.length > 0);
}

/** Names of IDs in the query and in the JSON body of an operation. */
function idsElsewhere({ parameters = [], requestBody }: DocumentedOperation): string[] {
  const reference = requestBody?.content['application/json']?.schema?.$ref?.split('/').at(-1);
  const schema = reference ? document.components?.schemas?.[reference] : undefined;
  const properties = Object.keys((schema as { properties?: object } | undefined)?.properties ?? {});
  const query = parameters.filter((parameter) => parameter.in === 'query').map(({ name }) => name);
  return [...properties, ...query].filter((name) => name.endsWith('_id'));
}

const unknown = (id: string) =>
  id.replace(/.(\.md)?$/, (end) => (end.startsWith('0') ? '1' : '0') + end.slice(1));
const comparable = ({ text }: ApiResponse) => text.replace(/"instance":"[^"]*"/, '"instance":""');

/** B19: resources of another tenant do not exist; covers every operation of the OpenAPI document. */
describe('B19 two tenants', () => {
  let stack: SharedStack;
  let owner: ApiClient;
  let stranger: ApiClient;
  let ids: Ids;
  let ownSession: string;
  let before: string;

  /** Everything that the owner can see of the resources that the stranger tries to access. */
  async function owned(): Promise<string> {
    const session = `/api/sessions/${ids.session_id}`;
    const paths = [
      '',
      '/inputs',
      '/assets',
      '/manuscript',
      '/checkpoints',
      '/exports',
      '/shares',
      '/comments',
    ].map((path) => session + path);
    const responses = await Promise.all(
      [
        ...paths,
        `/api/books/projects/${ids.project_id}`,
        `/api/books/chapters/${ids.chapter_id}`,
        `/api/books/projects/${ids.project_id}/sources`,
        `/api/agents/runs/${ids.run_id}`,
        `/api/decisions/${ids.decision_id}`,
        `/api/schedules/${ids.schedule_id}`,
        '/api/word-templates',
        `/api/saved-plans/${ids.saved_plan_id}`,
        `/api/knowledge/collections/${ids.collection_id}/sources/${ids.source_id}/chunks`,
      ].map((path) => owner.get(path)),
    );
    return responses.map(({ status, text }) => `${status} ${text}`).join('\n');
  }

  beforeAll(async () => {
    stack = await sharedStack();
    [owner, stranger] = [await stack.tenant('owner'), await stack.tenant('stranger')];
    const session_id = await owner.sessionWith(askingFiles());
    const { id: run_id } = await owner.startRun(session_id);
    const { id: decision_id } = await owner.decision(run_id);
    await owner.post(`/api/decisions/${decision_id}/answer`, { user_decisions: { [MISSING_IMAGE]: 'skip' } });
    await owner.completed(run_id);
    const firstOf = async (list: string) =>
      ((await owner.get(`/api/sessions/${session_id}/${list}`)).json.items as { id: string }[])[0]!.id;
    const [checkpoint_id, export_id] = [await firstOf('checkpoints'), await firstOf('exports')];
    const [step] = (await owner.get(`/api/agents/runs/${run_id}/history`)).json.items as {
      checkpoint_id: string;
    }[];
    const key_id = ((await owner.get('/api/keys')).json.items as { id: string }[])[0]!.id;
    const webhook = await owner.post('/api/webhooks', { url: 'https://8.8.8.8/hook', events: ['rejected'] });
    const webhook_id = String(webhook.json.id);
    const planned = { name: 'own', start: { session_id }, cron: '0 0 1 1 *' };
    const schedule_id = String((await owner.post('/api/schedules', planned)).json.id);
    const templateForm = new FormData();
    templateForm.append('file', new Blob([new Uint8Array(await owner.docx(session_id))]), 'own.docx');
    const word_template_id = String((await owner.post('/api/word-templates', templateForm)).json.id);
    const shared = {
      result: { kind: 'document', name: 'manuscript' },
      until: new Date(Date.now() + 3_600_000),
    };
    const share_id = String((await owner.post(`/api/sessions/${session_id}/shares`, shared)).json.id);
    const comment = await owner.post(`/api/sessions/${session_id}/comments`, { text: 'Secret words.' });
    const comment_id = String(comment.json.id);
    const server = await owner.post('/api/mcp/servers', { name: 'own', command: 'none' });
    const server_id = String(server.json.id);
    const hidden = { name: 'own', value: 'secret of the owner'.replaceAll(' ', '-'), hosts: ['api.example'] };
    const credential_id = String((await owner.post('/api/secrets', hidden)).json.id);
    const lists = { name: 'Own plan', dag: { tasks: [{ id: 'list', tool: 'list_inputs' }] } };
    const saved_plan_id = String((await owner.post('/api/saved-plans', lists)).json.id);
    const project = (await owner.post('/api/books/projects', { title: 'Own words' })).json;
    const chapters = `/api/books/projects/${String(project.id)}/chapters`;
    const chapter = (await owner.post(chapters, { title: 'One', content: '## One\n\nOwn words.\n' })).json;
    const own = { title: 'Source', content: 'Own words.' };
    const book_source = (await owner.post(`/api/books/projects/${String(project.id)}/sources`, own)).json;
    const books = {
      project_id: String(project.id),
      chapter_id: String(chapter.id),
      finding_id: 'a0b1c2d3e4f5',
      version: '1',
      book_source_id: String(book_source.id),
    };
    const collection = await owner.post('/api/knowledge/collections', { name: 'secrets' });
    const collection_id = String(collection.json.id);
    const sources = `/api/knowledge/collections/${collection_id}/sources`;
    const styled = { author_id: collection_id, texts: [{ title: collection_id, text: 'Secret words.' }] };
    await owner.post('/api/corpus/ingest', styled);
    const note = await owner.post(sources, { name: 'note', text: 'The secret of the owner.' });
    const source_id = (note.json.items as { id: string }[])[0]!.id;
    await until(
      'the source is ready',
      async () => (await owner.get(`${sources}/${source_id}`)).json,
      ({ state }) => state === 'ready',
    );
    const made = {
      ...books,
      kind: 'document',
      result_name: 'manuscript',
      session_id,
      run_id,
      step_id: step!.checkpoint_id,
      decision_id,
      checkpoint_id,
      export_id,
      key_id,
      webhook_id,
      schedule_id,
      word_template_id,
      share_id,
      comment_id,
      server_id,
      credential_id,
      saved_plan_id,
      collection_id,
      source_id,
    };
    ids = { ...made, name: '01-timeline.md' };
    ownSession = await stranger.sessionWith({ 'own.md': '# Own\n' });
    const bookSources = `/api/books/projects/${String(project.id)}/sources`;
    await until(
      'the source of the book is indexed',
      async () => (await owner.get(bookSources)).text,
      (text) => text.includes('"state":"ready"'),
    );
    before = await owned();
  });

  const operations = operationsWithIds();

  it('has a case for every operation with an ID', () => {
    const withoutId = operations.flatMap(({ operationId, parameters }) =>
      parameters
        .filter((name) => !OWNED.includes(name as keyof Ids))
        .map((name) => `${operationId}: ${name}`),
    );
    const withoutBody = operations.filter(({ hasBody, operationId }) => hasBody && !(operationId in bodies));
    const withoutCase = documented()
      .filter(
        ([, , operation]) => idsElsewhere(operation).length > 0 && !(operation.operationId in elsewhere),
      )
      .map(([, , { operationId }]) => operationId);
    expect({ withoutId, withoutBody, withoutCase }).toEqual({
      withoutId: [],
      withoutBody: [],
      withoutCase: [],
    });
  });

  /** The request with the given IDs; `session` replaces the session's ID. */
  async function attempt(operation: Operation, given: Ids, session = given.session_id): Promise<ApiResponse> {
    const values: Record<string, string> = { ...given, session_id: session };
    const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(values[name]!));
    return stranger.request(operation.method, path, bodies[operation.operationId]?.());
  }

  const unknownIds = () =>
    Object.fromEntries(Object.entries(ids).map(([name, id]) => [name, unknown(id)])) as Ids;

  it.each(operations.map((operation) => [operation.method, operation.path, operation] as const))(
    '%s %s returns the other tenant 404, byte for byte as for an unknown ID',
    async (_method, _path, operation) => {
      const refused = await attempt(operation, ids);
      const absent = await attempt(operation, unknownIds());
      expect([refused.status, refused.json.code]).toEqual([404, 'not_found']);
      expect(comparable(refused)).toBe(comparable(absent));
      expect(refused.headers.get('content-type')).toBe(absent.headers.get('content-type'));
    },
  );

  const nested = operations.filter(
    ({ parameters }) => parameters.includes('session_id') && parameters.length > 1,
  );

  it.each(nested.map((operation) => [operation.method, operation.path, operation] as const))(
    '%s %s returns 404 for another tenant’s part in an own session',
    async (_method, _path, operation) => {
      const refused = await attempt(operation, ids, ownSession);
      const absent = await attempt(operation, unknownIds(), ownSession);
      expect([refused.status, refused.json.code]).toEqual([404, 'not_found']);
      expect(comparable(refused)).toBe(comparable(absent));
    },
  );

  it.each(Object.keys(elsewhere))('%s treats another tenant’s ID as unknown', async (operationId) => {
    const refused = await elsewhere[operationId]!(stranger, ids);
    const absent = await elsewhere[operationId]!(stranger, unknownIds());
    expect(comparable(refused)).toBe(comparable(absent));
    expect(refused.text).not.toContain(ids.session_id);
  });

  it.each(documented().filter(([, , operation]) => isAdmins(operation)))(
    '%s %s is inaccessible to tenants with any scopes',
    async (method, path) => {
      const { status, json } = await stranger.request(
        method,
        path.replace(/\{\w+\}/g, 'ten_0'),
        method === 'POST' ? {} : undefined,
      );
      expect([status, json.code]).toEqual([401, 'unauthorized']);
    },
  );

  it('lists contain only the tenant’s own items', async () => {
    const lists = documented().filter(([method, path]) => method === 'GET' && !path.includes('{'));
    // Kinds and results of runs are words of the product, and a version is a digit: none identifies an owner.
    const secret = Object.entries(ids).flatMap(([name, id]) =>
      ['kind', 'result_name'].includes(name) || id.length < 2 ? [] : [id],
    );
    for (const [, path] of lists) {
      const { text } = await stranger.get(path);
      for (const id of secret) expect(text).not.toContain(id);
    }
    expect((await owner.get('/api/decisions?status=all')).json.items).toHaveLength(1);
  });

  it('none of these requests changed anything of the owner', async () => {
    expect(await owned()).toBe(before);
  });
});
