import type { z } from 'zod';
import type { ProblemCode } from '../../errors.js';
import type { Scope } from '../access-schemas.js';

/** Descriptions of the tags. */
export const tagDescriptions = {
  service: 'Health of the service.',
  access: 'API keys, tokens and the audit log of a tenant.',
  sessions: 'Sessions contain inputs, runs and results.',
  inputs: 'Raw files, and the assets that they reference.',
  results: 'Manuscript, ledger, checkpoints and exports of a session.',
  runs: 'Runs: start, follow, cancel.',
  schedules: 'Runs that start at planned times or by events.',
  word_templates: 'Word files whose styles, headers, footers and page setup documents take.',
  decisions: 'Questions to people, and their answers.',
  history: 'Checkpoints of runs; restore, fork and compare.',
  books: 'Books: concept, outline, chapters and their versions.',
  knowledge: 'Collections of sources, and search for passages in them.',
  corpus: 'The style corpus: texts, their fingerprint, and comparison of texts with it.',
  plans: 'Plans, which are graphs of tool calls, and the tools themselves.',
  articles: 'Conversations that produce an article, and the log of approved articles.',
  changes: 'Changes of a selected part of a text, proposed by a model and accepted or rejected by a person.',
  reviews: 'Word files that came back: the changes that people made in them, and decisions about them.',
  mcp: 'MCP servers of the tenant, whose tools plans may use.',
  model: 'The models that runs use: what they can do, and the tenant’s own endpoint.',
  secrets: 'Credentials that HTTP requests of plans use by name.',
  webhooks: 'Signed requests from the service to a URL of the tenant.',
  studio: 'Browser sign-in for the web studio.',
  admin: 'For the operator of the service.',
};

/** An operation as its area defines it. */
interface Operation {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  path: string;
  summary: string;
  /** No API key needed; `signed`: the request is signed with a secret of its own instead. */
  open?: boolean | 'signed';
  /** Operation of the operator: requires the admin's credentials (HTTP Basic) instead of a key. */
  admin?: boolean;
  /** Scope that the key needs. Default: `read` for GET, `write` otherwise. `any` accepts every scope. */
  scope?: Scope | 'any';
  query?: z.ZodObject;
  body?: z.ZodType;
  /** The body may also be (or is only) multipart/form-data. */
  multipart?: 'only' | 'also';
  /** 204 for DELETE and 200 for the rest by default. */
  status?: number;
  /** Other statuses with the same JSON. */
  alsoStatus?: readonly number[];
  /** JSON of the response; absent for streams and files. */
  response?: z.ZodType;
  /** Media types that are not JSON; next to `response`, alternatives that `Accept` or the query selects. */
  media?: string | readonly string[];
  /** The response is streamed without an ETag; all other GET responses have one. */
  untagged?: boolean;
  /** Response field that is shown once: it is not stored, and a repeated request returns a placeholder. */
  shownOnce?: string;
  /** Error codes in addition to the ones derived from method, path, access and input. */
  errors?: readonly ProblemCode[];
}

/** An operation of the catalogue, with every error code that it can return. */
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

/** Codes of every operation that uploads the inputs of a session. */
export const inputProblems = [
  ...uploadProblems,
  'too_many_files',
  'storage_quota_exceeded',
  'not_text',
  'not_utf8',
] as const satisfies ProblemCode[];

/** Codes of every operation that indexes uploaded text. */
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

/** Completes the operations of one tag with the default status and the error codes of all such operations. */
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

/** Returns whether an endpoint sends an ETag, and 304 if `If-None-Match` contains it. */
export function isTagged({ method, untagged }: Endpoint): boolean {
  return method === 'GET' && untagged !== true;
}

/** Returns whether an endpoint sends events, which cannot be stored for a repeated request. */
export function isStream({ media }: Endpoint): boolean {
  return media === 'text/event-stream';
}

/** Returns the scope that an endpoint requires. */
export function scopeOf({ scope, method }: Endpoint): Scope | 'any' {
  return scope ?? (method === 'GET' ? 'read' : 'write');
}
