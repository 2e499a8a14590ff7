import { sha256 } from '#contracts/sha256.js';
import { WEB_PROTOCOL } from '#contracts/text.js';
import { phrase, type Phrase } from '#contracts/phrases/phrase.js';
import { z } from 'zod';
import { headerName, headerValue } from '../../contract/mcp-schemas.js';
import { secretName } from '../../contract/secret-schemas.js';
import { isObject } from '#contracts/lenient.js';
import type { HttpCall, ToolPorts } from '../ports.js';
import { defineTool, ToolCallError, type ToolDescription } from '../tool.js';

export const HTTP_REQUEST = 'http_request';
const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
const MAX_BODY_CHARACTERS = 1024 * 1024;
/** A place in a header for the value of a secret. */
const SECRET_PLACE = /\{\{([^{}]{1,100})\}\}/g;
/** Headers that belong to the connection. */
const RESERVED = /^(?:host|connection|content-length|transfer-encoding|upgrade|te|trailer|expect|proxy-.*)$/i;
/** A part of a header's name that says that its value is a credential, as in `x-api-key` and `private-token`. */
const CREDENTIAL_NAME =
  /(?:^|[-_])(?:[a-z]{0,20}(?:auth|authorization|key|token|secret|password|credentials?)|cookie2?|session(?:id)?|signature|jwt|pat|pwd)(?:$|[-_])/i;
/** The client makes up this key, so that a repeated request has no further effect. */
const IDEMPOTENCY_KEY = /^(?:x-)?idempotency-key$/i;
/** A scheme of authentication with its credential. */
const CREDENTIAL_VALUE = /^(?:Basic|Bearer|Negotiate|Token)\s+\S+$/i;

const headersSchema = z
  .record(headerName, headerValue)
  .refine((given) => Object.keys(given).length <= 20, { message: 'at most 20' });

/** Names of secrets by the field that gets the value. */
const secretFields = z.record(z.string().min(1).max(200), secretName).optional();

const address = z.url({ protocol: WEB_PROTOCOL }).max(2_000).describe('the address, with its query');

export const httpRequest = defineTool({
  name: HTTP_REQUEST,
  description:
    'Read a web page or call an API over HTTP: read, create, change or delete data with JSON, and with secrets of the tenant for its credentials; only if the operator allows it. Fails unless the status is below 400. A GET without secrets follows redirects.',
  input: z.object({
    method: z.enum(methods).describe('HTTP method'),
    url: address,
    headers: headersSchema
      .optional()
      .describe('headers; credentials are named secrets: {"authorization": "Bearer {{crm}}"}'),
    body: z.unknown().optional().describe('value that is sent as JSON'),
    form: z
      .record(z.string().max(200), z.union([z.string(), z.number(), z.boolean()]))
      .optional()
      .describe('fields that are sent as a form, instead of body'),
    query_secrets: secretFields.describe(
      'parameters of the query whose values are secrets: {"api_key": "crm"}',
    ),
    body_secrets: secretFields.describe('fields of body or form whose values are secrets'),
  }),
  output: z.object({
    status: z.number().int(),
    media_type: z.string(),
    location: z.string().nullable().describe('target of a redirect, or place of what was created'),
    body: z.unknown().describe('the JSON value or the text of the response; null if it has neither'),
    text: z.string().nullable().describe('the text; of a web page as markdown; null for JSON'),
  }),
  sideEffects: true,
  cost: 3,
  async run({ method, url, headers = {}, ...given }, ports: ToolPorts) {
    const problem = headerProblem(headers);
    if (problem !== null) throw new ToolCallError('invalid_arguments', problem);
    const body = bodyOf(method, given);
    const { query_secrets: query = {}, body_secrets: fields = {} } = given;
    const answer = await ports.sendRequest({ method, url, headers, body, secrets: { query, body: fields } });
    const { mediaType: media_type, ...shown } = answer;
    return { media_type, ...shown };
  },
});

export const FETCH_URL = 'fetch_url';

/** Plans of older releases read pages with it; they may handle an error by its status. */
export const fetchUrl = defineTool({
  name: FETCH_URL,
  description: `Older name of ${HTTP_REQUEST}, for plans that have it.`,
  replacedBy: HTTP_REQUEST,
  input: z.object({ url: address }),
  output: z.object({ status: z.number().int(), media_type: z.string(), text: z.string() }),
  sideEffects: true,
  isRepeatable: true,
  attempts: 2,
  cost: 3,
  async run({ url }, ports: ToolPorts) {
    const call = { method: 'GET', url, headers: { accept: '*/*' }, body: null, isAnyAnswer: true };
    const { status, mediaType, text } = await ports.sendRequest(call);
    if (text === null)
      throw new ToolCallError('not_text', phrase('tool_error.page_no_text', { type: mediaType }));
    return { status, media_type: mediaType, text };
  },
});

