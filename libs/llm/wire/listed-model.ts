import { withoutPrefix } from '#contracts/text.js';
import type { ModelFacts } from '#contracts/model-facts.js';
import { timeLimit } from '#contracts/wait.js';
import { boundedFetch, type Send, apiUrl, keyHeaders } from '../bounded-fetch.js';

export interface ModelServer {
  baseUrl: string;
  apiKey: string;
  /** Sends the requests; by default to any server. */
  send?: Send | undefined;
  /** Aborts the requests. */
  signal?: AbortSignal | undefined;
}

const TIMEOUT_MS = 10_000;

/** Fields in which servers report a model's window in tokens; the loaded size precedes the trained size. */
const WINDOW = [
  'loaded_context_length',
  'meta.n_ctx',
  'max_model_len',
  'context_length',
  'max_context_length',
  'context_window',
  'max_input_tokens',
  'inputTokenLimit',
  'top_provider.context_length',
  'meta.n_ctx_train',
];
const OUTPUT = [
  'max_output_tokens',
  'max_completion_tokens',
  'outputTokenLimit',
  'top_provider.max_completion_tokens',
];

/**
 * Reads what a server's list of models says about the size of a model. Costs no tokens.
 *
 * @returns null if the server did not answer; without values if it says nothing
 */
export async function readListedModel(
  server: ModelServer,
  model: string,
): Promise<Pick<ModelFacts, 'context_tokens' | 'output_tokens'> | null> {
  const entries = await listedModels(server);
  const entry = entries && entryOf(entries, model);
  return entry && { context_tokens: numberAt(entry, WINDOW), output_tokens: numberAt(entry, OUTPUT) };
}

/** Returns the names of the models that a server lists; none if it lists none. */
export async function listedNames(server: ModelServer): Promise<string[]> {
  return ((await listedModels(server)) ?? []).map(nameOf);
}

/** Returns the entries of a server's list of models; null if the server did not answer. */
async function listedModels({ baseUrl, apiKey, send }: ModelServer): Promise<object[] | null> {
  try {
    const response = await boundedFetch(
      apiUrl(baseUrl, 'models'),
      { headers: keyHeaders(baseUrl, apiKey), signal: timeLimit(TIMEOUT_MS) },
      send,
    );
    if (!response.ok || !(response.headers.get('content-type') ?? '').includes('json')) {
      await response.body?.cancel();
      return response.status >= 500 ? null : [];
    }
    const list: unknown = await response.json();
    const { data, models } = (list ?? {}) as { data?: unknown; models?: unknown };
    return ([list, data, models].find(Array.isArray) ?? []).filter(
      (each: unknown): each is object => typeof each === 'object' && each !== null,
    );
  } catch {
    return null;
  }
}

function nameOf(entry: object): string {
  const { id, name } = entry as { id?: unknown; name?: unknown };
  return withoutPrefix(String(id ?? name), 'models/');
}

/** Returns the entry of a model; the only one if the server names it otherwise. */
const entryOf = (entries: object[], model: string): object =>
  entries.find((each) => nameOf(each) === withoutPrefix(model, 'models/')) ??
  (entries.length === 1 ? entries[0]! : {});

function numberAt(entry: object, paths: readonly string[]): number | null {
  const values = paths.map((path) =>
    path
      .split('.')
      .reduce<unknown>(
        (at, name) =>
          typeof at === 'object' && at !== null ? (at as Record<string, unknown>)[name] : undefined,
        entry,
      ),
  );
  const found = values.find((value) => Number.isSafeInteger(value) && (value as number) > 0);
  return (found as number | undefined) ?? null;
}
