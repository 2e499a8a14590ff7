import { withoutEnding } from '#contracts/text.js';
import { type Detail, phraseOf, textOf } from '#contracts/phrases/detail.js';
import { phrase, type Phrase } from '#contracts/phrases/phrase.js';
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

/**
 * Returns how long to wait before a call is repeated, in ms: as `Retry-After` says (seconds or a date), OpenAI's
 * `retry-after-ms`, the reset time of an exhausted limit, or the words of the error. Undefined if nothing says it.
 */
function retryAfter(headers: unknown, words: string): number | undefined {
  const given = headers instanceof Headers ? headers : new Headers();
  return fromHeader(given) ?? fromLimits(given) ?? fromWords(words);
}

function fromHeader(headers: Headers): number | undefined {
  const exact = Number(headers.get('retry-after-ms') ?? NaN);
  if (exact >= 0) return exact;
  const value = headers.get('retry-after');
  if (value === null) return undefined;
  const seconds = Number(value);
  return untilNow(Number.isNaN(seconds) ? Date.parse(value) : Date.now() + seconds * 1_000);
}

/** Names of limits: `x-ratelimit-reset-tokens`, `x-ratelimit-reset`, `anthropic-ratelimit-tokens-reset`. */
const RESET = /^(?:[a-z]{1,20}-)?ratelimit-(?:[a-z]{1,20}-)?reset(?:-[a-z]{1,20})?$/;

/** Returns when the last of the exhausted limits is reset. */
function fromLimits(headers: Headers): number | undefined {
  const waits = [...headers]
    .filter(([name]) => RESET.test(name) && headers.get(name.replace('reset', 'remaining')) === '0')
    .map(([, value]) => durationOf(value) ?? untilNow(timeOf(value)))
    .filter((wait) => wait !== undefined);
  return waits.length === 0 ? undefined : Math.max(...waits);
}

/** A larger number is a time in ms since 1970, a smaller one in seconds, or a number of seconds from now. */
const LEAST_MS = 1e12;
const LEAST_SECONDS = 1e9;

function timeOf(value: string): number {
  const number = Number(value);
  if (Number.isNaN(number)) return Date.parse(value);
  if (number >= LEAST_MS) return number;
  return number >= LEAST_SECONDS ? number * 1_000 : Date.now() + number * 1_000;
}

/** "Try again in 1m7.5s", "retry after 12 seconds", and Gemini's `"retryDelay":"34s"`. */
const IN_WORDS =
  /(?:(?:try again|retry) (?:in|after) |"retryDelay":\s?")([0-9hms.]{1,20})(?: ?(milliseconds?|seconds?|minutes?|hours?)\b)?/i;

function fromWords(words: string): number | undefined {
  const [, amount = '', unit] = IN_WORDS.exec(words) ?? [];
  return durationOf(`${withoutEnding(amount, '.')}${unit === undefined ? '' : unitOf(unit)}`);
}

const unitOf = (name: string): string =>
  name.toLowerCase().startsWith('milli') ? 'ms' : name[0]!.toLowerCase();

const UNIT = /ms|h|m|s/;
const MS: Record<string, number> = { h: 3_600_000, m: 60_000, s: 1_000, ms: 1 };

/** Reads a duration such as `1m30s`, `7.66s` or `250ms`. */
function durationOf(text: string): number | undefined {
  if (!/^(?:\d{1,9}(?:\.\d{1,9})?(?:ms|h|m|s)){1,4}$/.test(text)) return undefined;
  const amounts = text.split(UNIT).map(Number);
  const units = text.match(new RegExp(UNIT, 'g')) ?? [];
  return units.reduce((sum, unit, at) => sum + amounts[at]! * MS[unit]!, 0);
}

function untilNow(time: number): number | undefined {
  return Number.isNaN(time) ? undefined : Math.max(0, time - Date.now());
}

/** Not retryable: another attempt would most likely be as long. */
export const answerTooLong = (): ModelError =>
  new ModelError('model_answer_too_long', phrase('model_failure.model_answer_too_long'), false);
