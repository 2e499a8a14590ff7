import type { BaseMessage } from '@langchain/core/messages';
import type { StructuredToolInterface } from '@langchain/core/tools';
import { z } from 'zod';
import { countHere, type CountTokens } from './count-tokens.js';
import { plainText } from './usage.js';

/** Tokens for the role and separators of a message or tool. */
const FRAME_TOKENS = 16;
/** Tokenizers differ: others may count this factor more tokens than OpenAI's. */
const MARGIN = 1.25;

/**
 * Returns an upper estimate of a prompt's tokens, to reserve budget for a model call (X7).
 *
 * @param margin factor by which the model may count more
 */
export async function estimateInputTokens(
  messages: BaseMessage[],
  tools: StructuredToolInterface[],
  count: CountTokens = countHere,
  margin = MARGIN,
): Promise<number> {
  const texts = [...messages.map(plainText), ...tools.map(describe)];
  const tokens = FRAME_TOKENS * texts.length + (await count(texts));
  return Math.ceil(tokens * margin);
}

function describe({ name, description, schema }: StructuredToolInterface): string {
  const parameters = schema instanceof z.ZodType ? z.toJSONSchema(schema) : schema;
  return `${name}\n${description}\n${JSON.stringify(parameters)}`;
}
