import { z } from 'zod';
import { queueNames } from '../queues.js';
import { activeRunStatuses } from '../runs.js';
import { pageQuery } from './paging.js';
import { modelPricesSchema } from '../budgets.js';
import { modelConsequenceSchema, modelFactsSchema } from '../model-facts.js';

const modelName = z.string().min(1).max(200);
const contextTokens = z.number().int().min(1_024).max(100_000_000);

/** Header values contain visible ASCII only. */
const apiKey = z.string().regex(/^[\x21-\x7e]{1,4000}$/);

export const newModelEndpointSchema = z
  .object({
    base_url: z
      .string()
      .min(1)
      .max(2_048)
      .describe('base URL of a server with OpenAI’s API: https, on a host with public addresses'),
    api_key: apiKey
      .optional()
      .describe(
        'stored encrypted and never returned; without it, the key stays if the URL is the same, otherwise none is sent',
      ),
    model: modelName.describe('model that writes'),
    fast_model: modelName
      .optional()
      .describe('model for planning and review; default: the model that writes'),
    embedding_model: modelName
      .optional()
      .describe(
        'model of the endpoint that embeds sources and queries; default: the installation’s. After a change, reindex the collections',
      ),
    context_tokens: contextTokens.optional().describe('context window; default: what the server reports'),
    prices: modelPricesSchema
      .default({})
      .describe('by model: per million tokens, in millionths of the currency; for budgets in money'),
  })
  .strict()
  .meta({ id: 'NewModelEndpoint' });
export type NewModelEndpoint = z.infer<typeof newModelEndpointSchema>;

/** Uses of a model: writing, or planning and review. */
export const modelUses = ['main', 'fast'] as const;

export const modelSettingsSchema = z
  .object({
    source: z
      .enum(['installation', 'tenant', 'none'])
      .describe('owner of the model that runs use; none: rules write, without a model'),
    endpoint: z
      .object({
        base_url: z.string(),
        has_key: z.boolean(),
        embedding_model: modelName.nullable(),
        context_tokens: contextTokens.nullable(),
        prices: modelPricesSchema,
      })
      .nullable()
      .describe('the tenant’s own endpoint; null: it has none'),
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
            .describe('last complete check; facts also come with the answers of runs'),
          check_failed: z.string().nullable().describe('why the last check failed; null if it succeeded'),
        }),
      )
      .describe('the models in use, the one that writes first'),
    embedding: z
      .object({ source: z.enum(['installation', 'tenant']), name: z.string() })
      .nullable()
      .describe('model that embeds sources and queries; null: search uses words only'),
  })
  .meta({ id: 'ModelSettings' });

const count = z.number().int();
const cost = count.describe('millionths of the currency');

/** One model call, with its usage. */
export const modelCallSchema = z
  .object({
    id: z.string(),
    at: z.iso.datetime(),
    model: z.string(),
    input_tokens: count,
    output_tokens: count,
    cached_tokens: count.describe('part of the input that the provider read from its cache'),
    cache_write_tokens: count.describe('part of the input that the provider wrote to its cache'),
    reasoning_tokens: count.describe('part of the output that is reasoning'),
    cost: count.describe('millionths of the currency; what the provider reported, if it did'),
    estimated: z.boolean().describe('true if the provider reported no usage and the service counted it'),
  })
  .meta({ id: 'ModelCall' });

export const ownUsageQuery = z.object({ days: z.coerce.number().int().min(1).max(366).default(30) }).strict();

/** What runs are grouped by in `costs`. */
export const costGroups = ['key', 'project', 'kind'] as const;

/** Usage of one key, project or kind of run. */
const costRowSchema = z.object({
  id: z
    .string()
    .nullable()
    .describe('ID of the key or session, or the kind; null: calls outside runs, older runs, or the rest'),
  name: z.string().nullable().describe('name of the key, title of the session or book'),
  model_calls: count,
  input_tokens: count,
  cached_tokens: count,
  output_tokens: count,
  cost,
});
export type CostRow = z.infer<typeof costRowSchema>;

