import { fieldErrorOf, type FieldError } from './field-errors.js';
import { englishText, type Phrase } from './phrases/phrase.js';

/**
 * All errors that clients can receive, by stable code (RFC 9457: `type` is
 * `https://scriptorium.dev/problems/{code}`). `title` is the same for every occurrence; `detail` is set where
 * the error is thrown and says what to do.
 */
export const problemCatalogue = {
  unauthorized: { status: 401, title: 'The API key or token is missing, wrong, expired or revoked' },
  forbidden: { status: 403, title: 'The API key or token lacks the required permission' },
  cross_site_request: { status: 403, title: 'The request comes from a page of another site' },
  tenant_suspended: { status: 403, title: 'The tenant is suspended' },
  malformed_request: { status: 400, title: 'The request is not valid HTTP' },
  headers_too_large: { status: 431, title: 'The headers are larger than the limit' },
  request_timeout: { status: 408, title: 'The request did not arrive in time' },
  not_found: { status: 404, title: 'The resource was not found' },
  method_not_allowed: { status: 405, title: 'The path does not support this method' },
  malformed_multipart: { status: 400, title: 'The body is not valid multipart/form-data' },
  malformed_json: { status: 400, title: 'The body is not valid JSON' },
  invalid_request: { status: 422, title: 'The request does not match its schema' },
  unsupported_media_type: { status: 415, title: 'The content type is not supported' },
  empty_upload: { status: 422, title: 'The upload contains no file or an empty file' },
  invalid_file_name: { status: 422, title: 'The file name is not allowed' },
  file_too_large: { status: 413, title: 'A file is larger than the limit' },
  too_many_files: { status: 413, title: 'The session would contain too many files' },
  body_too_large: { status: 413, title: 'The body is larger than the limit' },
  not_text: { status: 422, title: 'A file with a text name has binary content' },
  not_utf8: { status: 422, title: 'A text file is not UTF-8' },
  file_exists: { status: 409, title: 'The session already has a file with that name and different content' },
  file_in_use: { status: 409, title: 'The file is in use by an active run' },
  no_inputs: { status: 422, title: 'The session has no usable input files' },
  run_active: { status: 409, title: 'The session already has an active run' },
  idempotency_under_way: { status: 409, title: 'A request with this Idempotency-Key is in progress' },
  idempotency_outcome_unknown: {
    status: 409,
    title: 'It is unknown whether the first request with this Idempotency-Key took effect',
  },
  idempotency_key_reused: { status: 422, title: 'The Idempotency-Key was used for a different request' },
  run_finished: { status: 409, title: 'The run has already ended' },
  decision_answered: { status: 409, title: 'The decision was already answered differently' },
  decision_stale: { status: 409, title: 'The decision is no longer open' },
  invalid_plan: { status: 422, title: 'The plan is not valid' },
  task_over: { status: 409, title: 'The run has continued without the task' },
  not_assignee: { status: 403, title: 'The decision is assigned to another API key' },
  invalid_answer: { status: 422, title: 'The answer does not match the schema of the decision' },
  checkpoint_unusable: { status: 409, title: 'The checkpoint cannot be resumed' },
  not_a_fork: { status: 409, title: 'The session is not a fork of the other session' },
  diff_too_large: { status: 422, title: 'The manuscripts are too large or too different to compare' },
  no_manuscript: { status: 404, title: 'The session has no manuscript yet' },
  storage_quota_exceeded: { status: 413, title: 'The files would exceed the storage quota of the tenant' },
  token_quota_exceeded: { status: 429, title: 'The tenant has used up its model tokens for this month' },
  cost_quota_exceeded: {
    status: 429,
    title: 'The tenant has reached its model cost limit for this month',
  },
  model_endpoint_refused: { status: 422, title: 'Models at this URL are not allowed' },
  model_price_unknown: { status: 422, title: 'A cost budget requires a price for the model' },
  transcripts_off: { status: 422, title: 'Fetching transcripts is disabled' },
  transcript_unavailable: { status: 422, title: 'The transcript could not be retrieved' },
  no_corpus: { status: 422, title: 'The tenant has no style corpus to compare the text with' },
  corpus_empty: { status: 404, title: 'The style corpus has no matching texts yet' },
  source_unreadable: { status: 422, title: 'No text can be extracted from this type of file' },
  too_many_collections: { status: 409, title: 'The tenant has reached its collection limit' },
  no_embeddings: { status: 422, title: 'No embedding model is configured' },
  last_admin_key: { status: 409, title: 'The key is the last one with the admin scope' },
  too_many_keys: { status: 409, title: 'The tenant has reached its API key limit' },
  webhook_url_refused: { status: 422, title: 'Webhooks cannot be sent to this URL' },
  too_many_webhooks: { status: 409, title: 'The tenant has reached its webhook limit' },
  mcp_server_refused: { status: 422, title: 'MCP servers at this URL are not allowed' },
  mcp_server_exists: { status: 409, title: 'The tenant already has an MCP server with that name' },
  too_many_mcp_servers: { status: 409, title: 'The tenant has reached its MCP server limit' },
  secret_exists: { status: 409, title: 'The tenant already has a secret with that name' },
  too_many_secrets: { status: 409, title: 'The tenant has reached its limit of secrets' },
  precondition_required: { status: 428, title: 'The request requires an If-Match header' },
  changed_meanwhile: { status: 412, title: 'The resource changed since it was read' },
  chapter_empty: { status: 409, title: 'The chapter has no text yet' },
  no_model: { status: 422, title: 'The operation needs a model, and none is configured' },
  needs_model: {
    status: 409,
    title: 'Free text needs a model, and none is configured; the alternatives need none',
  },
  no_proposal: { status: 409, title: 'The run has proposed no change' },
  proposal_refused: {
    status: 409,
    title: 'The proposed change contains statements that are proved wrong or lack a source (no longer sent)',
  },
  too_many_chapters: { status: 409, title: 'The book has reached its chapter limit' },
  too_many_requests: { status: 429, title: 'Too many requests' },
  internal_error: { status: 500, title: 'An internal error occurred' },
  model_failed: { status: 502, title: 'The model cannot answer' },
  unavailable: { status: 503, title: 'A part of the service is unreachable' },
} as const satisfies Record<string, { status: number; title: string }>;

