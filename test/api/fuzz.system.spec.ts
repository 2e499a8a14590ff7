import type { ApiClient } from '#testing/api-client.js';
import { atDepth } from '#testing/depth.js';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import fc, { type Arbitrary } from 'fast-check';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildOpenApiDocument } from '#gateway/openapi/openapi.js';
import { arbitraryOf, mostlyValid, type JsonSchema } from './arbitrary.js';
import { FITTING, NEEDS, QUICK } from './fuzz-cases.js';
import { GatewayInProcess } from './gateway-in-process.js';

/** Seed with which each operation gets a request that it can perform, also at quick depth. */
const SEED = 20_261_122;
const REQUESTS_PER_OPERATION = 60;
/** Requests after which an operation that was once successful has no more. */
const MAX_SUCCESSES = atDepth({ quick: 6, full: 30 });
const ADMIN_PASSWORD = 'correct horse battery';

interface Operation {
  operationId: string;
  parameters?: { name: string; in: string; schema: JsonSchema }[];
  security: Record<string, string[]>[];
  requestBody?: { content: Record<string, { schema: JsonSchema }> };
  responses: Record<
    string,
    {
      content?: Record<string, { examples?: Record<string, unknown> }>;
      headers?: Record<string, unknown>;
    }
  >;
}

interface Request {
  path: Record<string, string>;
  query: Record<string, unknown>;
  body: unknown;
}

const document = JSON.parse(JSON.stringify(buildOpenApiDocument('1.2.3'))) as {
  paths: Record<string, Record<string, Operation>>;
};
// Deletions come last, because the other operations need the deleted resources.
const operations = Object.entries(document.paths)
  .flatMap(([path, item]) => Object.entries(item).map(([method, operation]) => ({ path, method, operation })))
  .sort((a, b) => Number(a.method === 'delete') - Number(b.method === 'delete'));
const listedCodes = new Set(
  [...readFileSync(join(process.cwd(), 'docs/ERRORS.md'), 'utf8').matchAll(/^\| `(\w+)` \|/gm)].map(
    ([, code]) => code,
  ),
);

const ajv = new Ajv2020({ strict: false, allErrors: true });
addFormats.default(ajv);
ajv.addSchema(document, 'api');
const pointer = (...keys: string[]) =>
  keys.map((key) => encodeURIComponent(key.replaceAll('~', '~0').replaceAll('/', '~1'))).join('/');

