import type { AIMessage, BaseMessage } from '@langchain/core/messages';

/** Tokens of one model call. `estimated` is true when the provider did not report them and they were counted here. */
export interface ModelUsage {
  input_tokens: number;
  output_tokens: number;
  model: string;
  estimated: boolean;
}

/** As the provider reported it; else counted with the tokenizer of OpenAI's recent models, which is loaded only then. */
export async function usageOf(
  messages: BaseMessage[],
  answer: AIMessage,
  model: string,
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
  const { countTokens } = await import('gpt-tokenizer');
  const count = (message: BaseMessage): number => countTokens(plainText(message));
  return {
    input_tokens: messages.reduce((sum, message) => sum + count(message), 0),
    output_tokens: count(answer),
    model,
    estimated: true,
  };
}

function plainText(message: BaseMessage): string {
  const calls = (message as Partial<AIMessage>).tool_calls ?? [];
  return [message.text, ...calls.map((call) => `${call.name}${JSON.stringify(call.args)}`)].join('\n');
}
