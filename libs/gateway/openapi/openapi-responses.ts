import { isTagged, type Endpoint } from '#catalogue/endpoints.js';
import { ProblemError, problemCatalogue, type ProblemCode, fieldErrorSchema } from '#contracts/errors.js';
import { phraseSchema } from '#contracts/phrases/schema.js';
import { z } from 'zod';
import type { ZodOpenApiOperationObject } from 'zod-openapi';

/** Maximum length of a string in characters: a JSON body is at most 1 MiB. */
const MAX_LENGTH = 1024 * 1024;
/** Exceeds the length of any list of a session, run or tenant. */
const MAX_ITEMS = 100_000;
const INT32 = 2 ** 31 - 1;

type Node = Record<string, unknown>;

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null;
const hasType = ({ type }: Node, name: string) =>
  type === name || (Array.isArray(type) && type.includes(name));

/**
 * Adds bounds to every schema of a document that apply to it anyway (OWASP API4): generated clients allocate
 * by them, and gateways in front check them. Changes the document in place.
 */
export function addBounds(node: unknown): void {
  if (Array.isArray(node)) node.forEach(addBounds);
  if (!isNode(node) || Array.isArray(node)) return;
  if (hasType(node, 'string') && !('enum' in node || 'const' in node)) node.maxLength ??= MAX_LENGTH;
  if (hasType(node, 'array')) node.maxItems ??= MAX_ITEMS;
  if (hasType(node, 'integer')) {
    const isSmall = typeof node.maximum === 'number' && node.maximum <= INT32;
    node.format ??= isSmall ? 'int32' : 'int64';
    if (!('exclusiveMinimum' in node)) node.minimum ??= Number.MIN_SAFE_INTEGER;
    if (!('exclusiveMaximum' in node)) node.maximum ??= Number.MAX_SAFE_INTEGER;
  }
  Object.values(node).forEach(addBounds);
}

const count = (description: string) => ({
  description,
  schema: { type: 'integer', format: 'int32', minimum: 0, maximum: INT32 },
});

/** Response headers, for `components.headers`. */
export const responseHeaders = {
  RateLimitLimit: count('Requests that the key may send per minute'),
  RateLimitRemaining: count('Remaining requests'),
  RateLimitReset: count('Seconds until the count resets'),
  RetryAfter: count('Seconds to wait before a retry'),
  ETag: {
    description: 'Identifies the response for `If-None-Match`',
    schema: { type: 'string', pattern: '^".+"$' },
  },
} as const;

/** References to the headers of responses to rate-limited requests. */
const rateLimitReferences = {
  'RateLimit-Limit': { $ref: '#/components/headers/RateLimitLimit' },
  'RateLimit-Remaining': { $ref: '#/components/headers/RateLimitRemaining' },
  'RateLimit-Reset': { $ref: '#/components/headers/RateLimitReset' },
};

/** Header of a refusal after which a retry may succeed. */
const retryReference = { 'Retry-After': { $ref: '#/components/headers/RetryAfter' } };

/** Header of a response that `If-None-Match` can match. */
const tagReference = { ETag: { $ref: '#/components/headers/ETag' } };

const codes = Object.keys(problemCatalogue) as [ProblemCode, ...ProblemCode[]];

const problemSchema = z
  .object({
    type: z.string(),
    title: z.string(),
    status: z.number().int(),
    code: z.enum(codes),
    detail: z.string(),
    phrase: phraseSchema.nullable(),
    instance: z.string().optional(),
    errors: z.array(fieldErrorSchema).optional(),
    alternatives: z
      .array(z.string())
      .optional()
      .describe('`needs_model`: operations, fields or templates that do it without a model'),
  })
  .meta({ id: 'Problem', description: 'Problem details (RFC 9457); `code` is stable.' });

/** Not listed: a path with another method is no operation of the document, and only tools of /mcp need a person. */
const OF_NO_OPERATION: readonly ProblemCode[] = ['method_not_allowed', 'person_required'];

/** An example of each problem that an operation can return, for `components.examples`. */
export const problemExamples = Object.fromEntries(
  codes
    .filter((code) => !OF_NO_OPERATION.includes(code))
    .map((code) => {
      const { title } = problemCatalogue[code];
      const errors =
        code === 'invalid_request' ? [{ path: 'inputs.title', message: 'is too long' }] : undefined;
      return [code, { summary: title, value: new ProblemError(code, `${title}.`, errors).toProblem() }];
    }),
);

function successOf({ response, media }: Endpoint): object {
  const json = response ? { 'application/json': { schema: response } } : {};
  const others = [media ?? []].flat().map((type) => [type, { schema: z.string() }] as const);
  return response || media ? { content: { ...json, ...Object.fromEntries(others) } } : {};
}

function problemResponse(problems: ProblemCode[]): object {
  return {
    description: problems.map((code) => `\`${code}\``).join(', '),
    content: {
      'application/problem+json': {
        schema: problemSchema,
        examples: Object.fromEntries(
          problems.map((code) => [code, { $ref: `#/components/examples/${code}` }]),
        ),
      },
    },
  };
}

/** Returns the headers that a response of this status has. */
function headersOf(endpoint: Endpoint, status: string): object {
  // Unauthenticated requests and the operator's are not rate-limited by key.
  const isCounted = !endpoint.open && !endpoint.admin && status !== '401';
  const isNamed = isTagged(endpoint) && ['200', '304'].includes(status);
  return {
    ...(isCounted ? rateLimitReferences : {}),
    ...(status === '429' || status === '503' ? retryReference : {}),
    ...(isNamed ? tagReference : {}),
  };
}

/** Returns the responses of an endpoint by status: its success, and every problem. */
export function responsesOf(endpoint: Endpoint): ZodOpenApiOperationObject['responses'] {
  const responses: Record<string, object> = {
    [endpoint.status]: { description: 'Success', ...successOf(endpoint) },
  };
  for (const status of endpoint.alsoStatus ?? [])
    responses[status] = { description: 'Same body as on success, with the errors', ...successOf(endpoint) };
  if (isTagged(endpoint)) responses[304] = { description: 'The version in `If-None-Match` is still current' };
  const problems = endpoint.errors;
  for (const { status } of problems.map((code) => problemCatalogue[code]))
    responses[status] ??= problemResponse(
      problems.filter((code) => problemCatalogue[code].status === status),
    );
  for (const [status, response] of Object.entries(responses)) {
    const headers = headersOf(endpoint, status);
    if (Object.keys(headers).length > 0) responses[status] = { ...response, headers };
  }
  return responses as ZodOpenApiOperationObject['responses'];
}
