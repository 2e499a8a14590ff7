import { ChatOpenAICompletions, type OpenAIClient } from '@langchain/openai';
import { StreamCutError } from './usage.js';

type Chunk = OpenAIClient.Chat.Completions.ChatCompletionChunk;
type Complete = ChatOpenAICompletions['completionWithRetry'];

/**
 * Passes the chunks of an answer on. If the stream breaks off, the error carries the usage reported so far.
 */
async function* withUsage(chunks: AsyncIterable<Chunk>): AsyncGenerator<Chunk> {
  let usage: Chunk['usage'];
  try {
    for await (const chunk of chunks) {
      usage = chunk.usage ?? usage;
      yield chunk;
    }
  } catch (error) {
    if (!usage) throw error;
    throw new StreamCutError(error, {
      input_tokens: usage.prompt_tokens,
      output_tokens: usage.completion_tokens,
    });
  }
}

/**
 * Completions client that reports usage even if a stream breaks off: the provider charges for it (X7), but
 * LangChain's client reports usage only at the end of a complete stream.
 */
export class ReportingCompletions extends ChatOpenAICompletions {
  override completionWithRetry: Complete = (async (...request: Parameters<Complete>) => {
    const answer: unknown = await super.completionWithRetry(...request);
    const isStream = typeof answer === 'object' && answer !== null && Symbol.asyncIterator in answer;
    return isStream ? withUsage(answer as AsyncIterable<Chunk>) : answer;
  }) as Complete;
}
