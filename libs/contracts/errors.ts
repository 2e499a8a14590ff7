import texts from '#locales/en.json' with { type: 'json' };
import { englishText, type Phrase } from './phrases/phrase.js';
import { z } from 'zod';
import { findText } from './phrases/known-text.js';
import { phraseSchema } from './phrases/schema.js';

const { fieldErrors, fieldTypes } = texts.service;

/** A field of a request or answer that is not valid. */
export const fieldErrorSchema = z.object({
  path: z.string(),
  message: z.string(),
  phrase: phraseSchema.optional().describe('Code and parameters of the message.'),
});
type FieldError = z.infer<typeof fieldErrorSchema>;

const typeCodes = new Map(Object.entries(fieldTypes).map(([code, text]): [string, string] => [text, code]));

/** Returns the error with the phrase of its message, if the message is one of the catalogue's. */
export function fieldErrorOf({ path, message }: { path: string; message: string }): FieldError {
  const known = findText(fieldErrors, message);
  if (known === null) return { path, message };
  const params = Object.entries(known.values).map(([name, value]): [string, string | Phrase] => {
    const type = typeCodes.get(value);
    return [name, type === undefined ? value : { code: type, params: {} }];
  });
  return { path, message, phrase: { code: known.code, params: Object.fromEntries(params) } };
}

/** Status of each error that clients can receive, by stable code. */
const statuses = {
  unauthorized: 401,
  forbidden: 403,
  cross_site_request: 403,
  tenant_suspended: 403,
  malformed_request: 400,
  headers_too_large: 431,
  request_timeout: 408,
  not_found: 404,
  method_not_allowed: 405,
  malformed_multipart: 400,
  malformed_json: 400,
  invalid_request: 422,
  unsupported_media_type: 415,
  empty_upload: 422,
  invalid_file_name: 422,
  file_too_large: 413,
  too_many_files: 413,
  body_too_large: 413,
  not_text: 422,
  not_utf8: 422,
  file_exists: 409,
  file_in_use: 409,
  no_inputs: 422,
  run_active: 409,
  changes_would_be_lost: 409,
  idempotency_under_way: 409,
  idempotency_outcome_unknown: 409,
  idempotency_key_reused: 422,
  run_finished: 409,
  decision_answered: 409,
  decision_stale: 409,
  invalid_plan: 422,
  task_over: 409,
  not_assignee: 403,
  person_required: 403,
  invalid_answer: 422,
  checkpoint_unusable: 409,
  not_a_fork: 409,
  diff_too_large: 422,
  no_manuscript: 404,
  storage_quota_exceeded: 413,
  token_quota_exceeded: 429,
  cost_quota_exceeded: 429,
  model_endpoint_refused: 422,
  model_price_unknown: 422,
  transcripts_off: 422,
  fetching_off: 422,
  transcript_unavailable: 422,
  no_corpus: 422,
  corpus_empty: 404,
  source_unreadable: 422,
  too_many_collections: 409,
  no_embeddings: 422,
  last_admin_key: 409,
  too_many_keys: 409,
  webhook_url_refused: 422,
  too_many_webhooks: 409,
  too_many_schedules: 409,
  too_many_links: 409,
  schedule_paused: 409,
  bucket_refused: 422,
  too_many_word_templates: 409,
  mcp_server_refused: 422,
  mcp_server_exists: 409,
  too_many_mcp_servers: 409,
  secret_exists: 409,
  too_many_secrets: 409,
  saved_plan_exists: 409,
  too_many_saved_plans: 409,
  precondition_required: 428,
  changed_meanwhile: 412,
  chapter_empty: 409,
  no_model: 422,
  needs_model: 409,
  no_proposal: 409,
  proposal_refused: 409,
  too_many_chapters: 409,
  too_many_requests: 429,
  internal_error: 500,
  model_failed: 502,
  unavailable: 503,
} as const satisfies Record<keyof typeof texts.service.titles, number>;

export type ProblemCode = keyof typeof statuses;

/**
 * All errors that clients can receive, by code (RFC 9457: `type` is `https://scriptorium.dev/problems/{code}`). `title`
 * is the same for every occurrence; `detail` is set where the error is thrown and says what to do.
 */
export const problemCatalogue = Object.fromEntries(
  Object.entries(statuses).map(([code, status]) => [
    code,
    { status, title: texts.service.titles[code as ProblemCode] },
  ]),
) as Record<ProblemCode, { status: number; title: string }>;

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
