import { isObject } from '#contracts/lenient.js';
import type { OpenAIClient } from '@langchain/openai';

type Chunk = OpenAIClient.Chat.Completions.ChatCompletionChunk;
type Choice = Chunk['choices'][number];

/** A server reported an error within a stream that began with status 200. */
export class StreamedError extends Error {
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
 * parts, arguments as an object, and leave out the role.
 *
 * @throws StreamedError if the chunk reports an error
 */
export function usualChunk(chunk: Chunk): Chunk {
  const { error, object } = chunk as { error?: unknown; object: string };
  const choices = (chunk.choices ?? []) as Choice[];
  const hasFailed = choices.some(({ finish_reason: reason }) => (reason as string | null) === 'error');
  if (isObject(error) || hasFailed) throw streamedError(isObject(error) ? error : {});
  if (object === 'error') throw streamedError(chunk as never);
  return { ...chunk, choices: choices.map(usualChoice) };
}

/**
 * Returns the error that a server reported in a stream. OpenAI's client recognizes some of them, but loses
 * their status.
 */
export function asStreamedError(thrown: unknown): unknown {
  const { status, error } = thrown as { status?: unknown; error?: unknown };
  return thrown instanceof Error && status === undefined && isObject(error) ? streamedError(error) : thrown;
}

function streamedError({ code, status, message }: Record<string, unknown>): StreamedError {
  const number = [code, status].map(Number).find((value) => value >= 400 && value < 600);
  return new StreamedError(typeof message === 'string' ? message : '', number ?? 502, code);
}

function usualChoice(choice: Choice): Choice {
  const { message } = choice as { message?: Choice['delta'] };
  const { content, tool_calls: calls, ...rest } = choice.delta ?? message ?? {};
  return {
    ...choice,
    delta: {
      ...rest,
      role: 'assistant',
      content: textOf(content),
      ...(Array.isArray(calls) && { tool_calls: calls.map(usualCall) }),
    },
  };
}

/** Joins the text parts of a content; skips parts with reasoning. */
function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content
    .map((part: unknown) => {
      if (typeof part === 'string') return part;
      return isObject(part) && part['type'] === 'text' && typeof part['text'] === 'string'
        ? part['text']
        : '';
    })
    .join('');
}

type Call = NonNullable<Choice['delta']['tool_calls']>[number];

function usualCall(call: Call): Call {
  const { arguments: given } = (call.function ?? {}) as { arguments?: unknown };
  if (given === undefined || given === null || typeof given === 'string') return call;
  return { ...call, function: { ...call.function, arguments: JSON.stringify(given) } };
}
