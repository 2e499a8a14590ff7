import { isObject } from '#contracts/lenient.js';
import type { OpenAIClient } from '@langchain/openai';
import { STREAMED_STATUS } from '../model-error.js';
import { saysNoCredit } from '../refusal-words.js';
import { textOfAnswer } from './content-text.js';

type Chunk = OpenAIClient.Chat.Completions.ChatCompletionChunk;
type Choice = Chunk['choices'][number];
type Call = NonNullable<Choice['delta']['tool_calls']>[number];

/** A server reported an error within a stream that began with status 200. */
class StreamedError extends Error {
  constructor(
    message: string,
    readonly status: number,
    readonly code: unknown,
  ) {
    super(message);
  }
}

/**
 * Returns a chunk in OpenAI's form. Servers send a whole `message` in place of a `delta`, text as a list of
 * parts, arguments as an object, a call as `function_call`, and leave out the role; they end answers for reasons of other
 * names.
 *
 * @throws StreamedError if the chunk reports an error
 */
export function usualChunk(chunk: Chunk): Chunk {
  const failure = failureIn(chunk as never);
  if (failure) throw streamedError(failure);
  return { ...chunk, choices: ((chunk.choices ?? []) as Choice[]).map(usualChoice) };
}

/**
 * Returns the error that a server reported in a stream. OpenAI's client recognizes some of them, but loses
 * their status.
 */
export function asStreamedError(thrown: unknown): unknown {
  const { status, error } = thrown as { status?: unknown; error?: unknown };
  return thrown instanceof Error && status === undefined && isObject(error) ? streamedError(error) : thrown;
}

/** Returns the fields of the error that a chunk reports in one of the known forms; null if it reports none. */
function failureIn(chunk: Record<string, unknown>): Record<string, unknown> | null {
  const { error, object, choices, base_resp: base, usage } = chunk;
  if (isObject(error)) return error;
  if (object === 'error') return chunk;
  if (isObject(base) && base['status_code'])
    return { code: base['status_code'], message: base['status_msg'] };
  if (Array.isArray(choices))
    return choices.some((choice) => isObject(choice) && choice['finish_reason'] === 'error') ? {} : null;
  const message = [error, chunk['message'], chunk['msg'], chunk['detail']].find(
    (words) => typeof words === 'string',
  );
  return message === undefined || usage ? null : { ...chunk, message };
}

function streamedError({
  code,
  status,
  status_code: other,
  message,
}: Record<string, unknown>): StreamedError {
  const words = typeof message === 'string' ? message : '';
  const number = [code, status, other].map(Number).find((value) => value >= 400 && value < 600);
  return new StreamedError(words, number ?? (saysNoCredit(words) ? 402 : STREAMED_STATUS), code);
}

function usualChoice(choice: Choice): Choice {
  const { message } = choice as { message?: Choice['delta'] };
  const { content, tool_calls: given, function_call: called, ...rest } = choice.delta ?? message ?? {};
  const calls = callsOf(given) ?? (called ? [{ index: 0, function: called }] : null);
  return {
    ...choice,
    finish_reason: usualReason(choice.finish_reason),
    delta: {
      ...rest,
      role: 'assistant',
      content: textOfAnswer(content),
      ...(calls && { tool_calls: calls.map(usualCall) }),
    },
  };
}

/** Reasons of complete answers, and of answers that a filter stopped. */
const REASONS: [RegExp, 'stop' | 'tool_calls' | 'content_filter'][] = [
  [/^(?:stop|stop_sequence|end_turn|eos|eos_token|complete|completed|finished|done)$/, 'stop'],
  [/^(?:tool|function)_(?:calls?|use)$/, 'tool_calls'],
  [/safety|filter|refus|prohibited|recitation|blocklist|spii|sensitive/, 'content_filter'],
];

/** Returns OpenAI's name of the reason why an answer ended. An answer with an unknown reason counts as cut. */
function usualReason(reason: unknown): Choice['finish_reason'] {
  if (typeof reason !== 'string' || reason === '' || reason === 'null') return null;
  const name = reason.toLowerCase().replaceAll('-', '_').replace('finish_reason_', '');
  return REASONS.find(([form]) => form.test(name))?.[1] ?? 'length';
}

const callsOf = (given: unknown): unknown[] | null =>
  Array.isArray(given) ? given : isObject(given) ? [given] : null;

function usualCall(given: unknown): Call {
  const { name: outer, arguments: outerArgs, ...call } = isObject(given) ? given : {};
  const { name, arguments: args } = (call['function'] ?? { name: outer, arguments: outerArgs }) as {
    name?: unknown;
    arguments?: unknown;
  };
  const called = {
    ...(typeof name === 'string' && { name }),
    ...(args !== undefined &&
      args !== null && { arguments: typeof args === 'string' ? args : JSON.stringify(args) }),
  };
  return { ...call, function: called } as Call;
}