/** Usage of a tenant by day, with its limits. */
export const ownUsageSchema = z
  .object({
    days: z
      .array(
        z.object({
          day: z.iso.date().describe('in UTC'),
          runs: count,
          model_calls: count,
          input_tokens: count,
          output_tokens: count,
          cost,
        }),
      )
      .describe('oldest first, without gaps'),
    costs: z
      .record(z.enum(costGroups), z.array(costRowSchema))
      .describe('usage of the period, highest cost first; at most 200 of each'),
    storage_bytes: count,
    max_storage_bytes: count,
    monthly_tokens: count.describe('in this calendar month'),
    max_monthly_tokens: count.nullable(),
    monthly_cost: cost,
    max_monthly_cost: cost.nullable(),
  })
  .meta({ id: 'Usage' });

/** Number of a queue's jobs in each state. */
export const queueDepthSchema = z
  .object({ queue: z.string(), waiting: count, active: count, delayed: count, failed: count })
  .meta({ id: 'QueueDepth' });

const timestamp = z.iso.datetime();

export const stuckRunsQuery = pageQuery.extend({
  waiting_seconds: z.coerce
    .number()
    .int()
    .min(1)
    .max(31_536_000)
    .default(600)
    .describe('how long a run may wait for a runner or a worker before it counts as stuck'),
});

export const stuckRunSchema = z
  .object({
    id: z.string(),
    tenant_id: z.string(),
    session_id: z.string(),
    kind: z.string(),
    graph_version: z.string(),
    status: z.enum(activeRunStatuses),
    reason: z
      .enum(['crashing', 'without_runner', 'not_started', 'task_overdue'])
      .describe(
        'crashing: its step was interrupted and has not been committed since; without_runner: its lease expired; ' +
          'not_started: dispatched, but not claimed by a runner; task_overdue: a worker has not finished its task',
      ),
    crashes: z.number().int(),
    tasks: z.array(
      z.object({
        id: z.string(),
        name: z.string(),
        queue: z.string(),
        attempts: z.number().int(),
        enqueues: z.number().int().describe('how often its job was queued'),
        created_at: timestamp,
        error: z
          .object({ code: z.string(), message: z.string() })
          .nullable()
          .describe('why the task is delayed, such as storage_unavailable; null if it is not'),
      }),
    ),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: 'StuckRun' });

export const parkedRunsQuery = pageQuery.extend({
  graph: z.string().max(100).optional().describe('a kind of run, a version of a graph, or kind@version'),
});

export const parkedRunsSchema = z
  .object({
    kind: z.string(),
    graph_version: z.string(),
    node: z.string().describe('the node of the graph that the runs wait in'),
    waits_for: z.enum(['person', 'worker']),
    runs: z.number().int(),
    run_ids: z.array(z.string()).describe('the first 100, oldest first'),
    oldest_at: timestamp,
    current_version: z.string().nullable().describe('graph version in the release of the responding gateway'),
    resumes: z
      .boolean()
      .describe(
        'whether that graph still has the node; if not, the runs will fail with the code graph_node_missing',
      ),
  })
  .meta({
    id: 'ParkedRuns',
    description: 'Parked runs, by the graph version that they were started with.',
  });

export const deadLettersQuery = pageQuery.extend({ queue: z.enum(queueNames).optional() });

export const deadLetterSchema = z
  .object({
    queue: z.enum(queueNames),
    job_id: z.string(),
    name: z.string(),
    run_id: z.string().nullable(),
    task_id: z.string().nullable(),
    reason: z.string(),
    attempts: z.number().int(),
    failed_at: timestamp.nullable(),
  })
  .meta({ id: 'DeadLetter', description: 'A permanently failed job that remains in its queue.' });

export const retriedJobSchema = z
  .object({ queue: z.enum(queueNames), job_id: z.string(), state: z.string() })
  .meta({ id: 'RetriedJob' });

export const usageQuery = pageQuery.extend({
  days: z.coerce.number().int().min(1).max(366).default(30).describe('period of the runs, calls and tokens'),
});

export const tenantUsageSchema = z
  .object({
    tenant_id: z.string(),
    name: z.string(),
    sessions: z.number().int(),
    active_runs: z.number().int(),
    runs: z.record(z.string(), z.number().int()).describe('runs created in the period, by status'),
    model_calls: z.number().int(),
    input_tokens: z.number().int(),
    output_tokens: z.number().int(),
    cost: z.number().int().describe('millionths of the currency'),
    storage_bytes: z.number().int().describe('current bytes of uploads and exports'),
  })
  .meta({ id: 'TenantUsage' });
