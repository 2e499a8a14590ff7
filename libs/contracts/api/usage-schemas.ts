import { z } from 'zod';

const count = z.number().int();
const cost = count.meta({ description: 'millionths of the currency' });

/** One model call, with its usage. */
export const modelCallSchema = z
  .object({
    id: z.string(),
    at: z.iso.datetime(),
    model: z.string(),
    input_tokens: count,
    output_tokens: count,
    cost,
    estimated: z
      .boolean()
      .meta({ description: 'true if the provider reported no usage and the service counted it' }),
  })
  .meta({ id: 'ModelCall' });

export const ownUsageQuery = z.object({ days: z.coerce.number().int().min(1).max(366).default(30) }).strict();

/** Usage of a tenant by day, with its limits. */
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
      .meta({ description: 'oldest first, without gaps' }),
    storage_bytes: count,
    max_storage_bytes: count,
    monthly_tokens: count.meta({ description: 'in this calendar month' }),
    max_monthly_tokens: count.nullable(),
    monthly_cost: cost,
    max_monthly_cost: cost.nullable(),
  })
  .meta({ id: 'Usage' });

/** Number of a queue's jobs in each state. */
export const queueDepthSchema = z
  .object({ queue: z.string(), waiting: count, active: count, delayed: count, failed: count })
  .meta({ id: 'QueueDepth' });
