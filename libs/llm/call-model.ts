import { phrase } from '#contracts/phrases/phrase.js';
import { pause, waitFor } from '#contracts/wait.js';
import type { BaseChatModel } from '@langchain/core/language_models/chat_models';
import type { AIMessage, BaseMessage } from '@langchain/core/messages';
import type { StructuredToolInterface } from '@langchain/core/tools';
import { z } from 'zod';
import { callableTools, type CallableTools } from './callable-tools.js';
import { AnswerBuilder, newCallId } from './answer.js';
import { ModelError, promptTooLong, refused, toModelError, answerTooLong } from './model-error.js';
import { type Connection, connectionOf } from './chat-model.js';
import { estimateInputTokens } from './estimate.js';
import { countHere, type CountTokens } from './count-tokens.js';
import { mayBeCut, promptCut, silentWindow } from './profile/silent-window.js';
import { ThinkingFilter, withoutThinking } from './thinking.js';
import { type ModelUsage, plainText, type ReportedUsage, StreamCutError, usageOf } from './usage.js';
import { ANSWER_TOKENS, LEAST_ANSWER_TOKENS, ON_USAGE } from './wire/completions.js';
import { WrittenCallFilter, writtenCalls } from './wire/written-calls.js';
import { portableSchema } from './wire/portable-schema.js';

export interface CallOptions {
  tools?: StructuredToolInterface[];
  /** Schema of an answer in JSON; servers that can use it to constrain the answer. */
  schema?: AnswerSchema | undefined;
  signal?: AbortSignal;
  /** Receives the text of the answer as it arrives. After a retry the text starts from the beginning. */
  onToken?: (text: string) => void;
  /** Awaited before a failed call is retried; an error that it throws ends the call. */
  onRetry?: (retry: { attempt: number; delayMs: number; error: ModelError }) => unknown;
  /** Awaited after a failed attempt if the provider reported tokens or the answer did not end. */
  onFailedUsage?: (usage: ModelUsage) => Promise<void>;
  /** Counts tokens that the provider does not report; by default in the calling thread. */
  countTokens?: CountTokens;
  /** Maximum number of retries (5). */
  maxRetries?: number;
  /** Delay before the first retry in ms; it doubles each time (500). */
  retryDelayMs?: number;
  /** Maximum duration of one answer in ms (30 minutes). */
  longestAnswerMs?: number;
  /** Maximum tokens of the answer; by default, the rest of the model's window. */
  maxOutputTokens?: number | undefined;
}

interface ModelAnswer {
  message: AIMessage;
  /** Usage of the successful attempt. */
  usage: ModelUsage;
}

const MAX_RETRIES = 5;
const RETRY_DELAY_MS = 500;
const LONGEST_BACKOFF_MS = 20_000;
/** If a server asks for a longer delay, the call fails. */
const LONGEST_WAIT_MS = 120_000;
const LONGEST_ANSWER_MS = 30 * 60_000;

/**
 * Calls a chat model; all model calls go through this function. Streams and assembles the answer, parallel
 * tool calls included, and reports the tokens used. Retries temporary errors (429 and 5xx with Retry-After,
 * broken connections, streams cut in the middle, timeouts) but no other 4xx, and nothing while the endpoint is
 * down (`CircuitBreaker`). Aborts an answer that does not end. Reasoning before the answer is removed; its tokens count.
 *
 * @throws ModelError if the call failed permanently; the signal's reason immediately on abort, also during a
 * delay
 */
export async function callModel(
  model: BaseChatModel,
  messages: BaseMessage[],
  options: CallOptions = {},
): Promise<ModelAnswer> {
  const connection = connectionOf(model);
  const breaker = new CircuitBreaker(connection?.endpoint);
  const estimate = await promptTokens(connection, messages, options);
  const limit = answerTokens(connection, estimate, options);
  const maxRetries = breaker.isDown ? 0 : (options.maxRetries ?? MAX_RETRIES);
  for (let attempt = 1; ; attempt++) {
    try {
      const answer = await streamAnswer(model, messages, options, limit);
      const message = finished(answer, callableTools(options.tools));
      connection?.profile.note(factsOf(answer, message, options));
      const usage = await usageOfAnswer(model, messages, answer, reportedBy(answer), options);
      if (estimate !== undefined && !usage.estimated) noteRatio(connection, usage.input_tokens / estimate);
      breaker.answered();
      return { message, usage };
    } catch (error) {
      options.signal?.throwIfAborted();
      const failure = toModelError(error, charactersOf(messages));
      noteWindow(connection, failure.window, estimate);
      const delayMs = failure.retryAfterMs ?? backoff(attempt, options.retryDelayMs ?? RETRY_DELAY_MS);
      if (!failure.retryable || attempt > maxRetries || delayMs > LONGEST_WAIT_MS) {
        breaker.failed(failure);
        throw failure;
      }
      await options.onRetry?.({ attempt, delayMs, error: failure });
      await pause(delayMs, options.signal);
    }
  }
}

