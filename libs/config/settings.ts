import { WEB_PROTOCOL } from '#contracts/text.js';
import { jsonOf } from '#contracts/lenient.js';
import { modelPricesSchema } from '#contracts/budgets.js';
import { z } from 'zod';
import { readSecretFiles } from './secret-files.js';
import { isIP } from 'node:net';

const mcpCommandsSchema = z.record(
  z.string().regex(/^[a-z][a-z0-9_-]{0,39}$/),
  z
    .object({
      command: z.string().min(1),
      args: z.array(z.string()).default([]),
      env: z.record(z.string(), z.string()).default({}),
    })
    .strict(),
);
/** Commands that tenants may start as MCP servers, by the name that a tenant gives. */
export type McpCommands = z.output<typeof mcpCommandsSchema>;

/** Schema of the setting, which is JSON; undefined if unset. */
const mcpCommands = z
  .string()
  .optional()
  .transform((value, context): McpCommands | undefined => {
    if (value === undefined) return undefined;
    const commands = mcpCommandsSchema.safeParse(jsonOf(value));
    if (commands.success) return commands.data;
    const message = 'must be JSON like {"NAME": {"command": "node", "args": ["server.js"]}}';
    context.addIssue({ code: 'custom', message });
    return z.NEVER;
  });

/** Returns a schema of whole numbers from 1 to `max`. */
const count = (fallback: number, max = 1_000_000_000) =>
  z.coerce.number().int().min(1).max(max).default(fallback);
const text = () => z.string().optional();

/**
 * Returns whether Fastify's `trustProxy` accepts a text: an address, a network or a name such as `loopback`.
 */
function isNetwork(text: string): boolean {
  const [address = '', prefix] = text.split('/');
  if (['loopback', 'linklocal', 'uniquelocal'].includes(text)) return true;
  const bits = isIP(address) === 6 ? 128 : 32;
  return isIP(address) > 0 && (prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= bits));
}

/** Parses TCP ports, separated by commas. */
function portsOf(text: string, context: z.RefinementCtx): number[] {
  const ports = text.split(',').map((part) => Number(part.trim() || NaN));
  if (ports.every((port) => Number.isInteger(port) && port >= 1 && port <= 65_535)) return ports;
  context.addIssue({ code: 'custom', message: 'must be ports from 1 to 65535, separated by commas' });
  return z.NEVER;
}

