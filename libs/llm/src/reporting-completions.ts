import { ChatOpenAICompletions, type OpenAIClient } from '@langchain/openai';
import { StreamCutError } from './usage.js';

type Chunk = OpenAIClient.Chat.Completions.ChatCompletionChunk;
type Complete = ChatOpenAICompletions['completionWithRetry'];

/** Passes the chunks of an answer on; when the stream breaks off, the usage reported until then is not lost. */
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

/** LangChain's client hands usage on only when a stream ends well; the provider charges it also when it does not (X7). */
export class ReportingCompletions extends ChatOpenAICompletions {
  override completionWithRetry: Complete = (async (...request: Parameters<Complete>) => {
    const answer: unknown = await super.completionWithRetry(...request);
    const isStream = typeof answer === 'object' && answer !== null && Symbol.asyncIterator in answer;
    return isStream ? withUsage(answer as AsyncIterable<Chunk>) : answer;
  }) as Complete;
}