/**
 * Returns a delay that doubles with each attempt and varies randomly by 25 %, so that many callers do not
 * retry together.
 */
function backoff(attempt: number, first: number): number {
  return Math.min(LONGEST_BACKOFF_MS, first * 2 ** (attempt - 1)) * (0.75 + Math.random() / 2);
}

const charactersOf = (messages: BaseMessage[]): number =>
  messages.reduce((sum, message) => sum + plainText(message).length, 0);

/** Returns the tokens of the prompt as counted here; undefined if the model's window is unknown. */
async function promptTokens(
  connection: Connection | undefined,
  messages: BaseMessage[],
  { tools = [], countTokens }: CallOptions,
): Promise<number | undefined> {
  if ((connection?.profile.facts.context_tokens ?? null) === null) return undefined;
  return estimateInputTokens(messages, tools, countTokens, 1);
}

/**
 * Returns the maximum tokens of an answer: what the window leaves after the prompt, not more than the server and
 * the caller allow. Without a known window the server decides, unless the caller has a limit.
 *
 * @param estimate tokens of the prompt as counted here
 * @throws ModelError `model_prompt_too_long` if the prompt exceeds the window, by the server's count if it is known
 */
function answerTokens(
  connection: Connection | undefined,
  estimate: number | undefined,
  { maxOutputTokens }: CallOptions,
): number | undefined {
  const { context_tokens: window = null, output_tokens: most } = connection?.profile.facts ?? {};
  if (window === null || estimate === undefined) return maxOutputTokens;
  const { tokenRatio } = connection!.profile;
  const left = window - Math.ceil(estimate * (tokenRatio === null ? USUAL_TOKEN_RATIO : tokenRatio * MARGIN));
  // The server may accept a prompt that is too long only by the usual ratio.
  const isTooLong = tokenRatio === null ? estimate > window : left < LEAST_ANSWER_TOKENS;
  if (isTooLong) throw promptTooLong(window);
  return Math.min(Math.max(left, LEAST_ANSWER_TOKENS), most ?? Infinity, maxOutputTokens ?? Infinity);
}

/** Between two prompts of one server, the ratio differs by some percent. */
const MARGIN = 1.05;

/** Servers may not count all tokens, such as cached ones. Tokenizers differ less than the reservation of a budget assumes. */
const [LEAST_RATIO, USUAL_TOKEN_RATIO, MOST_RATIO] = [0.8, 1.1, 2];

const noteRatio = (connection: Connection | undefined, ratio: number): void => {
  if (connection) connection.profile.tokenRatio = Math.min(Math.max(ratio, LEAST_RATIO), MOST_RATIO);
};

/** Remembers the window that a refusal names, so that no further prompt is sent that exceeds it. */
function noteWindow(
  connection: Connection | undefined,
  window: number | undefined,
  estimate: number | undefined,
): void {
  if (connection === undefined || window === undefined) return;
  const { profile } = connection;
  profile.note({ context_tokens: Math.min(window, profile.facts.context_tokens ?? window) });
  // The server counted more than was expected.
  if (estimate !== undefined && window > estimate * (profile.tokenRatio ?? 1))
    noteRatio(connection, window / estimate);
}

/**
 * Checks that the server did not cut the prompt, as Ollama does without saying so.
 *
 * @throws ModelError `model_prompt_too_long` if it did
 */
