import type { CountTokens } from './count-tokens.js';
import type { AIMessage, BaseMessage, UsageMetadata } from '@langchain/core/messages';

/** Tokens of one model call. `estimated` is true when the provider did not report them and they were counted here. */
export interface ModelUsage {
  input_tokens: number;
  output_tokens: number;
  model: string;
  estimated: boolean;
}

/** A stream broke off after the provider had reported what it took. */
export class StreamCutError extends Error {
  override readonly name = 'StreamCutError';

  constructor(
    override readonly cause: unknown,
    readonly inputTokens: number,
    readonly outputTokens: number,
  ) {
    super('The stream broke off.');
  }
}

/** What the provider reported of an attempt that failed, or null. */
export function usageOfFailure(
  error: unknown,
  reported: UsageMetadata | undefined,
  model: string,
): ModelUsage | null {
  if (error instanceof StreamCutError)
    return { input_tokens: error.inputTokens, output_tokens: error.outputTokens, model, estimated: false };
  if (reported === undefined) return null;
  return {
    input_tokens: reported.input_tokens,
    output_tokens: reported.output_tokens,
    model,
    estimated: false,
  };
}

/** As the provider reported it; else counted with the tokenizer of OpenAI's recent models. */
export async function usageOf(
  messages: BaseMessage[],
  answer: AIMessage,
  model: string,
  count: CountTokens,
): Promise<ModelUsage> {
  const reported = answer.usage_metadata;
  if (reported !== undefined) {
    return {
      input_tokens: reported.input_tokens,
      output_tokens: reported.output_tokens,
      model,
      estimated: false,
    };
  }
  return {
    input_tokens: await count(messages.map(plainText)),
    output_tokens: await count([plainText(answer)]),
    model,
    estimated: true,
  };
}

/** All that a message says to a model, its tool calls included. */
export function plainText(message: BaseMessage): string {
  const calls = (message as Partial<AIMessage>).tool_calls ?? [];
  return [message.text, ...calls.map((call) => `${call.name}${JSON.stringify(call.args)}`)].join('\n');
}
