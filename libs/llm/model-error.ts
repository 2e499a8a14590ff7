import { retryAfter } from './retry-after.js';

/** Stable code for the reason of a failed model call. */
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

  constructor(
    readonly code: ModelErrorCode,
    message: string,
    /** Whether the same call may succeed later. */
    readonly retryable: boolean,
    /** Delay that the server asks for, in ms. */
    readonly retryAfterMs?: number,
  ) {
    super(message);
  }
}

/** Matches messages of servers about a prompt that is too long for the model or for one request. */
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
    return new ModelError('model_timeout', 'The model did not answer in time.', true);
  }
  if (
    name === 'ContextOverflowError' ||
    status === 413 ||
    code === 'context_length_exceeded' ||
    PROMPT_TOO_LONG.some((words) => words.test(text))
  ) {
    return new ModelError('model_prompt_too_long', 'The prompt is too long for the model.', false);
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
  const said = words.trim() === '' ? '.' : `: ${withoutSecrets(words.trim())}`;
  return new ModelError(
    'model_refused',
    `The model or its provider's content filter refused to answer${said}`,
    false,
  );
}

/** Matches messages of providers, with any status, about an account without credit. */
const NO_CREDIT =
  /insufficient.quota|exceeded your current quota|billing|credit balance is too low|insufficient balance/i;
/** Request timeout, conflict with another request, and too early. */
const TEMPORARY = new Set([408, 409, 425]);

function fromStatus(status: number, text: string, code: unknown, headers: unknown): ModelError {
  const wait = retryAfter(headers, text);
  if (status === 402 || (status < 500 && (code === 'insufficient_quota' || NO_CREDIT.test(text))))
    return new ModelError('model_quota_exceeded', 'The quota of the model provider is used up.', false);
  if (status === 429)
    return new ModelError('model_rate_limited', 'The model provider limits the rate of calls.', true, wait);
  if (status >= 500 || TEMPORARY.has(status))
    return new ModelError(
      'model_unavailable',
      `The model provider answered with status ${status}.`,
      true,
      wait,
    );
  if (status === 401 || status === 403) {
    return new ModelError(
      'model_unauthorized',
      'The model provider refused the API key (OPENAI_API_KEY).',
      false,
    );
  }
  if (status === 404) {
    return new ModelError(
      'model_not_found',
      'The model provider knows no such model or address (OPENAI_MODEL, OPENAI_BASE_URL).',
      false,
    );
  }
  if (status >= 300 && status < 400) {
    return new ModelError(
      'model_rejected',
      `The model provider redirects (status ${status}). Only 307 and 308 within its origin are followed: no other server gets the prompt. Set the base URL to the address that answers.`,
      false,
    );
  }
  return new ModelError(
    'model_rejected',
    `The model provider rejected the call with status ${status}: ${withoutSecrets(text)}`,
    false,
  );
}

/** Throws errors of our code, which the error class identifies; all others come from the connection. */
function interrupted(error: unknown): ModelError {
  const isOurs = error instanceof RangeError || error instanceof ReferenceError;
  if (isOurs) throw error;
  return new ModelError(
    'model_unavailable',
    'The connection to the model provider failed or broke off.',
    true,
  );
}

function withoutSecrets(text: string): string {
  return text
    .replace(/\b(?:sk|pk|key|token)[-_][\w-]{6,}/gi, '[secret]')
    .replace(/\bBearer\s+\S+/gi, '[secret]')
    .replace(/[a-z][a-z0-9+.-]{0,20}:\/\/\S+/gi, '[address]')
    .slice(0, 300);
}