async function checkWindow(
  model: BaseChatModel,
  messages: BaseMessage[],
  { usage, modelName }: AnswerBuilder,
  { tools = [], countTokens }: CallOptions,
): Promise<void> {
  const connection = connectionOf(model);
  if (connection === undefined || usage === undefined) return;
  if (!mayBeCut(charactersOf(messages), usage.input_tokens)) return;
  const window = await silentWindow(connection.server, modelName ?? nameOf(model));
  if (window === null || usage.input_tokens > window) return;
  if ((await estimateInputTokens(messages, tools, countTokens, 1)) > window) throw promptCut(window);
}

/**
 * Removes reasoning from an answer. If the server sent no calls, reads those that the model wrote as text; among its
 * reasoning only if it said nothing else.
 */
function finished(answer: AnswerBuilder, tools: CallableTools): AIMessage {
  const message = answer.build();
  const said = withoutThinking(message.text);
  const calls = (message.tool_calls?.length ?? 0) + (message.invalid_tool_calls?.length ?? 0);
  const texts = said.trim() === '' ? [message.text, answer.reasoning] : [said];
  const written =
    calls > 0
      ? null
      : (texts.map((text) => writtenCalls(text, tools)).find((found) => found !== null) ?? null);
  message.content = written && said.trim() !== '' ? written.text : said;
  for (const call of written?.calls ?? [])
    message.tool_calls!.push({ type: 'tool_call', id: newCallId(), ...call });
  return message;
}

/** Returns what an answer shows about the model. */
function factsOf(answer: AnswerBuilder, message: AIMessage, { schema }: CallOptions) {
  const calls = message.tool_calls?.length ?? 0;
  const reasoned = answer.usage?.output_token_details?.reasoning ?? 0;
  const hasThoughts = reasoned > 0 || answer.reasoning !== '' || answer.hasThoughtsInText;
  return {
    tools: calls > 0 || undefined,
    parallel_calls: calls > 1 || undefined,
    // `AcceptedRequest` records a refusal of the schema.
    json_schema: schema !== undefined || undefined,
    stream_usage: answer.usage !== undefined,
    reasoning: hasThoughts || undefined,
  };
}

async function streamAnswer(
  model: BaseChatModel,
  messages: BaseMessage[],
  options: CallOptions,
  limit: number | undefined,
): Promise<AnswerBuilder> {
  const { tools, schema, signal, onToken, onFailedUsage, longestAnswerMs = LONGEST_ANSWER_MS } = options;
  signal?.throwIfAborted();
  // A separate controller, so that a call that times out also closes its connection.
  const connection = new AbortController();
  const either = signal === undefined ? connection.signal : AbortSignal.any([signal, connection.signal]);
  const silence = timeoutOf(model) ?? Infinity;
  const deadline = performance.now() + longestAnswerMs;
  const inTime = <T>(begin: () => Promise<T>): Promise<T> => {
    const left = deadline - performance.now();
    if (left <= 0) throw answerTooLong();
    const onTimeout = () =>
      left < silence
        ? answerTooLong()
        : new ModelError('model_timeout', phrase('model_failure.model_timeout'), true);
    return waitFor(begin(), signal, Math.min(silence, left), onTimeout);
  };
  const answer = new AnswerBuilder(callableTools(tools));
  const thinking = new ThinkingFilter();
  const calls = new WrittenCallFilter();
  const show = (text: string) => (text === '' ? undefined : onToken?.(text));
  try {
    const callOptions = {
      signal: either,
      ...formatOf(schema),
      [ON_USAGE]: (usage: unknown) => (answer.sentUsage = usage),
      ...(limit !== undefined && { [ANSWER_TOKENS]: limit }),
    };
    const stream = await inTime(() => withTools(model, tools).stream(messages, callOptions));
    const chunks = stream[Symbol.asyncIterator]();
    const nextChunk = () => inTime(() => chunks.next());
    for (let next = await nextChunk(); !next.done; next = await nextChunk()) {
      const text = answer.add(next.value);
      const shown = thinking.add(text);
      show(tools?.length ? calls.add(shown) : shown);
    }
    show(calls.end());
    if (answer.finishReason === undefined && speaksOpenAI(model))
      throw new ModelError('model_unavailable', phrase('model_failure.model_unavailable.cut'), true);
    if (answer.refusal.trim() !== '' || REFUSED.has(answer.finishReason ?? '')) throw refused(answer.refusal);
    await checkWindow(model, messages, answer, options);
    return answer;
  } catch (error) {
    connection.abort();
    const reported = error instanceof StreamCutError ? error.reported : reportedBy(answer);
    if (onFailedUsage && (reported || isTooLong(error)))
      await onFailedUsage(await usageOfAnswer(model, messages, answer, reported, options));
    throw error;
  }
}

