import type { BaseMessage } from '@langchain/core/messages';
import { ChatOpenAICompletions, type OpenAIClient } from '@langchain/openai';
import { StreamCutError } from '../usage.js';
import { acceptedBy, type AcceptedRequest } from './accepted-request.js';
import { legalRoles } from './legal-roles.js';
import { DELTA_FIELDS, fieldsOfCallers, opaqueOfDelta, withFields } from './opaque-fields.js';
import { portableSchema } from './portable-schema.js';
import { asStreamedError, usualChunk } from './usual-chunk.js';

type Chunk = OpenAIClient.Chat.Completions.ChatCompletionChunk;
type Request = OpenAIClient.Chat.Completions.ChatCompletionCreateParams;
type Tool = OpenAIClient.Chat.Completions.ChatCompletionFunctionTool;
type Complete = ChatOpenAICompletions['completionWithRetry'];
type Stream = ChatOpenAICompletions['_streamResponseChunks'];
type Convert = ChatOpenAICompletions['_convertCompletionsDeltaToBaseMessageChunk'];

type Fields = ReturnType<typeof fieldsOfCallers>;
const FIELDS = Symbol('opaque fields of the conversation');
/** Maximum number of things that are learned from one call. */
const MAX_LESSONS = 10;

/**
 * Completions client for any server with OpenAI's chat API. Requests use what servers have in common, and
 * drop optional parts that a server refuses; answers are brought into OpenAI's form. A server's own fields of
 * an answer come back to it. Usage is reported even if a stream breaks off, because the provider charges for
 * it (X7).
 */
export class WireCompletions extends ChatOpenAICompletions {
  private readonly accepted: AcceptedRequest;

  constructor(fields: ConstructorParameters<typeof ChatOpenAICompletions>[0], baseUrl: string) {
    super(fields as never);
    this.accepted = acceptedBy(baseUrl, this.model);
  }

  override _streamResponseChunks: Stream = (messages: BaseMessage[], options, runManager) =>
    super._streamResponseChunks(
      messages,
      { ...options, [FIELDS]: fieldsOfCallers(messages) } as never,
      runManager,
    );

  override completionWithRetry: Complete = (async (...[request, options]: Parameters<Complete>) => {
    const fields = (options as { [FIELDS]?: Fields } | undefined)?.[FIELDS] ?? [];
    for (let lessons = 0; ; lessons++) {
      const sent = this.portable(request, fields);
      try {
        const answer: unknown = await super.completionWithRetry(sent as never, options);
        const isStream = typeof answer === 'object' && answer !== null && Symbol.asyncIterator in answer;
        return isStream ? usualStream(answer as AsyncIterable<Chunk>) : answer;
      } catch (error) {
        if (lessons >= MAX_LESSONS || !this.accepted.learn(error, sent)) throw error;
      }
    }
  }) as Complete;

  private portable(request: Request, fields: Fields): Request {
    const { skippedFields, filledFields } = this.accepted;
    const messages = withFields(legalRoles(request.messages), fields, skippedFields, filledFields);
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

/** Passes the chunks on in OpenAI's form. If the stream breaks off, the error has the usage reported so far. */
async function* usualStream(chunks: AsyncIterable<Chunk>): AsyncGenerator<Chunk> {
  let usage: Chunk['usage'];
  try {
    for await (const chunk of chunks) {
      usage = chunk.usage ?? usage;
      yield usualChunk(chunk);
    }
  } catch (thrown) {
    const error = asStreamedError(thrown);
    if (!usage) throw error;
    throw new StreamCutError(error, {
      input_tokens: usage.prompt_tokens,
      output_tokens: usage.completion_tokens,
    });
  }
}
