import { phraseOf, textOf, type Detail } from '#contracts/phrases/detail.js';
import { phrase, type Phrase } from '#contracts/phrases/phrase.js';
import { retryAfter } from './retry-after.js';

/** Stable code that says why a model call failed. */
export type ModelErrorCode =
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
  ) {
    super(textOf(detail));
    this.phrase = phraseOf(detail);
  }
}

/** How servers say that a prompt is too long for the model or for one request. */
const PROMPT_TOO_LONG = [
  // OpenAI, Azure, vLLM, DeepSeek, OpenRouter, Fireworks
  /maximum context length|context window/i,
  // OpenAI and Groq, if one request is more than the tokens of a minute: waiting does not help
  /request too large for/i,
  // Anthropic, also behind other names
  /(?:prompt|input) is too long|exceed context limit/i,
  // Gemini
  /exceeds the maximum number of tokens/i,
  // llama.cpp
  /available context size|context size has been exceeded/i,
  // vLLM, Mistral, Ollama
  /longer than the maximum model length|too large for model/i,
  /exceeds? (?:the )?(?:model's )?(?:maximum )?(?:context|input) length/i,
  // LM Studio
  /context length of only|context the overflows|reached context length/i,
  // xAI, Moonshot, Zhipu, Qwen
  /maximum prompt length|exceeded model token limit|prompt exceeds max length|range of input length/i,
  // Text Generation Inference, Together
  /`inputs` must have less than|`inputs` tokens \+ `max_new_tokens`/i,
];

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
 */
export function toModelError(error: unknown): ModelError {
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
  if (
    name === 'ContextOverflowError' ||
    status === 413 ||
    code === 'context_length_exceeded' ||
    PROMPT_TOO_LONG.some((words) => words.test(text))
  ) {
    return new ModelError('model_prompt_too_long', phrase('model_failure.model_prompt_too_long'), false);
  }
  // Azure refuses a prompt with status 400.
  if (code === 'content_filter') return refused('');
  return typeof status === 'number' ? fromStatus(status, text, code, headers) : interrupted(error);
}

/**
 * Returns the error of a model that refuses to answer, or of a provider whose filter stopped the answer.
 *
 * @param words what the model said; empty if it said nothing
 */
export function refused(words: string): ModelError {
  const said = withoutSecrets(words.trim());
  const detail =
    said === ''
      ? phrase('model_failure.model_refused')
      : phrase('model_failure.model_refused.words', { words: said });
  return new ModelError('model_refused', detail, false);
}

/** How providers say with any status that the account must be paid first. */
const NO_CREDIT =
  /insufficient.quota|exceeded your current quota|billing|credit balance is too low|insufficient balance/i;
/** Request timeout, conflict with another request, and too early. */
const TEMPORARY = new Set([408, 409, 425]);

function fromStatus(status: number, text: string, code: unknown, headers: unknown): ModelError {
  const wait = retryAfter(headers, text);
  if (status === 402 || (status < 500 && (code === 'insufficient_quota' || NO_CREDIT.test(text))))
    return new ModelError('model_quota_exceeded', phrase('model_failure.model_quota_exceeded'), false);
  if (status === 429)
    return new ModelError('model_rate_limited', phrase('model_failure.model_rate_limited'), true, wait);
  if (status >= 500 || TEMPORARY.has(status))
    return new ModelError(
      'model_unavailable',
      phrase('model_failure.model_unavailable', { status }),
      true,
      wait,
    );
  if (status === 401 || status === 403) {
    return new ModelError('model_unauthorized', phrase('model_failure.model_unauthorized'), false);
  }
  if (status === 404) {
    return new ModelError('model_not_found', phrase('model_failure.model_not_found'), false);
  }
  if (status >= 300 && status < 400) {
    return new ModelError(
      'model_rejected',
      phrase('model_failure.model_rejected.redirect', { status }),
      false,
    );
  }
  return new ModelError(
    'model_rejected',
    phrase('model_failure.model_rejected', { status, words: withoutSecrets(text) }),
    false,
  );
}

/** Throws errors of our code, which the error class identifies; all others come from the connection. */
function interrupted(error: unknown): ModelError {
  const isOurs = error instanceof RangeError || error instanceof ReferenceError;
  if (isOurs) throw error;
  return new ModelError('model_unavailable', phrase('model_failure.model_unavailable.connection'), true);
}

function withoutSecrets(text: string): string {
  return text
    .replace(/\b(?:sk|pk|key|token)[-_][\w-]{6,}/gi, '[secret]')
    .replace(/\bBearer\s+\S+/gi, '[secret]')
    .replace(/[a-z][a-z0-9+.-]{0,20}:\/\/\S+/gi, '[address]')
    .slice(0, 300);
}