export type ProblemCode = keyof typeof problemCatalogue;

/** Problem-details body of a response (RFC 9457). */
export interface ProblemDetails {
  type: string;
  title: string;
  status: number;
  code: ProblemCode;
  detail: string;
  /** Code and parameters of `detail`; null if it quotes a text from elsewhere, such as a provider's. */
  phrase: Phrase | null;
  instance?: string;
  errors?: FieldError[];
  /** Of `needs_model`: names of the operations, fields or templates that do it without a model. */
  alternatives?: readonly string[];
}

/** Why a request needs a model, and what a client can use instead (X21). */
export interface NeedsModel {
  detail: Phrase;
  /** Names of operations, fields or templates; empty only if none exists. */
  alternatives: readonly string[];
}

/** Error for the client. `detail` must not contain a secret, path or stack. */
export class ProblemError extends Error {
  readonly detail: string;
  readonly phrase: Phrase | null;
  readonly errors: FieldError[] | undefined;
  private alternatives: readonly string[] | undefined;

  /** @param detail a phrase, or an English text that has no phrase because it comes from elsewhere */
  constructor(
    readonly code: ProblemCode,
    detail: Phrase | string,
    errors?: { path: string; message: string }[],
  ) {
    const text = typeof detail === 'string' ? detail : englishText(detail);
    super(`${code}: ${text}`);
    this.name = 'ProblemError';
    this.detail = text;
    this.phrase = typeof detail === 'string' ? null : detail;
    this.errors = errors?.map(fieldErrorOf);
  }

  /** Creates the problem of a request in free text that nobody reads, because no model is configured (X21). */
  static needsModel({ detail, alternatives }: NeedsModel): ProblemError {
    const problem = new ProblemError('needs_model', detail);
    problem.alternatives = alternatives;
    return problem;
  }

  get status(): number {
    return problemCatalogue[this.code].status;
  }

  /**
   * Returns the body of the response.
   *
   * @param instance path of the request
   */
  toProblem(instance?: string): ProblemDetails {
    const { status, title } = problemCatalogue[this.code];
    return {
      type: `https://scriptorium.dev/problems/${this.code}`,
      title,
      status,
      code: this.code,
      detail: this.detail,
      phrase: this.phrase,
      ...(instance === undefined ? {} : { instance }),
      ...(this.errors === undefined ? {} : { errors: this.errors }),
      ...(this.alternatives === undefined ? {} : { alternatives: this.alternatives }),
    };
  }
}