/** Finish reasons of providers that stop an answer for its content. */
const REFUSED = new Set(['content_filter', 'refusal', 'safety', 'prohibited_content']);

const isTooLong = (error: unknown): boolean =>
  error instanceof ModelError && error.code === 'model_answer_too_long';

const reportedBy = ({ usage, sentUsage }: AnswerBuilder): ReportedUsage | undefined =>
  usage && { ...usage, sent: sentUsage };

async function usageOfAnswer(
  model: BaseChatModel,
  messages: BaseMessage[],
  answer: AnswerBuilder,
  reported: ReportedUsage | undefined,
  { countTokens = countHere }: CallOptions,
): Promise<ModelUsage> {
  const name = answer.modelName ?? nameOf(model);
  // The offline writer uses no tokens.
  if (!speaksOpenAI(model)) return { input_tokens: 0, output_tokens: 0, model: name, estimated: false };
  return usageOf(messages, answer.build(), reported, name, countTokens);
}

function withTools(
  model: BaseChatModel,
  tools: StructuredToolInterface[] | undefined,
): Pick<BaseChatModel, 'stream'> {
  if (tools === undefined || tools.length === 0) return model;
  if (model.bindTools === undefined)
    throw new ModelError('model_rejected', phrase('model_failure.model_rejected.no_tools'), false);
  return model.bindTools(tools);
}

/** Returns the configured timeout between chunks; OpenAI's client applies it only until the answer begins. */
function timeoutOf(model: BaseChatModel): number | undefined {
  const { timeout } = model as { timeout?: unknown };
  return typeof timeout === 'number' ? timeout : undefined;
}

function nameOf(model: BaseChatModel): string {
  const { model: name } = model as { model?: unknown };
  return typeof name === 'string' ? name : model._llmType();
}

const speaksOpenAI = (model: BaseChatModel): boolean => model._llmType() === 'openai';

/** Schema of an answer, with a name for the server. */
interface AnswerSchema {
  name: string;
  schema: z.ZodType;
}

/** Returns the call option that asks for JSON of a schema; none without a schema. */
function formatOf(wanted: AnswerSchema | undefined): { response_format?: object } {
  if (!wanted) return {};
  const json = z.toJSONSchema(wanted.schema, { io: 'input', unrepresentable: 'any' });
  const schema = portableSchema(json as Record<string, unknown>);
  return { response_format: { type: 'json_schema', json_schema: { name: wanted.name, schema } } };
}

/** Calls in a row that fail in spite of their retries before an endpoint counts as down. */
const CALLS_UNTIL_DOWN = 3;

/** Failures that the endpoint, not the request, is the reason of. */
const OF_ENDPOINT = new Set<string>(['model_unavailable', 'model_timeout']);

const failedCalls = new Map<string, number>();

/**
 * Circuit breaker of an endpoint, shared by all calls of the process. While the endpoint is down, a call makes
 * one attempt without retries, so that runs soon ask a person and the endpoint is not flooded. The first
 * answer ends the outage.
 */
class CircuitBreaker {
  /** @param endpoint its key; undefined for a model without a server, which is never down */
  constructor(private readonly endpoint: string | undefined) {}

  get isDown(): boolean {
    return this.endpoint !== undefined && (failedCalls.get(this.endpoint) ?? 0) >= CALLS_UNTIL_DOWN;
  }

  /** Notes that the endpoint answered, if only with an error of the request. */
  answered(): void {
    if (this.endpoint !== undefined) failedCalls.delete(this.endpoint);
  }

  /** Notes a call that failed, retries included. */
  failed({ code }: ModelError): void {
    if (this.endpoint === undefined) return;
    if (!OF_ENDPOINT.has(code)) return this.answered();
    failedCalls.set(this.endpoint, (failedCalls.get(this.endpoint) ?? 0) + 1);
  }
}
