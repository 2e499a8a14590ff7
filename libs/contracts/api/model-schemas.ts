import { z } from 'zod';
import { modelPricesSchema } from '../budgets.js';
import { modelConsequenceSchema, modelFactsSchema } from '../model-facts.js';

const modelName = z.string().min(1).max(200);
const contextTokens = z.number().int().min(1_024).max(100_000_000);

/** Header values contain visible ASCII only. */
const apiKey = z.string().regex(/^[\x21-\x7e]{1,4000}$/);

export const newModelEndpointSchema = z
  .object({
    base_url: z.string().min(1).max(2_048).meta({
      description: 'base URL of a server with OpenAI’s API: https, on a host with public addresses',
    }),
    api_key: apiKey.optional().meta({
      description:
        'stored encrypted and never returned; without it, the key stays if the URL is the same, otherwise none is sent',
    }),
    model: modelName.meta({ description: 'model that writes' }),
    fast_model: modelName
      .optional()
      .meta({ description: 'model for planning and review; default: the model that writes' }),
    embedding_model: modelName.optional().meta({
      description:
        'model of the endpoint that embeds sources and queries; default: the installation’s. After a change, reindex the collections',
    }),
    context_tokens: contextTokens
      .optional()
      .meta({ description: 'context window; default: what the server reports' }),
    prices: modelPricesSchema.default({}).meta({
      description: 'by model: per million tokens, in millionths of the currency; for budgets in money',
    }),
  })
  .strict()
  .meta({ id: 'NewModelEndpoint' });
export type NewModelEndpoint = z.infer<typeof newModelEndpointSchema>;

/** Uses of a model: writing, or planning and review. */
export const modelUses = ['main', 'fast'] as const;

export const modelSettingsSchema = z
  .object({
    source: z.enum(['installation', 'tenant', 'none']).meta({
      description: 'owner of the model that runs use; none: rules write, without a model',
    }),
    endpoint: z
      .object({
        base_url: z.string(),
        has_key: z.boolean(),
        embedding_model: modelName.nullable(),
        context_tokens: contextTokens.nullable(),
        prices: modelPricesSchema,
      })
      .nullable()
      .meta({ description: 'the tenant’s own endpoint; null: it has none' }),
    models: z
      .array(
        z.object({
          name: z.string(),
          uses: z.array(z.enum(modelUses)),
          facts: modelFactsSchema,
          consequences: z.array(z.object({ code: modelConsequenceSchema, text: z.string() })),
          checked_at: z.iso
            .datetime()
            .nullable()
            .meta({ description: 'last complete check; facts also come with the answers of runs' }),
          check_failed: z
            .string()
            .nullable()
            .meta({ description: 'why the last check failed; null if it succeeded' }),
        }),
      )
      .meta({ description: 'the models in use, the one that writes first' }),
    embedding: z
      .object({ source: z.enum(['installation', 'tenant']), name: z.string() })
      .nullable()
      .meta({ description: 'model that embeds sources and queries; null: search uses words only' }),
  })
  .meta({ id: 'ModelSettings' });
