import type { BaseMessage } from '@langchain/core/messages';
import type { StructuredToolInterface } from '@langchain/core/tools';
import { z } from 'zod';
import { countHere, type CountTokens } from './count-tokens.js';
import { plainText } from './usage.js';

/** Roles and separators of a message, or of a tool. */
const FRAME_TOKENS = 16;
/** Tokenizers differ: what OpenAI's counts is less than what others count by up to so much. */
const MARGIN = 1.25;

/**
 * An upper estimate of the tokens that a prompt takes, for the reservation of a model call (X7).
 */
export async function estimateInputTokens(
  messages: BaseMessage[],
  tools: StructuredToolInterface[],
  count: CountTokens = countHere,
): Promise<number> {
  const texts = [...messages.map(plainText), ...tools.map(describe)];
  const tokens = FRAME_TOKENS * texts.length + (await count(texts));
  return Math.ceil(tokens * MARGIN);
}

function describe({ name, description, schema }: StructuredToolInterface): string {
  const parameters = schema instanceof z.ZodType ? z.toJSONSchema(schema) : schema;
  return `${name}\n${description}\n${JSON.stringify(parameters)}`;
}
