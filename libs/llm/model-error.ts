import { phraseOf, textOf, type Detail } from '#contracts/phrases/detail.js';
import { phrase, type Phrase } from '#contracts/phrases/phrase.js';
import { retryAfter } from './retry-after.js';
import {
  namedWindow,
  saysModelsMistake,
  saysModelUnknown,
  saysNoCredit,
  saysPromptRefused,
  saysPromptTooLong,
  saysTooFast,
  saysWrongKey,
} from './refusal-words.js';

/** Stable code for the reason of a failed model call. */
type ModelErrorCode =
  | 'model_rate_limited'
  | 'model_quota_exceeded'
  | 'model_unavailable'
  | 'model_timeout'
  | 'model_unauthorized'
  | 'model_not_found'
  | 'model_prompt_too_long'
  | 'model_answer_too_long'
  | 'model_rejected'
  | 'model_refused'
  | 'source_too_hard';

/** A failed model call. The message contains no key, no address and no part of the prompt. */
export class ModelError extends Error {
  override readonly name = 'ModelError';
  readonly phrase: Phrase | undefined;

  constructor(
    readonly code: ModelErrorCode,
    detail: Detail,
    /** Whether the same call may succeed later. */
    readonly retryable: boolean,
    /** Delay that the server asks for, in ms. */
    readonly retryAfterMs?: number,
    /** The model's window in tokens that the server named. */
    readonly window?: number,
  ) {
    super(textOf(detail));
    this.phrase = phraseOf(detail);
  }
}

interface ProviderError {
  name?: unknown;
  message?: unknown;
  status?: unknown;
  code?: unknown;
  headers?: unknown;
}

/**
 * Converts any error of a provider's client. Unknown errors count as an interrupted connection, which is
 * retryable. Programming errors of our code are thrown as they are.
 *
 * @param size characters of the request; 0 if unknown
 */
export function toModelError(error: unknown, size = 0): ModelError {
  if (error instanceof ModelError) return error;
  // Clients wrap errors that occur while an answer is read.
  const { cause } = error as { cause?: unknown };
  if (cause instanceof ModelError) return cause;
  const { name, message, status, code, headers }: ProviderError =
    typeof error === 'object' && error !== null ? error : {};
  const text = typeof message === 'string' ? message : '';
  if (name === 'TimeoutError' || name === 'APIConnectionTimeoutError') {
    return new ModelError('model_timeout', phrase('model_failure.model_timeout'), true);
  }
  const isStreamed = status === STREAMED_STATUS;
  if (
    name === 'ContextOverflowError' ||
    code === 'context_length_exceeded' ||
    (!saysNoCredit(text) && saysPromptTooLong(isStreamed ? undefined : status, text, size))
  )
    return promptTooLong(namedWindow(text));
  // Azure refuses a prompt with status 400.
  if (code === 'content_filter') return refused('');
  return typeof status === 'number' ? fromStatus(status, text, code, headers) : interrupted(error);
}

/** Status of an error that a server reported in a stream without a status. */
export const STREAMED_STATUS = 502;

/** @param window of the model in tokens, if it is known */
export function promptTooLong(window?: number): ModelError {
  const detail =
    window === undefined
      ? phrase('model_failure.model_prompt_too_long')
      : phrase('model_failure.model_prompt_too_long.window', { window });
  return new ModelError('model_prompt_too_long', detail, false, undefined, window);
}

/**
 * Returns the error of a model that refuses to answer, or of a provider whose filter stopped the answer.
 *
 * @param words what the model said; empty if it said nothing
 */
export function refused(words: string): ModelError {
  const shown = withoutSecrets(words.trim());
  const detail =
    shown === ''
      ? phrase('model_failure.model_refused')
      : phrase('model_failure.model_refused.words', { words: shown });
  return new ModelError('model_refused', detail, false);
}

