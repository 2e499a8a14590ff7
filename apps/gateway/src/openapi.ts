import { endpoints, scopeOf, type Endpoint } from '#contracts/api/endpoints.js';
import { webhookPayloadSchema } from '#contracts/api/webhook-schemas.js';
import { problemCatalogue, type ProblemCode } from '#contracts/errors.js';
import { z } from 'zod';
import { addBounds, rateLimitHeaders, rateLimitReferences, retryReference } from './openapi-bounds.js';
import { createDocument, type ZodOpenApiOperationObject, type ZodOpenApiPathsObject } from 'zod-openapi';

const problemSchema = z
  .object({
    type: z.string(),
    title: z.string(),
    status: z.number().int(),
    code: z.enum(Object.keys(problemCatalogue) as [string, ...string[]]),
    detail: z.string(),
    instance: z.string().optional(),
    errors: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
  })
  .meta({ id: 'Problem', description: 'Problem details (RFC 9457); `code` is stable.' });

const pathOf = (path: string) => path.replace(/:(\w+)/g, '{$1}');
const parametersOf = (path: string) => [...path.matchAll(/:(\w+)/g)].map((match) => match[1]!);

/** The groups of operations, in the order of the catalogue. */
const tags = [...new Set(Object.values<Endpoint>(endpoints).map(({ tag }) => tag))].map((name) => ({ name }));

/** What an endpoint can answer because it is not open. */
function errorsOfAccess({ open, admin, method }: Endpoint): ProblemCode[] {
  if (open) return [];
  if (admin) return ['unauthorized'];
  const keyed: ProblemCode[] = method === 'POST' ? ['idempotency_under_way', 'idempotency_key_reused'] : [];
  return ['unauthorized', 'forbidden', 'tenant_suspended', 'too_many_requests', ...keyed];
}

/** The header that makes a POST safe to be sent again. */
function headersOf({ open, admin, method }: Endpoint) {
  if (open || admin || method !== 'POST') return {};
  const description =
    'A request sent again with the same key gets the answer of the first one, for 24 hours.';
  const key = z.string().min(1).max(255).optional().meta({ description });
  return { header: z.object({ 'Idempotency-Key': key }) };
}

/** The security requirement of an operation. */
function securityOf({ open, admin }: Endpoint): Record<string, string[]>[] {
  if (open) return [];
  return [admin ? { admin: [] } : { apiKey: [] }];
}

function responsesOf(endpoint: Endpoint): ZodOpenApiOperationObject['responses'] {
  const content = {
    ...(endpoint.response ? { 'application/json': { schema: endpoint.response } } : {}),
    ...(endpoint.media ? { [endpoint.media]: { schema: z.string() } } : {}),
  };
  const success = Object.keys(content).length > 0 ? { content } : {};
  const responses: Record<string, object> = { [endpoint.status]: { description: 'Success', ...success } };
  const errors = [...errorsOfAccess(endpoint), ...endpoint.errors];
  for (const code of errors) {
    const { status } = problemCatalogue[code];
    const before = (responses[status] as { description: string } | undefined)?.description;
    responses[status] = {
      description: before ? `${before}, \`${code}\`` : `\`${code}\``,
      content: { 'application/problem+json': { schema: problemSchema } },
    };
  }
  // Who is not let in is not counted.
  if (!endpoint.open && !endpoint.admin) {
    for (const [status, response] of Object.entries(responses))
      if (status !== '401') {
        const headers = { ...rateLimitReferences, ...(status === '429' ? retryReference : {}) };
        responses[status] = { ...response, headers };
      }
  }
  return responses as ZodOpenApiOperationObject['responses'];
}

function requestBodyOf(endpoint: Endpoint): ZodOpenApiOperationObject['requestBody'] {
  const multipart = {
    'multipart/form-data': {
      schema: z
        .record(z.string(), z.string())
        .meta({ description: 'one part per file; the name of a part is free for uploads' }),
    },
  };
  const json = endpoint.body ? { 'application/json': { schema: endpoint.body } } : {};
  if (!endpoint.body && !endpoint.multipart) return undefined;
  return { required: true, content: { ...json, ...(endpoint.multipart ? multipart : {}) } };
}

function neededScope(endpoint: Endpoint): string {
  if (endpoint.admin) return 'the credentials of the operator';
  const scope = scopeOf(endpoint);
  return scope === 'any' ? 'an API key' : `the scope \`${scope}\``;
}

/** What the service sends to a tenant's URL. */
const webhookOperation = {
  post: {
    summary: 'An event of a run',
    description:
      'Signed as Standard Webhooks says: `webhook-id` (the same in every attempt), `webhook-timestamp`, `webhook-signature`.',
    tags: ['webhooks'],
    security: [],
    requestBody: { required: true, content: { 'application/json': { schema: webhookPayloadSchema } } },
    responses: { '2XX': { description: 'Taken' }, '410': { description: 'Send no more' } },
  },
};

/** The OpenAPI 3.1 document of the gateway, made from the endpoint catalogue. */
export function buildOpenApiDocument(version: string) {
  const paths: ZodOpenApiPathsObject = {};
  for (const [name, endpoint] of Object.entries<Endpoint>(endpoints)) {
    const path = pathOf(endpoint.path);
    const parameters = parametersOf(endpoint.path);
    const requestBody = requestBodyOf(endpoint);
    paths[path] = {
      ...paths[path],
      [endpoint.method.toLowerCase()]: {
        operationId: name,
        summary: endpoint.summary,
        ...(endpoint.open ? {} : { description: `Needs ${neededScope(endpoint)}.` }),
        tags: [endpoint.tag],
        security: securityOf(endpoint),
        requestParams: {
          ...(parameters.length > 0
            ? { path: z.object(Object.fromEntries(parameters.map((key) => [key, z.string()]))) }
            : {}),
          ...(endpoint.query ? { query: endpoint.query } : {}),
          ...headersOf(endpoint),
        },
        ...(requestBody ? { requestBody } : {}),
        responses: responsesOf(endpoint),
      },
    };
  }
  const document = createDocument({
    openapi: '3.1.0',
    info: {
      title: 'Scriptorium',
      version,
      description: 'Raw files in, faithful structured writing out. A trailing slash is optional everywhere.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/', 'x-internal': false }],
    tags,
    paths,
    webhooks: { runEvent: webhookOperation },
    components: {
      headers: rateLimitHeaders as never,
      securitySchemes: {
        apiKey: { type: 'http', scheme: 'bearer', description: 'An API key (scr_…) or a token (sct_…)' },
        admin: { type: 'http', scheme: 'basic', description: 'ADMIN_USER and ADMIN_PASSWORD of the gateway' },
      },
    },
  });
  addBounds([document.paths, document.webhooks, document.components]);
  return document;
}
