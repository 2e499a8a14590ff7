import { isTagged, type Endpoint } from '#catalogue/endpoints.js';
import { ProblemError, problemCatalogue, type ProblemCode } from '#contracts/errors.js';
import { fieldErrorSchema } from '#contracts/field-errors.js';
import { phraseSchema } from '#contracts/phrases/schema.js';
import { z } from 'zod';
import type { ZodOpenApiOperationObject } from 'zod-openapi';
import { rateLimitReferences, retryReference, tagReference } from './openapi-bounds.js';

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
    alternatives: z.array(z.string()).optional().meta({
      description: '`needs_model`: operations, fields or templates that do it without a model',
    }),
  })
  .meta({ id: 'Problem', description: 'Problem details (RFC 9457); `code` is stable.' });

/** Not listed: a path with another method is not an operation of the document. */
const OF_NO_OPERATION: ProblemCode = 'method_not_allowed';

/** An example of each problem that an operation can return, for `components.examples`. */
export const problemExamples = Object.fromEntries(
  codes
    .filter((code) => code !== OF_NO_OPERATION)
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