/** API9 every operation of the OpenAPI document, with input that fits its schemas and input that does not. */
describe('the API conforms to its OpenAPI document for any request', () => {
  let gateway: GatewayInProcess;
  let client: ApiClient;
  let ids: Record<string, string>;
  let planId: string;
  const succeeded = new Set<string>();

  beforeAll(async () => {
    gateway = await GatewayInProcess.start({ ADMIN_PASSWORD, RATE_LIMIT_PER_MINUTE: '1000000' });
    client = await gateway.client('fuzzed');
    const session_id = await client.sessionWith({ 'a.md': '# A\n' });
    const { id: run_id } = await client.startRun(session_id);
    const planned = { template: 'list_files', session_id: await client.sessionWith({ 'a.md': '# A\n' }) };
    planId = String((await client.post('/api/plans', planned)).json.id);
    const { id: key_id } = (await client.post('/api/keys', { name: 'other' })).json as { id: string };
    const project = await client.post('/api/books/projects', { title: 'Fuzzed words' });
    const project_id = String(project.json.id);
    const text = { title: 'One', content: '## One\n\nWords.\n' };
    const chapter = await client.post(`/api/books/projects/${project_id}/chapters`, text);
    const source = { title: 'Source', content: 'Words.' };
    const book_source = await client.post(`/api/books/projects/${project_id}/sources`, source);
    const books = {
      project_id,
      chapter_id: String(chapter.json.id),
      version: '1',
      book_source_id: String(book_source.json.id),
    };
    const collection = await client.post('/api/knowledge/collections', { name: 'fuzzed' });
    const collection_id = String(collection.json.id);
    const sources = `/api/knowledge/collections/${collection_id}/sources`;
    const note = await client.post(sources, { name: 'note', text: 'words' });
    const source_id = (note.json.items as { id: string }[])[0]!.id;
    ids = {
      ...books,
      collection_id,
      source_id,
      session_id,
      idle_session_id: await client.sessionWith({ 'a.md': '# A\n' }),
      run_id,
      key_id,
      name: 'a.md',
      tenant_id: await gateway.tenants.create('other'),
    };
  });
  afterAll(async () => {
    await gateway.stop();
  });

  function requests(
    route: string,
    { operationId, parameters = [], requestBody }: Operation,
  ): Arbitrary<Request> {
    const known = route.startsWith('/api/plans/') ? { ...ids, run_id: planId } : ids;
    const within = (place: string) => parameters.filter((parameter) => parameter.in === place);
    const path = within('path').map(({ name, schema }) => {
      const words = arbitraryOf(schema, document).filter((word) => !['', '.', '..'].includes(word as string));
      return [name, name in known ? fc.oneof(fc.constant(known[name]!), words) : words];
    });
    const query = within('query').map(({ name, schema }) => [name, mostlyValid(schema, document)]);
    const json = requestBody?.content['application/json']?.schema;
    const body = json ? mostlyValid(json, document).map(withOwnIds) : undefined;
    const fitting = FITTING[operationId];
    return fc.record({
      path: fc.record(Object.fromEntries(path) as Record<string, Arbitrary<string>>),
      query: fc
        .record(Object.fromEntries(query) as Record<string, Arbitrary<unknown>>, { requiredKeys: [] })
        .map((values) => ({ ...(withOwnIds(values) as object), ...QUICK[operationId] })),
      body: fitting
        ? fc.oneof(
            body!,
            body!.map((value) => fitted(value, fitting(ids))),
          )
        : (body ?? fc.constant(undefined)),
    }) as Arbitrary<Request>;
  }

  const fitted = (body: unknown, fitting: object): unknown =>
    typeof body === 'object' && body !== null && !Array.isArray(body) ? { ...body, ...fitting } : body;

  /** A parameter for an ID gets an existing ID, if one is known. */
  function withOwnIds(body: unknown): unknown {
    if (typeof body !== 'object' || body === null || Array.isArray(body)) return body;
    const named = Object.keys(body).filter((key) => key in ids && key.endsWith('_id'));
    const collections = 'collections' in body ? { collections: [ids['collection_id']] } : {};
    return { ...body, ...collections, ...Object.fromEntries(named.map((key) => [key, ids[key]])) };
  }

  async function send(
    method: string,
    path: string,
    operation: Operation,
    request: Request,
  ): Promise<Response> {
    const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeWord(request.path[name]!));
    const url = new URL(client.baseUrl + filled);
    for (const [key, value] of Object.entries(request.query))
      url.searchParams.set(key, typeof value === 'string' ? value : JSON.stringify(value));
    const isAdmins = operation.security.some((scheme) => 'admin' in scheme);
    const authorization = isAdmins
      ? `Basic ${Buffer.from(`admin:${ADMIN_PASSWORD}`).toString('base64')}`
      : `Bearer ${client.key}`;
    const hasBody = request.body !== undefined;
    return fetch(url, {
      method: method.toUpperCase(),
      headers: { authorization, ...(hasBody ? { 'content-type': 'application/json' } : {}) },
      ...(hasBody ? { body: JSON.stringify(request.body) } : {}),
    });
  }

  it.each(
    operations.map(
      ({ method, path, operation }) => [operation.operationId, method, path, operation] as const,
    ),
  )('%s (%s %s)', async (_id, method, path, operation) => {
    let sent = 0;
    const property = fc.asyncProperty(requests(path, operation), async (request) => {
      if (sent++ >= MAX_SUCCESSES && succeeded.has(operation.operationId)) return;
      const response = await send(method, path, operation, request);
      const type = (response.headers.get('content-type') ?? '').split(';')[0]!;
      if (response.ok) succeeded.add(operation.operationId);
      const tagged = operation.responses[response.status]?.headers?.['ETag'] !== undefined;
      expect(response.headers.has('etag')).toBe(tagged);
      if (type === 'text/event-stream') return response.body!.cancel();
      expect(await violations(response, path, method, operation, type)).toEqual([]);
    });
    await fc.assert(property, {
      seed: SEED,
      numRuns: REQUESTS_PER_OPERATION,
      interruptAfterTimeLimit: 60_000,
    });
  });

  it('every operation succeeds at least once', () => {
    const fed = operations.filter(
      ({ path, method, operation }) =>
        (method === 'get' || operation.requestBody?.content['application/json']) &&
        [...path.matchAll(/\{(\w+)\}/g)].every(([, name]) => name! in ids),
    );
    const refused = fed.map(({ operation }) => operation.operationId).filter((id) => !succeeded.has(id));
    expect(refused.filter((id) => !(id in NEEDS))).toEqual([]);
  });
});

/** Percent-encoded, with a lone surrogate as the replacement character. */
const encodeWord = (word: string) => encodeURIComponent(word.toWellFormed());

/** Parts of a response that the document does not describe. */
async function violations(
  response: Response,
  path: string,
  method: string,
  operation: Operation,
  type: string,
): Promise<string[]> {
  const text = await response.text();
  const status = String(response.status);
  const documented = operation.responses[status];
  if (response.status >= 500 || !documented) return [`${status} is not documented: ${text}`];
  if (!documented.content) return text === '' ? [] : [`${status} with a body: ${text}`];
  const content = documented.content[type];
  if (!content) return [`${status} as ${type} is not documented: ${text}`];
  if (!type.endsWith('json')) return [];
  const body = JSON.parse(text) as { code?: string };
  const validate = ajv.getSchema(
    `api#/${pointer('paths', path, method, 'responses', status, 'content', type, 'schema')}`,
  );
  const findings = validate?.(body) === true ? [] : [`${text}: ${ajv.errorsText(validate?.errors)}`];
  if (response.status < 400) return findings;
  const isListed =
    listedCodes.has(body.code) && Object.keys(content.examples ?? {}).includes(body.code ?? '');
  return isListed ? findings : [...findings, `the code ${body.code} is not listed for ${status}`];
}