interface GivenBody {
  body?: unknown;
  form?: Record<string, string | number | boolean> | undefined;
  body_secrets?: Record<string, string> | undefined;
}

/** @throws ToolCallError for a body that the method, its size or its secrets do not allow */
function bodyOf(method: string, { body, form, body_secrets: secrets }: GivenBody): HttpCall['body'] {
  const isEmpty = body === undefined && form === undefined;
  if (method === 'GET' && !(isEmpty && secrets === undefined))
    throw new ToolCallError('invalid_arguments', phrase('tool_error.get_body'));
  if (body !== undefined && form !== undefined)
    throw new ToolCallError('invalid_arguments', phrase('tool_error.body_and_form'));
  if (secrets && form === undefined && !isObject(body))
    throw new ToolCallError('invalid_arguments', phrase('tool_error.body_secrets'));
  const text = isEmpty ? null : JSON.stringify(body ?? form);
  if ((text?.length ?? 0) > MAX_BODY_CHARACTERS)
    throw new ToolCallError('too_large', phrase('tool_error.body_too_large', { max: 1 }));
  if (form === undefined) return text;
  const fields = Object.entries(form).map(([name, value]) => [name, String(value)]);
  return { form: Object.fromEntries(fields) as Record<string, string> };
}

/** Returns the names of the secrets in the headers of a request. */
export function secretsIn(headers: Record<string, string>): string[] {
  return Object.values(headers).flatMap((value) =>
    [...value.matchAll(SECRET_PLACE)].map(([, name]) => name!),
  );
}

/** Replaces the names of secrets in a header by their values. */
export const withSecrets = (value: string, valueOf: (name: string) => string): string =>
  value.replace(SECRET_PLACE, (_, name: string) => valueOf(name));

/** Returns why a request cannot have these headers; null if it can. */
function headerProblem(headers: Record<string, unknown>): Phrase | null {
  for (const [name, value] of Object.entries(headers)) {
    if (RESERVED.test(name)) return phrase('http_header.reserved', { name });
    if (typeof value !== 'string') continue;
    const secrets = secretsIn({ [name]: value });
    const isCredential =
      CREDENTIAL_VALUE.test(value) || (CREDENTIAL_NAME.test(name) && !IDEMPOTENCY_KEY.test(name));
    if (isCredential && secrets.length === 0)
      return phrase('http_header.credential', { name, example: 'Bearer {{crm}}' });
    const unknown = secrets.find((secret) => !secretName.safeParse(secret).success);
    if (unknown !== undefined) return phrase('http_header.no_secret', { name: unknown });
  }
  return null;
}

/** Returns why a plan must not contain a call with these arguments; null if it may. */
export function problemOfCall(tool: string, args: Record<string, unknown>): Phrase | null {
  const headers = args['headers'];
  if (tool !== HTTP_REQUEST || typeof headers !== 'object' || headers === null) return null;
  return headerProblem(headers as Record<string, unknown>);
}

/**
 * Returns the arguments of a call with a header by which its server recognizes a repetition, unless they have one.
 *
 * @param seed the same for a repetition
 */
export function withIdempotencyKey(tool: string, args: unknown, seed: string): unknown {
  const { method, headers = {} } = args as { method?: unknown; headers?: unknown };
  // The call itself refuses headers that are none.
  if (tool !== HTTP_REQUEST || method === 'GET' || !isObject(headers)) return args;
  if (Object.keys(headers).some((name) => IDEMPOTENCY_KEY.test(name))) return args;
  const key = sha256(seed, 'base64url');
  return { ...(args as object), headers: { ...headers, 'idempotency-key': key } };
}

/** Returns the description of the calls of a plan step: GETs may be repeated (RFC 9110, 9.2.1). */
export function describedCall(tool: ToolDescription, calls: Record<string, unknown>[]): ToolDescription {
  if (tool.name !== HTTP_REQUEST || calls.some(({ method }) => method !== 'GET')) return tool;
  return { ...tool, isRepeatable: true, attempts: 2 };
}
