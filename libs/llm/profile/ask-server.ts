import { jsonOf } from '#contracts/lenient.js';
import type { OpenAIClient } from '@langchain/openai';
import { timeLimit } from '#contracts/wait.js';
import { boundedFetch } from '../bounded-fetch.js';
import type { CallableTools } from '../callable-tools.js';
import { toModelError } from '../model-error.js';
import type { AcceptedRequest } from '../wire/accepted-request.js';
import { apiUrl, keyHeaders } from '../wire/api-url.js';
import { withoutThinking } from '../thinking.js';
import { usualChunk } from '../wire/usual-chunk.js';
import { writtenCalls } from '../wire/written-calls.js';
import type { ModelServer } from './listed-model.js';

type Request = OpenAIClient.Chat.Completions.ChatCompletionCreateParamsStreaming;
type Chunk = OpenAIClient.Chat.Completions.ChatCompletionChunk;

/** Content of a streamed answer. */
export interface AskedAnswer {
  text: string;
  /** Names of the called functions. */
  calls: string[];
  /** Usage that the server reported; null if it reported none. */
  usage: { input: number; output: number } | null;
  hasReasoning: boolean;
  finishReason: string | null;
}

const MAX_LESSONS = 10;

/**
 * Sends a small request to a chat server without LangChain, which the gateway does not load. Parts that the server
 * refuses are dropped.
 *
 * @throws ModelError if the server refuses the request itself or does not answer in time
 */
export async function askServer(
  server: ModelServer,
  accepted: AcceptedRequest,
  request: Omit<Request, 'stream'>,
  timeoutMs: number,
): Promise<AskedAnswer> {
  for (let lessons = 0; ; lessons++) {
    const sent = accepted.apply<Request>({
      ...request,
      stream: true,
      stream_options: { include_usage: true },
    });
    try {
      return await send(server, sent, timeoutMs);
    } catch (error) {
      if (lessons >= MAX_LESSONS || !accepted.learn(error, sent)) throw toModelError(error);
    }
  }
}

async function send(
  { baseUrl, apiKey, send: via, signal }: ModelServer,
  request: Request,
  timeoutMs: number,
): Promise<AskedAnswer> {
  const response = await boundedFetch(
    apiUrl(baseUrl, 'chat/completions'),
    {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...keyHeaders(baseUrl, apiKey) },
      body: JSON.stringify(request),
      signal: timeLimit(timeoutMs, signal),
    },
    via,
  );
  const text = await response.text();
  if (!response.ok) throw refusal(response, text);
  const answer: AskedAnswer = {
    text: '',
    calls: [],
    usage: null,
    hasReasoning: false,
    finishReason: null,
  };
  const seen = new Set<string>();
  for (const chunk of chunksOf(text)) addChunk(answer, usualChunk(chunk), seen);
  if (answer.calls.length === 0) answer.calls = callsInText(answer.text, request);
  return answer;
}

/** Returns the names of the tools that a model called in its text. */
function callsInText(text: string, { tools = [] }: Request): string[] {
  const functions = tools.filter((tool) => tool.type === 'function');
  const callable: CallableTools = new Map(functions.map((tool) => [tool.function.name, () => true]));
  return writtenCalls(withoutThinking(text), callable)?.calls.map(({ name }) => name) ?? [];
}

function refusal({ status, headers }: Response, text: string): Error {
  const { error } = (jsonOf(text) ?? {}) as { error?: unknown };
  const { message, code, param } = (typeof error === 'object' && error !== null ? error : {}) as Record<
    string,
    unknown
  >;
  const words = typeof message === 'string' ? message : typeof error === 'string' ? error : text;
  return Object.assign(new Error(words.slice(0, 1_000)), { status, headers, code, param });
}

/** Returns the chunks of a body of server-sent events, or of an answer that is not streamed. */
const chunksOf = (body: string): Chunk[] =>
  (body.trimStart().startsWith('{') ? [`data:${body.replaceAll('\n', ' ')}`] : body.split('\n'))
    .filter((line) => line.startsWith('data:') && !line.includes('[DONE]'))
    .map((line) => jsonOf(line.slice('data:'.length)))
    .filter((value): value is Chunk => typeof value === 'object' && value !== null);

function addChunk(answer: AskedAnswer, { choices, usage }: Chunk, seen: Set<string>): void {
  if (usage) {
    answer.usage = { input: usage.prompt_tokens ?? 0, output: usage.completion_tokens ?? 0 };
    if ((usage.completion_tokens_details?.reasoning_tokens ?? 0) > 0) answer.hasReasoning = true;
  }
  for (const { delta, finish_reason: reason } of choices.slice(0, 1)) {
    answer.finishReason = reason ?? answer.finishReason;
    answer.text += delta.content ?? '';
    if (Object.keys(delta).some((name) => name.startsWith('reasoning'))) answer.hasReasoning = true;
    for (const { id, index, function: called } of delta.tool_calls ?? []) {
      const key = id ?? String(index);
      if (!called?.name || seen.has(key)) continue;
      seen.add(key);
      answer.calls.push(called.name);
    }
  }
}
