import {
  endpoints,
  isStream,
  isTagged,
  scopeOf,
  tagDescriptions,
  type Endpoint,
} from '#catalogue/endpoints.js';
import { webhookPayloadSchema } from '#catalogue/webhook-schemas.js';
import { z } from 'zod';
import { addBounds, responseHeaders, problemExamples, responsesOf } from './openapi-responses.js';
import { createDocument, type ZodOpenApiOperationObject, type ZodOpenApiPathsObject } from 'zod-openapi';

const PARAMETER = /:(\w+)/g;
const pathOf = (path: string) => path.replace(PARAMETER, '{$1}');
const parametersOf = (path: string) => [...path.matchAll(PARAMETER)].map((match) => match[1]!);

/** Returns the schema of a path parameter. */
function pathParameter(name: string) {
  const described = name.endsWith('_id')
    ? `the id of the ${name.slice(0, -3).replaceAll('_', ' ')}`
    : `the ${name}`;
  return z.string().describe(described);
}

/** Groups of operations by name. */
const tags = Object.entries(tagDescriptions)
  .sort()
  .map(([name, description]) => ({ name, description }));

/** Returns the request headers that make a GET cheap and a POST safe to repeat. */
function headersOf(endpoint: Endpoint) {
  const { open, admin, method } = endpoint;
  if (isTagged(endpoint)) {
    const known = z.string().optional().describe('ETags of responses that the client has');
    return { header: z.object({ 'If-None-Match': known }) };
  }
  if (open || admin || method !== 'POST' || isStream(endpoint)) return {};
  const description =
    'A repeated request with the same key gets the response of the first one, for 24 hours.';
  const key = z.string().min(1).max(255).optional().meta({ description });
  return { header: z.object({ 'Idempotency-Key': key }) };
}

/** Returns the security requirement of an operation. */
function securityOf({ open, admin }: Endpoint): Record<string, string[]>[] {
  if (open) return open === 'signed' ? [{ signature: [] }] : [];
  return [admin ? { admin: [] } : { apiKey: [] }];
}

function requestBodyOf(endpoint: Endpoint): ZodOpenApiOperationObject['requestBody'] {
  const multipart = {
    'multipart/form-data': {
      schema: z
        .record(z.string(), z.string())
        .describe('one part per file; for uploads, parts may have any name'),
    },
  };
  const json = endpoint.body ? { 'application/json': { schema: endpoint.body } } : {};
  if (!endpoint.body && !endpoint.multipart) return undefined;
  return { required: true, content: { ...json, ...(endpoint.multipart ? multipart : {}) } };
}

function neededScope(endpoint: Endpoint): string {
  if (endpoint.open) return 'no key';
  if (endpoint.admin) return 'the credentials of the operator';
  const scope = scopeOf(endpoint);
  return scope === 'any' ? 'an API key' : `the scope \`${scope}\``;
}

/** The request that the service sends to a tenant's webhook URL. */
const webhookOperation = {
  post: {
    summary: 'An event of a run or of a source',
    description:
      'Signed according to Standard Webhooks: `webhook-id` (the same in every attempt), `webhook-timestamp`, `webhook-signature`.',
    tags: ['webhooks'],
    security: [],
    requestBody: { required: true, content: { 'application/json': { schema: webhookPayloadSchema } } },
    responses: { '2XX': { description: 'Taken' }, '410': { description: 'Stop sending' } },
  },
};

/** Builds the OpenAPI 3.1 document of the gateway from the endpoint catalogue. */
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
        description: `Needs ${neededScope(endpoint)}.`,
        tags: [endpoint.tag],
        security: securityOf(endpoint),
        requestParams: {
          ...(parameters.length > 0
            ? { path: z.object(Object.fromEntries(parameters.map((key) => [key, pathParameter(key)]))) }
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
      description:
        'Turns raw files into faithful, structured documents. A trailing slash is optional everywhere.',
      license: { name: 'MIT', url: 'https://opensource.org/license/mit' },
      contact: { name: 'Scriptorium', url: 'https://scriptorium.dev' },
    },
    servers: [{ url: '/', 'x-internal': false }],
    tags,
    paths,
    webhooks: { runEvent: webhookOperation },
    components: {
      examples: problemExamples,
      headers: responseHeaders as never,
      securitySchemes: {
        apiKey: { type: 'http', scheme: 'bearer', description: 'An API key (scr_…) or a token (sct_…)' },
        signature: {
          type: 'apiKey',
          in: 'header',
          name: 'webhook-signature',
          description: 'HMAC-SHA256 of ID, time and body with the secret of the trigger (Standard Webhooks)',
        },
        admin: { type: 'http', scheme: 'basic', description: 'ADMIN_USER and ADMIN_PASSWORD of the gateway' },
      },
    },
  });
  addBounds([document.paths, document.webhooks, document.components]);
  return document;
}
