import { z } from 'zod';

const count = z.number().int();
const cost = count.meta({ description: 'millionths of the currency' });

/** A call of a model, as it is counted. */
export const modelCallSchema = z
  .object({
    id: z.string(),
    at: z.iso.datetime(),
    model: z.string(),
    input_tokens: count,
    output_tokens: count,
    cost,
    estimated: z.boolean().meta({ description: 'the provider reported no usage, it was counted here' }),
  })
  .meta({ id: 'ModelCall' });

export const ownUsageQuery = z.object({ days: z.coerce.number().int().min(1).max(366).default(30) }).strict();

/** What a tenant used, by day, beside what it may. */
export const ownUsageSchema = z
  .object({
    days: z
      .array(
        z.object({
          day: z.iso.date().meta({ description: 'in UTC' }),
          runs: count,
          model_calls: count,
          input_tokens: count,
          output_tokens: count,
          cost,
        }),
      )
      .meta({ description: 'oldest first, none left out' }),
    storage_bytes: count,
    max_storage_bytes: count,
    monthly_tokens: count.meta({ description: 'in this calendar month' }),
    max_monthly_tokens: count.nullable(),
    monthly_cost: cost,
    max_monthly_cost: cost.nullable(),
  })
  .meta({ id: 'Usage' });

/** How many jobs of a queue are in each state. */
export const queueDepthSchema = z
  .object({ queue: z.string(), waiting: count, active: count, delayed: count, failed: count })
  .meta({ id: 'QueueDepth' });
