import type { AIMessage, BaseMessage } from '@langchain/core/messages';
import type { TokenParts } from '#contracts/budgets.js';
import { z } from 'zod';
import type { CountTokens } from './count-tokens.js';

/**
 * Tokens of one model call. `estimated` is true if they were counted here, because the provider reported none
 * or implausible ones.
 */
export interface ModelUsage {
  input_tokens: number;
  output_tokens: number;
  model: string;
  estimated: boolean;
  /** What the provider reported beyond the sums; absent if it reported none of it. */
  parts?: TokenParts;
  /** Cost that the provider reported, in millionths of its currency. */
  cost?: number;
}

/** Usage that a provider reported; its values may have any type. */
export interface ReportedUsage {
  input_tokens: unknown;
  output_tokens: unknown;
  /** The usage as the provider sent it, for details that only some send. */
  sent?: unknown;
}

/** A stream broke off after the provider had reported usage. */
export class StreamCutError extends Error {
  override readonly name = 'StreamCutError';

  constructor(
    override readonly cause: unknown,
    readonly reported: ReportedUsage,
  ) {
    super('The stream broke off.');
  }
}

/** More than the longest answer of any model, reasoning included. */
const MOST_OUTPUT_TOKENS = 1_000_000;
/** Tokens that a provider may add to a prompt: descriptions of tools, templates, instructions. */
const MOST_ADDED_TOKENS = 50_000;
/** A tokenizer produces at most one token per byte; the factor leaves room for other ways to count. */
const TOKENS_PER_BYTE = 2;

/**
 * Returns the tokens of a call: as the provider reported them if that is plausible, otherwise counted
 * with the tokenizer of OpenAI's recent models. Negative and fractional numbers, zero for text, and more than
 * a model accepts are not plausible.
 *
 * @param answer the answer, which may be incomplete
 */
export async function usageOf(
  messages: BaseMessage[],
  answer: AIMessage,
  reported: ReportedUsage | undefined,
  model: string,
  count: CountTokens,
): Promise<ModelUsage> {
  const prompt = messages.map(plainText);
  const text = plainText(answer);
  const input = possibleTokens(reported?.input_tokens, prompt);
  const output = within(reported?.output_tokens, text.trim() === '' ? 0 : 1, MOST_OUTPUT_TOKENS);
  return {
    input_tokens: input ?? (await count(prompt)),
    output_tokens: output ?? (await count([text])),
    model,
    estimated: input === null || output === null,
    ...detailsOf(reported?.sent, input ?? 0, output ?? 0),
  };
}

const tokens = z.number().int().min(0).optional().catch(undefined);

/** Details of usage under the names that OpenAI, OpenRouter, DeepSeek and Anthropic use; other values are ignored. */
const sentUsageSchema = z.object({
  prompt_tokens_details: z
    .object({ cached_tokens: tokens, cache_write_tokens: tokens })
    .optional()
    .catch(undefined),
  completion_tokens_details: z.object({ reasoning_tokens: tokens }).optional().catch(undefined),
  prompt_cache_hit_tokens: tokens,
  cache_read_input_tokens: tokens,
  cache_creation_input_tokens: tokens,
  /** In whole units of the provider's currency. */
  cost: z.number().min(0).max(1_000_000).optional().catch(undefined),
});

/** Returns the plausible details of usage: parts that are within the sums, and the cost. */
function detailsOf(sent: unknown, input: number, output: number): Pick<ModelUsage, 'parts' | 'cost'> {
  const { data } = sentUsageSchema.safeParse(sent);
  if (data === undefined) return {};
  const { prompt_tokens_details: ofPrompt, completion_tokens_details: ofAnswer, cost } = data;
  const cached = ofPrompt?.cached_tokens ?? data.prompt_cache_hit_tokens ?? data.cache_read_input_tokens ?? 0;
  const written = ofPrompt?.cache_write_tokens ?? data.cache_creation_input_tokens ?? 0;
  const reasoning = ofAnswer?.reasoning_tokens ?? 0;
  const isInput = cached + written <= input;
  const parts = {
    ...(isInput && cached > 0 ? { cachedTokens: cached } : {}),
    ...(isInput && written > 0 ? { cacheWriteTokens: written } : {}),
    ...(reasoning > 0 && reasoning <= output ? { reasoningTokens: reasoning } : {}),
  };
  return {
    ...(Object.keys(parts).length > 0 ? { parts } : {}),
    ...(cost === undefined ? {} : { cost: Math.ceil(cost * 1_000_000) }),
  };
}

/** Returns the reported tokens of a prompt, or null if they are not plausible. */
export function possibleTokens(reported: unknown, texts: string[]): number | null {
  const bytes = texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
  return within(reported, 1, TOKENS_PER_BYTE * bytes + MOST_ADDED_TOKENS);
}

function within(tokens: unknown, least: number, most: number): number | null {
  return Number.isInteger(tokens) && (tokens as number) >= least && (tokens as number) <= most
    ? (tokens as number)
    : null;
}

/** Returns all text of a message that a model receives, including its tool calls. */
export function plainText(message: BaseMessage): string {
  const { tool_calls: calls = [], invalid_tool_calls: invalid = [] } = message as Partial<AIMessage>;
  const called = calls.map((call) => `${call.name}${JSON.stringify(call.args)}`);
  const wrong = invalid.map((call) => `${call.name ?? ''}${call.args ?? ''}`);
  return [message.text, ...called, ...wrong].join('\n');
}