/** Settings are invalid; the message names all of them. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError';
}

/** Settings of every app; `.env.example` explains them. */
const common = z.object({
  DATABASE_URL: z.string().regex(/^postgres(ql)?:\/\//, 'must be a postgres:// URL'),
  QUEUE_URL: z
    .string()
    .regex(/^(rediss?|postgres(ql)?):\/\//, 'must be a redis:// or postgres:// URL')
    .optional(),
  DATABASE_POOL: count(5, 100),
  STORAGE_DIR: text(),
  S3_ENDPOINT: z.url({ protocol: WEB_PROTOCOL }).optional(),
  S3_BUCKET: z.string().min(3).default('scriptorium'),
  S3_REGION: text(),
  S3_ACCESS_KEY: text(),
  S3_SECRET_KEY: text(),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
  MAX_FILE_BYTES: count(50 * 1024 * 1024),
  /** Collector of spans (OTLP over HTTP); if unset, nothing is traced. */
  OTEL_EXPORTER_OTLP_ENDPOINT: z.url().optional(),
});

/**
 * The model that writes, and prices. The agent-runner charges them; the gateway rejects cost budgets without
 * one.
 */
const modelPrices = {
  OPENAI_MODEL: text(),
  OPENAI_FAST_MODEL: text(),
  /** Context window of the models in tokens; if unset, what the server reports. */
  OPENAI_CONTEXT_TOKENS: z.coerce.number().int().min(1_024).max(100_000_000).optional(),
  MODEL_PRICES: z
    .string()
    .optional()
    .transform((value, context) => {
      if (value === undefined) return undefined;
      const prices = modelPricesSchema.safeParse(jsonOf(value));
      if (prices.success) return prices.data;
      const example = '{"MODEL": {"input": 2500000, "output": 10000000}}';
      const message = `must be JSON like ${example}: per million tokens, in whole millionths`;
      context.addIssue({ code: 'custom', message });
      return z.NEVER;
    }),
};

/** Server of the models; the embedding model can use a separate one. */
const modelServer = {
  OPENAI_API_KEY: text(),
  OPENAI_BASE_URL: z.url().optional(),
  /** If set, sources and queries are embedded. */
  OPENAI_EMBED_MODEL: text(),
  OPENAI_EMBED_API_KEY: text(),
  OPENAI_EMBED_BASE_URL: z.url().optional(),
};

/** Address of a worker's metrics and health; if the port is unset, they are not served. */
const ownMetrics = {
  METRICS_HOST: z.string().default('127.0.0.1'),
  METRICS_PORT: z.coerce.number().int().min(0).max(65_535).optional(),
};

const unserved = {
  /** Seconds that a run waits for a runner that supports it, and a task for a worker, before it fails. */
  UNSERVED_SECONDS: z.coerce
    .number()
    .int()
    .min(0)
    .max(7 * 24 * 3600)
    .default(1_800),
};

/** Rules for requests to tenants' hosts: the gateway checks registered URLs, the others check each call. */
const egress = {
  /** Permits MCP servers, models and pages at http:// URLs, private addresses and any port. */
  EGRESS_ALLOW_PRIVATE: z.stringbool().default(false),
  /** Ports of MCP servers, models and pages, separated by commas. */
  EGRESS_PORTS: z.string().default('80,443').transform(portsOf),
  /**
   * Signs access tokens together with the hash of their key, and seals the secrets of webhooks, MCP servers
   * and model endpoints. Must be the same in all processes.
   */
  TOKEN_SECRET: z.string().min(32, 'must have at least 32 characters').optional(),
};

/** Lets plans fetch pages by their URL, authors name pages for articles and chapters, and the gateway read pages of collections. */
const fetching = { FETCH_URL: z.stringbool().default(false) };

type Storage = Pick<
  z.infer<typeof common>,
  'STORAGE_DIR' | 'S3_ENDPOINT' | 'S3_ACCESS_KEY' | 'S3_SECRET_KEY'
>;

function checkStorage(settings: Storage, context: z.core.$RefinementCtx): void {
  const issue = (path: string, message: string) =>
    context.addIssue({ code: 'custom', path: [path], message });
  if (settings.S3_ENDPOINT === undefined && settings.STORAGE_DIR === undefined) {
    issue('STORAGE_DIR', 'is required unless S3_ENDPOINT is set');
  }
  if (settings.S3_ENDPOINT !== undefined) {
    if (settings.S3_ACCESS_KEY === undefined) issue('S3_ACCESS_KEY', 'is required with S3_ENDPOINT');
    if (settings.S3_SECRET_KEY === undefined) issue('S3_SECRET_KEY', 'is required with S3_ENDPOINT');
  }
}

/** A model server without a model is a mistake that would only show when a run asks the model. */
function checkModel(
  settings: { OPENAI_API_KEY?: string | undefined; OPENAI_MODEL?: string | undefined },
  context: z.core.$RefinementCtx,
): void {
  if (settings.OPENAI_API_KEY === undefined || settings.OPENAI_MODEL !== undefined) return;
  context.addIssue({ code: 'custom', path: ['OPENAI_MODEL'], message: 'is required with OPENAI_API_KEY' });
}

/** Checks the storage settings even if others are invalid, unless S3_ENDPOINT is: the check depends on it. */
const WITH_OTHER_ISSUES = {
  when: ({ issues }: z.core.ParsePayload) => issues.every(({ path }) => path?.[0] !== 'S3_ENDPOINT'),
};

export const gatewaySettings = common
  .extend({
    ...modelPrices,
    ...modelServer,
    ...egress,
    /** Memory of a gateway for vectors, in MiB. */
    VECTOR_CACHE_MB: count(256, 65_536),
    GATEWAY_HOST: z.string().default('127.0.0.1'),
    GATEWAY_PORT: z.coerce.number().int().min(0).max(65_535).default(8080),
    ADMIN_USER: z.string().min(1).default('admin'),
    /** bull-board is closed while this is unset. */
    ADMIN_PASSWORD: z.string().min(12, 'must have at least 12 characters').optional(),
    /** Lets a scraper read GET /metrics; if unset, only the admin can. */
    METRICS_TOKEN: z
      .string()
      .regex(/^\S{16,}$/, 'must have at least 16 characters and no whitespace')
      .optional(),
    /** Tokens after which a run without its own budget asks a person; its sources add to them. 0: it never asks. */
    DEFAULT_RUN_TOKENS: z.coerce.number().int().min(0).max(1_000_000_000_000).default(500_000),
    /** Seconds before the deadline of a decision at which people are reminded. 0: no reminders. */
    DECISION_REMINDER_SECONDS: z.coerce
      .number()
      .int()
      .min(0)
      .max(31_536_000)
      .default(24 * 3600),
    MAX_FILES_PER_SESSION: count(10_000, 10_000),
    /** Maximum bytes of uploads and exports, for tenants without an individual limit. */
    MAX_TENANT_STORAGE_BYTES: count(50 * 1024 ** 3, 2 ** 50),
    /**
     * Proxies trusted to name the client in `X-Forwarded-For`: addresses, networks or names, separated by
     * commas.
     */
    TRUSTED_PROXIES: z
      .string()
      .refine(
        (list) => list.split(',').every((part) => isNetwork(part.trim())),
        'must be addresses, networks (10.0.0.0/8), loopback, linklocal or uniquelocal, separated by commas',
      )
      .optional(),
    /** Requests per API key and minute, across all gateways, for tenants without an individual limit. */
    RATE_LIMIT_PER_MINUTE: count(6_000),
    /** Time limit of a JSON body, and of each KiB of an upload, in seconds. */
    REQUEST_BODY_SECONDS: count(30, 3_600),
    /** Lets tenants add the captions of YouTube videos, which the gateway fetches. */
    YOUTUBE_TRANSCRIPTS: z.stringbool().default(false),
    ...fetching,
    /** Permits webhooks to http:// URLs, private addresses and any port. */
    WEBHOOK_ALLOW_PRIVATE: z.stringbool().default(false),
    /** Ports of webhooks, separated by commas. */
    WEBHOOK_PORTS: z.string().default('80,443').transform(portsOf),
  })
  .superRefine(checkStorage, WITH_OTHER_ISSUES)
  .superRefine(checkModel, { when: () => true });

export const agentRunnerSettings = common
  .extend({
    ...ownMetrics,
    ...modelPrices,
    AGENT_CONCURRENCY: count(8, 100),
    ...modelServer,
    ...egress,
    OPENAI_TEMPERATURE: z.coerce.number().min(0).max(2).optional(),
    MODEL_TIMEOUT_SECONDS: count(300, 3600),
    /** After the first run with a model, asks it in at most three small requests what the run has not shown. */
    MODEL_CHECK: z.stringbool().default(true),
    /** Maximum tokens of a model response in a run with a budget; they are reserved before the call. */
    BUDGETED_ANSWER_TOKENS: count(16_384, 1_000_000),
    DECISION_DEADLINE_SECONDS: count(7 * 24 * 3600),
    MAX_AGENT_STEPS: count(500),
    /** Passages of the style corpus that an article gets as examples. */
    RAG_TOP_K: count(5, 20),
    /** Enables web research for articles; if unset, research uses only the tenant's collections. */
    EXA_API_KEY: text(),
    EXA_BASE_URL: z.url().default('https://api.exa.ai'),
    /** Cost of a search, in millionths of the currency. */
    EXA_SEARCH_COST: count(15_000),
    EXA_TIMEOUT_SECONDS: count(30, 600),
    /** SearXNG server that searches the web for articles; if set, it is used instead of Exa. */
    SEARXNG_URL: z.url({ protocol: WEB_PROTOCOL }).optional(),
    ...fetching,
    RESEARCH_SEARCHES_PER_RUN: count(60, 1_000),
    READ_PAGE_BYTES: z.coerce
      .number()
      .int()
      .min(1024)
      .max(1024 * 1024)
      .default(32 * 1024),
    CHECKPOINTS_KEPT: count(100),
    ...unserved,
  })
  .superRefine(checkStorage, WITH_OTHER_ISSUES)
  .superRefine(checkModel, { when: () => true });

const worker = common.extend({
  ...ownMetrics,
  ...unserved,
  /** Concurrent tasks of one tenant in this process. */
  WORKER_CONCURRENCY: count(4, 100),
  /** Threads for CPU-heavy work (validation, conversion), and parsing processes per tenant. */
  WORKER_THREADS: count(2, 64),
});
const embeddingWorker = worker.extend({
  ...modelServer,
  MODEL_PRICES: modelPrices.MODEL_PRICES,
});

/** Validator and converter. */
export const workerSettings = worker.superRefine(checkStorage, WITH_OTHER_ISSUES);
export const scannerSettings = embeddingWorker.extend(egress).superRefine(checkStorage, WITH_OTHER_ISSUES);
export const toolsSettings = embeddingWorker
  .extend({
    ...egress,
    /** Commands that start MCP servers on the worker's machine. */
    MCP_COMMANDS: mcpCommands,
    ...fetching,
  })
  .superRefine(checkStorage, WITH_OTHER_ISSUES);

/** Settings schema of each worker, by its queue. */
export const settingsOfWorkers = {
  scanner: scannerSettings,
  validator: workerSettings,
  converter: workerSettings,
  tools: toolsSettings,
};
/** Settings schema of each app. */
export const settingsOfApps = {
  gateway: gatewaySettings,
  'agent-runner': agentRunnerSettings,
  ...settingsOfWorkers,
};

export type CommonSettings = z.infer<typeof common>;
export type GatewaySettings = z.infer<typeof gatewaySettings>;
export type AgentRunnerSettings = z.infer<typeof agentRunnerSettings>;
export type WorkerSettings = z.infer<typeof workerSettings>;
export type ScannerSettings = z.infer<typeof scannerSettings>;
export type ToolsSettings = z.infer<typeof toolsSettings>;

/**
 * Reads an app's settings from the environment, and secrets also from files (`NAME_FILE`). An empty value
 * counts as unset, so that a deployment can list every setting (`NAME=${NAME:-}`).
 *
 * @throws SettingsError that names every invalid setting, but never a value
 */
export function loadSettings<S extends z.ZodType>(schema: S, environment: NodeJS.ProcessEnv): z.infer<S> {
  const { environment: resolved, problems } = readSecretFiles(environment);
  const given = Object.entries(resolved).filter(([, value]) => value !== '');
  const parsed = schema.safeParse(Object.fromEntries(given));
  if (parsed.success && problems.length === 0) return parsed.data;
  const issues = parsed.success ? [] : parsed.error.issues;
  // A secret with an unreadable file is also missing; one sentence about it is enough.
  const unread = new Set(problems.map((problem) => problem.slice(0, problem.indexOf('_FILE'))));
  const wrong = issues.filter((issue) => !unread.has(String(issue.path[0])));
  const lines = [...problems, ...wrong.map((issue) => `${issue.path.join('.')}: ${issue.message}`)].map(
    (line) => `  ${line}`,
  );
  throw new SettingsError(`${lines.length} invalid setting(s):\n${lines.join('\n')}`);
}

type ModelServer = Pick<
  GatewaySettings,
  | 'OPENAI_EMBED_MODEL'
  | 'OPENAI_EMBED_API_KEY'
  | 'OPENAI_EMBED_BASE_URL'
  | 'OPENAI_API_KEY'
  | 'OPENAI_BASE_URL'
>;

/** Returns the model and server of the embedder, or null if no embedding model is set. */
export function embeddingOf(settings: ModelServer) {
  if (settings.OPENAI_EMBED_MODEL === undefined) return null;
  const apiKey = settings.OPENAI_EMBED_API_KEY ?? settings.OPENAI_API_KEY;
  const baseUrl = settings.OPENAI_EMBED_BASE_URL ?? settings.OPENAI_BASE_URL;
  return { model: settings.OPENAI_EMBED_MODEL, ...(apiKey && { apiKey }), ...(baseUrl && { baseUrl }) };
}

/** Returns the configuration of the object store. */
export function storageOf(settings: CommonSettings) {
  if (settings.S3_ENDPOINT === undefined) return { kind: 'directory' as const, root: settings.STORAGE_DIR! };
  return {
    kind: 's3' as const,
    endpoint: settings.S3_ENDPOINT,
    bucket: settings.S3_BUCKET,
    accessKey: settings.S3_ACCESS_KEY!,
    secretKey: settings.S3_SECRET_KEY!,
    ...(settings.S3_REGION === undefined ? {} : { region: settings.S3_REGION }),
  };
}
