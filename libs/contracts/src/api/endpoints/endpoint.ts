import type { z } from 'zod';
import type { ProblemCode } from '../../errors.js';
import type { Scope } from '../access-schemas.js';

/** What the operations of each tag are about. */
export const tagDescriptions = {
  service: 'Whether the service can be reached.',
  access: 'API keys, tokens and the audit log of a tenant.',
  sessions: 'Sessions hold inputs, runs and results.',
  inputs: 'Raw files, and the assets that they refer to.',
  results: 'Manuscript, ledger, checkpoints and exports of a session.',
  runs: 'Runs of the agent: start, follow, cancel.',
  decisions: 'Questions to people, and their answers.',
  history: 'Checkpoints of runs; restore, fork and compare.',
  books: 'Books: concept, outline, chapters and their versions.',
  knowledge: 'Collections of sources, and the search for passages in them.',
  corpus: 'The style corpus: texts, their fingerprint, and texts compared with it.',
  plans: 'Graphs of tools that ask, plan anew and learn; the tools themselves.',
  articles: 'Conversations that end with an article, and the log of those that were approved.',
  mcp: 'MCP servers of the tenant, whose tools plans may use.',
  webhooks: 'Signed requests of the service to a URL of the tenant.',
  studio: 'Signing a browser in, for the web studio.',
  admin: 'For the operator of the service.',
};

/** An operation as its area defines it. */
export interface Operation {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  path: string;
  summary: string;
  /** No API key needed. */
  open?: boolean;
  /** The operator's: needs the admin's credentials (HTTP Basic) in place of a key. */
  admin?: boolean;
  /** The scope that the key needs; `read` for GET and `write` for the rest by default, `any` when each will do. */
  scope?: Scope | 'any';
  query?: z.ZodObject;
  body?: z.ZodType;
  /** The body may also be (or is only) multipart/form-data. */
  multipart?: 'only' | 'also';
  /** 204 for DELETE and 200 for the rest by default. */
  status?: number;
  /** Other statuses that come with the same JSON. */
  alsoStatus?: readonly number[];
  /** The JSON it answers with; absent for streams and files. */
  response?: z.ZodType;
  /** Media types that are not JSON; beside `response`, what `Accept` or the query can ask for. */
  media?: string | readonly string[];
  /** Its answer is streamed without an ETag, which any other GET has. */
  untagged?: boolean;
  /** The field of the answer that is shown once: it is kept nowhere, not for a repeated request either. */
  shownOnce?: string;
  /** Error codes in addition to those that follow from method, path, access and input. */
  errors?: readonly ProblemCode[];
}

/** An operation of the catalogue, with every error code that it can answer with. */
export interface Endpoint extends Operation {
  tag: keyof typeof tagDescriptions;
  status: number;
  errors: ProblemCode[];
}

/** Codes of every operation that reads an upload. */
export const uploadProblems = [
  'malformed_multipart',
  'empty_upload',
  'invalid_file_name',
  'file_too_large',
] as const satisfies ProblemCode[];

/** Codes of every upload whose text is indexed. */
export const textUploadProblems = [
  ...uploadProblems,
  'storage_quota_exceeded',
  'not_text',
  'not_utf8',
  'source_unreadable',
] as const satisfies ProblemCode[];

/** Codes of every operation that starts a run. */
export const budgetProblems = [
  'token_quota_exceeded',
  'cost_quota_exceeded',
  'model_price_unknown',
] as const satisfies ProblemCode[];

/** Codes of every operation. */
const commonProblems: ProblemCode[] = [
  'malformed_request',
  'request_timeout',
  'headers_too_large',
  'internal_error',
  'unavailable',
];

/** Returns the codes that an operation can answer with because it is not open. */
function problemsOfAccess({ open, admin, method }: Operation): ProblemCode[] {
  if (open) return [];
  if (admin)
    return [
      'unauthorized',
      'too_many_requests',
      ...(method === 'GET' ? [] : (['cross_site_request'] as const)),
    ];
  const keyed: ProblemCode[] =
    method === 'POST'
      ? ['idempotency_under_way', 'idempotency_outcome_unknown', 'idempotency_key_reused', 'invalid_request']
      : [];
  return ['unauthorized', 'forbidden', 'tenant_suspended', 'too_many_requests', ...keyed];
}

/** Returns the codes that an operation can answer with because of its path, query and body. */
function problemsOfInput({ method, path, body, query }: Operation): ProblemCode[] {
  const inPath: ProblemCode[] = path.includes(':') ? ['not_found'] : [];
  const inBody: ProblemCode[] = [
    'malformed_json',
    'unsupported_media_type',
    'body_too_large',
    'invalid_request',
  ];
  const inQuery: ProblemCode[] = query ? ['invalid_request'] : [];
  return [...inPath, ...(method === 'POST' || body ? inBody : []), ...inQuery];
}

/** Completes the operations of one tag: the default status, and the error codes that any such operation has. */
export function defineEndpoints<const T extends Record<string, Operation>>(
  tag: Endpoint['tag'],
  operations: T,
) {
  const complete = (operation: Operation): Endpoint => ({
    status: operation.method === 'DELETE' ? 204 : 200,
    ...operation,
    tag,
    errors: [
      ...new Set([
        ...commonProblems,
        ...problemsOfAccess(operation),
        ...problemsOfInput(operation),
        ...(operation.errors ?? []),
      ]),
    ],
  });
  const endpoints = Object.entries(operations).map(([name, operation]) => [name, complete(operation)]);
  return Object.fromEntries(endpoints) as {
    [Name in keyof T]: T[Name] & Pick<Endpoint, 'tag' | 'status' | 'errors'>;
  };
}

/** Whether an endpoint answers with an ETag, and with 304 while `If-None-Match` names it. */
export function isTagged({ method, untagged }: Endpoint): boolean {
  return method === 'GET' && untagged !== true;
}

/** Whether an endpoint answers with events, which are no answer that could be kept. */
export function isStream({ media }: Endpoint): boolean {
  return media === 'text/event-stream';
}

/** The scope that a caller needs for an endpoint. */
export function scopeOf({ scope, method }: Endpoint): Scope | 'any' {
  return scope ?? (method === 'GET' ? 'read' : 'write');
}