/** Request timeout, conflict with another request, too early, and a connection that a proxy closed. */
const TEMPORARY = new Set([408, 409, 425, 499]);
/** Time for a server to load its model, unless it says how long it takes. */
const LOADING_MS = 10_000;

function fromStatus(status: number, text: string, code: unknown, headers: unknown): ModelError {
  const wait = retryAfter(headers, text);
  const isRefused = status < 500;
  if (status === 402 || (isRefused && (code === 'insufficient_quota' || saysNoCredit(text))))
    return new ModelError('model_quota_exceeded', phrase('model_failure.model_quota_exceeded'), false);
  if (status === 429 || (isRefused && saysTooFast(text)))
    return new ModelError('model_rate_limited', phrase('model_failure.model_rate_limited'), true, wait);
  if (status >= 500 || TEMPORARY.has(status) || saysModelsMistake(code, text)) {
    const isLoading = status === 503 && /\bloading\b/i.test(text);
    return new ModelError(
      'model_unavailable',
      phrase(isLoading ? 'model_failure.model_unavailable.loading' : 'model_failure.model_unavailable', {
        status,
      }),
      true,
      wait ?? (isLoading ? LOADING_MS : undefined),
    );
  }
  if (saysPromptRefused(text)) return refused('');
  if (status === 401 || (status === 400 && saysWrongKey(text)))
    return new ModelError('model_unauthorized', phrase('model_failure.model_unauthorized'), false);
  if (status === 403)
    return new ModelError(
      'model_unauthorized',
      phrase('model_failure.model_unauthorized.access', { words: quoted(text) }),
      false,
    );
  return fromRequest(status, text);
}

/** Returns the error of a request that the provider cannot serve as it is. */
function fromRequest(status: number, text: string): ModelError {
  const isUnknown = status === 404 && !/\btool/i.test(text);
  if (isUnknown || saysModelUnknown(text))
    return new ModelError('model_not_found', phrase('model_failure.model_not_found'), false);
  if (status >= 300 && status < 400)
    return new ModelError(
      'model_rejected',
      phrase('model_failure.model_rejected.redirect', { status }),
      false,
    );
  return new ModelError(
    'model_rejected',
    phrase('model_failure.model_rejected', { status, words: withoutSecrets(text) }),
    false,
  );
}

/** Quotes the words of a provider, if it gave any; web pages are left out. */
function quoted(text: string): string {
  const words = text.replace(/^\d{3} /, '');
  return words === '' || words.startsWith('<') || words.includes('(no body)')
    ? ''
    : `: ${withoutSecrets(words)}`;
}

/** Codes of connections that were never made. */
const UNREACHABLE = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
]);

/** Throws errors of our code, which the error class identifies; all others come from the connection. */
function interrupted(error: unknown): ModelError {
  const isOurs = error instanceof RangeError || error instanceof ReferenceError;
  if (isOurs) throw error;
  const code = codesOf(error).find((each) => UNREACHABLE.has(each));
  const detail =
    code === undefined
      ? phrase('model_failure.model_unavailable.connection')
      : phrase('model_failure.model_unavailable.no_answer', { code });
  return new ModelError('model_unavailable', detail, true);
}

/** Returns the codes of an error and its causes. */
function codesOf(error: unknown, depth = 0): string[] {
  const { code, cause } = (error ?? {}) as { code?: unknown; cause?: unknown };
  const own = typeof code === 'string' ? [code] : [];
  return cause === undefined || depth > MAX_CAUSES ? own : [...own, ...codesOf(cause, depth + 1)];
}

const MAX_CAUSES = 5;

function withoutSecrets(text: string): string {
  return text
    .replace(/\b(?:sk|pk|key|token)[-_][\w-]{6,}/gi, '[secret]')
    .replace(/\bBearer\s+\S+/gi, '[secret]')
    .replace(/[a-z][a-z0-9+.-]{0,20}:\/\/\S+/gi, '[address]')
    .slice(0, 300);
}
