import { z } from 'zod';

/** Maximum of a budget, and of an addition to one, so that sums stay exact in JSON numbers. */
const MAX_AMOUNT = 1_000_000_000_000_000;

/** Tokens, or millionths of the currency that the prices are in. */
export const budgetAmountSchema = z.number().int().min(1).max(MAX_AMOUNT);

/** Budget of a run (X7); an omitted field sets no limit for the run. */
export const runBudgetSchema = z
  .object({
    max_tokens: budgetAmountSchema.optional().describe('model tokens, input and output'),
    max_cost: budgetAmountSchema.optional().describe('millionths of the currency'),
  })
  .strict()
  .meta({ id: 'RunBudget' });
export type RunBudget = z.infer<typeof runBudgetSchema>;

/** Tokens of the default budget for each token of the sources: five times what a model needs that types all of them. */
const TOKENS_PER_SOURCE_TOKEN = 40;
const BYTES_PER_TOKEN = 4;
/** Tokens of the default budget for each byte of the sources. */
export const TOKENS_PER_SOURCE_BYTE = TOKENS_PER_SOURCE_TOKEN / BYTES_PER_TOKEN;

/**
 * Returns the number of model tokens after which a run without its own budget asks a person.
 *
 * @param base tokens for a run without sources; 0: no run asks
 * @param sourceBytes of the sources that the run reads
 * @returns null if no run asks
 */
export function defaultBudget(base: number, sourceBytes: number): number | null {
  if (base === 0) return null;
  return base + sourceBytes * TOKENS_PER_SOURCE_BYTE;
}

/** Budget that the next model call exceeds, with its amounts in tokens or in millionths of the currency. */
export const budgetShortfallSchema = z.object({
  scope: z.enum(['run', 'tenant']),
  unit: z.enum(['tokens', 'cost']),
  spent: z.number().int(),
  /** Reserved for other calls in flight. */
  reserved: z.number().int(),
  /** Maximum that the call may use. */
  needed: z.number().int(),
  limit: z.number().int(),
});
export type BudgetShortfall = z.infer<typeof budgetShortfallSchema>;

/** Maximum price, so that a call's cost stays exact. */
const MAX_PRICE = 1_000_000_000_000;
const priceSchema = z.number().int().min(0).max(MAX_PRICE);

/** Prices per million tokens, in millionths of the currency, by the name of the model (OPENAI_MODEL). */
export const modelPricesSchema = z.record(
  z.string().min(1),
  z
    .object({
      input: priceSchema,
      output: priceSchema,
      /** Input read from and written to the provider's cache, and reasoning; by default, as other input and output. */
      cached_input: priceSchema.optional(),
      cache_write: priceSchema.optional(),
      reasoning: priceSchema.optional(),
    })
    .strict(),
);
export type ModelPrices = z.infer<typeof modelPricesSchema>;
export type ModelPrice = ModelPrices[string];

/** Parts of a call's tokens that may have another price. */
export interface TokenParts {
  /** Input read from the provider's cache. */
  cachedTokens?: number | undefined;
  /** Input written to the provider's cache. */
  cacheWriteTokens?: number | undefined;
  /** Output that is reasoning. */
  reasoningTokens?: number | undefined;
}

/** Returns the cost of tokens in millionths of the currency, rounded up. */
export function costOf(
  price: ModelPrice,
  inputTokens: number,
  outputTokens: number,
  { cachedTokens = 0, cacheWriteTokens = 0, reasoningTokens = 0 }: TokenParts = {},
): number {
  const { input, output, cached_input = input, cache_write = input, reasoning = output } = price;
  const parts = [
    [inputTokens - cachedTokens - cacheWriteTokens, input],
    [cachedTokens, cached_input],
    [cacheWriteTokens, cache_write],
    [outputTokens - reasoningTokens, output],
    [reasoningTokens, reasoning],
  ] as const;
  const millionths = parts.reduce((sum, [tokens, each]) => sum + BigInt(tokens) * BigInt(each), 0n);
  return Number((millionths + 999_999n) / 1_000_000n);
}
