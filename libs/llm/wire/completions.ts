import type { BaseMessage } from '@langchain/core/messages';
import { ChatOpenAICompletions, type OpenAIClient } from '@langchain/openai';
import { StreamCutError } from '../usage.js';
import { toModelError } from '../model-error.js';
import type { AcceptedRequest } from './accepted-request.js';
import { adapted, legalRoles } from './adaptations.js';
import { DELTA_FIELDS, fieldsOfCallers, opaqueOfDelta, withFields } from './opaque-fields.js';
import { portableSchema } from './portable-schema.js';
import { asStreamedError, usualChunk } from './usual-chunk.js';

type Chunk = OpenAIClient.Chat.Completions.ChatCompletionChunk;
type Request = OpenAIClient.Chat.Completions.ChatCompletionCreateParams;
type Tool = OpenAIClient.Chat.Completions.ChatCompletionFunctionTool;
type Complete = ChatOpenAICompletions['completionWithRetry'];
type Stream = ChatOpenAICompletions['_streamResponseChunks'];
type Params = ChatOpenAICompletions['invocationParams'];
type Convert = ChatOpenAICompletions['_convertCompletionsDeltaToBaseMessageChunk'];

type Fields = ReturnType<typeof fieldsOfCallers>;
const FIELDS = Symbol('opaque fields of the conversation');
/** Option of a call: maximum tokens of the answer. */
export const ANSWER_TOKENS = 'answer_tokens';
/** Option of a call: receives usage as the server sends it. */
export const ON_USAGE = 'on_usage';
/** Maximum number of things that are learned from one call. */
const MAX_LESSONS = 10;

/**
 * Completions client for any server with OpenAI's chat API. Requests use what servers have in common, and
 * drop optional parts that a server refuses; answers are brought into OpenAI's form. A server's own fields of
 * an answer come back to it. Usage is reported even if a stream breaks off, because the provider charges for
 * it (X7).
 */
export class WireCompletions extends ChatOpenAICompletions {
  constructor(
    fields: ConstructorParameters<typeof ChatOpenAICompletions>[0],
    private readonly accepted: AcceptedRequest,
  ) {
    super(fields as never);
  }

  /** Adds the maximum tokens of the answer, which differ from call to call. */
  override invocationParams = ((...[options, extra]: Parameters<Params>) => {
    const { [ANSWER_TOKENS]: limit } = (options ?? {}) as { [ANSWER_TOKENS]?: number };
    return { ...super.invocationParams(options, extra), ...(limit !== undefined && { max_tokens: limit }) };
  }) as Params;

  override _streamResponseChunks: Stream = (messages: BaseMessage[], options, runManager) =>
    super._streamResponseChunks(
      messages,
      { ...options, [FIELDS]: fieldsOfCallers(messages) } as never,
      runManager,
    );

  override completionWithRetry: Complete = (async (...[request, options]: Parameters<Complete>) => {
    const { [FIELDS]: fields = [], [ON_USAGE]: onUsage } = (options ?? {}) as {
      [FIELDS]?: Fields;
      [ON_USAGE]?: (usage: unknown) => void;
    };
    let wanted: Request = request;
    for (let lessons = 0; ; lessons++) {
      const sent = this.portable(wanted, fields);
      try {
        const answer: unknown = await super.completionWithRetry(sent as never, options);
        const isStream = typeof answer === 'object' && answer !== null && Symbol.asyncIterator in answer;
        if (isStream) return usualStream(answer as AsyncIterable<Chunk>, onUsage);
        return request.stream ? usualStream([answer as Chunk], onUsage) : answer;
      } catch (error) {
        const size = JSON.stringify(sent).length;
        const isTooLong = toModelError(error, size).code === 'model_prompt_too_long';
        const smaller: Request | null = isTooLong ? withShorterAnswer(error, wanted, request) : null;
        if (smaller) wanted = smaller;
        else if (lessons >= MAX_LESSONS || isTooLong || !this.accepted.learn(error, sent)) throw error;
      }
    }
  }) as Complete;

  private portable(request: Request, fields: Fields): Request {
    const { skippedFields, filledFields, adaptations } = this.accepted;
    const legal = withFields(legalRoles(request.messages), fields, skippedFields, filledFields);
    const messages = adapted(legal, adaptations);
    const tools = (request.tools as Tool[] | undefined)?.map((tool) => ({
      ...tool,
      function: { ...tool.function, parameters: portableSchema(tool.function.parameters) },
    }));
    return this.accepted.apply({ ...request, messages, ...(tools && { tools }) });
  }

  override _convertCompletionsDeltaToBaseMessageChunk: Convert = (delta, rawResponse, defaultRole) => {
    const chunk = super._convertCompletionsDeltaToBaseMessageChunk(delta, rawResponse, defaultRole);
    chunk.additional_kwargs[DELTA_FIELDS] = opaqueOfDelta(delta);
    const { refusal } = delta as { refusal?: unknown };
    if (typeof refusal === 'string') chunk.additional_kwargs['refusal'] = refusal;
    return chunk;
  };
}

/** An answer of fewer tokens is of no use. */
export const LEAST_ANSWER_TOKENS = 256;

/**
 * Returns the request with room for a shorter answer, once, if the server refused it because prompt and answer
 * together exceed the window: its tokenizer may count more than ours.
 */
function withShorterAnswer(error: unknown, wanted: Request, request: Request): Request | null {
  const { message } = error as { message?: unknown };
  const { max_tokens: limit } = wanted;
  if (wanted !== request || !limit || limit <= LEAST_ANSWER_TOKENS) return null;
  if (typeof message !== 'string' || !/max_(?:completion_)?tokens|completion/i.test(message)) return null;
  return { ...wanted, max_tokens: Math.max(LEAST_ANSWER_TOKENS, Math.floor(limit / 4)) };
}

/** Passes the chunks of the first choice on in OpenAI's form. If the stream breaks off, the error has the usage reported so far. */
async function* usualStream(
  chunks: AsyncIterable<Chunk> | Iterable<Chunk>,
  onUsage: (usage: unknown) => void = () => undefined,
): AsyncGenerator<Chunk> {
  let usage: Chunk['usage'];
  try {
    for await (const given of chunks) {
      usage = given.usage ?? usage;
      if (given.usage) onUsage(given.usage);
      const chunk = usualChunk(given);
      // Requests ask for one choice, whatever its index: some servers count chunks with it.
      yield { ...chunk, choices: chunk.choices.slice(0, 1).map((choice) => ({ ...choice, index: 0 })) };
    }
  } catch (thrown) {
    const error = asStreamedError(thrown);
    if (!usage) throw error;
    throw new StreamCutError(error, {
      input_tokens: usage.prompt_tokens,
      output_tokens: usage.completion_tokens,
      sent: usage,
    });
  }
}
