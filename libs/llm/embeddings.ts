import { phrase } from '#contracts/phrases/phrase.js';
import { z } from 'zod';
import { boundedFetch, type Send, apiUrl, keyHeaders } from './bounded-fetch.js';
import { ModelError, toModelError } from './model-error.js';
import { OPENAI } from './profile/model-profile.js';
import { tokensOf } from './tokens.js';
import { possibleTokens } from './usage.js';
import { pause, timeLimit } from '#contracts/wait.js';

/** Settings of the embedding endpoint (B23); any server with the OpenAI API works. */
export interface EmbedderConfig {
  model: string;
  apiKey?: string;
  baseUrl?: string;
  /** Time limit of one request in ms (60 000). */
  timeoutMs?: number;
  /** Delay before the first retry in ms; it doubles each time (500). */
  retryDelayMs?: number;
  /** Sends the requests; by default to any server. */
  send?: Send | undefined;
}

export interface Embeddings {
  /** Vectors of unit length, in the order of the texts. */
  vectors: Float32Array[];
  /** Tokens as the provider reported them, otherwise counted here. */
  tokens: number;
  estimated: boolean;
}

/** Embeds texts as vectors; vectors of texts with similar meaning are close. */
export interface Embedder {
  readonly model: string;
  /** @throws ModelError if the call failed permanently; the signal's reason on abort */
  embed(texts: string[], signal?: AbortSignal): Promise<Embeddings>;
}

const TIMEOUT_MS = 60_000;
const MAX_RETRIES = 4;
const RETRY_DELAY_MS = 500;
const LONGEST_WAIT_MS = 60_000;
/** Limits of one request: OpenAI accepts more, small servers do not. */
const BATCH_TEXTS = 64;
const BATCH_TOKENS = 16_000;
/** Maximum number of concurrent requests. */
const PARALLEL = 3;

const answerSchema = z.object({
  data: z.array(z.object({ index: z.number().int(), embedding: z.array(z.number()) })),
  usage: z.object({ total_tokens: z.unknown() }).optional().catch(undefined),
});

/**
 * The embedding model of an OpenAI-compatible server. Batches texts by number and tokens, sends a few batches
 * at a time, and retries on 429 and 5xx.
 */
export class OpenAiEmbedder implements Embedder {
  readonly model: string;
  /** Dimensions of the first vector; all others must match. */
  private dimensions = 0;

  constructor(private readonly config: EmbedderConfig) {
    this.model = config.model;
  }

  async embed(texts: string[], signal?: AbortSignal): Promise<Embeddings> {
    const batches = batchesOf(texts);
    const answers: Embeddings[] = [];
    for (let at = 0; at < batches.length; at += PARALLEL)
      answers.push(
        ...(await Promise.all(batches.slice(at, at + PARALLEL).map((batch) => this.batch(batch, signal)))),
      );
    return {
      vectors: answers.flatMap(({ vectors }) => vectors),
      tokens: answers.reduce((sum, { tokens }) => sum + tokens, 0),
      estimated: answers.some(({ estimated }) => estimated),
    };
  }

  private async batch(texts: string[], signal?: AbortSignal): Promise<Embeddings> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.request(texts, signal);
      } catch (error) {
        signal?.throwIfAborted();
        const failure = toModelError(error);
        const delayMs =
          failure.retryAfterMs ?? (this.config.retryDelayMs ?? RETRY_DELAY_MS) * 2 ** (attempt - 1);
        if (!failure.retryable || attempt > MAX_RETRIES || delayMs > LONGEST_WAIT_MS) throw failure;
        await pause(delayMs, signal);
      }
    }
  }

  private async request(texts: string[], signal?: AbortSignal): Promise<Embeddings> {
    const { baseUrl = OPENAI, apiKey, model, timeoutMs = TIMEOUT_MS } = this.config;
    const response = await boundedFetch(
      apiUrl(baseUrl, 'embeddings'),
      {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...keyHeaders(baseUrl, apiKey) },
        // Some servers return empty base64 vectors; all of them support floats.
        body: JSON.stringify({ model, input: texts, encoding_format: 'float' }),
        signal: timeLimit(timeoutMs, signal),
      },
      this.config.send,
    );
    if (!response.ok) {
      const { status, headers } = response;
      const message = (await response.text()).slice(0, 1_000);
      throw toModelError({ status, headers, message });
    }
    const parsed = answerSchema.safeParse(await response.json());
    if (!parsed.success || parsed.data.data.length !== texts.length)
      throw new ModelError('model_rejected', phrase('model_failure.model_rejected.vectors'), false);
    const { data, usage } = parsed.data;
    const vectors = [...data]
      .sort((a, b) => a.index - b.index)
      .map(({ embedding }) => this.checked(embedding));
    const reported = possibleTokens(usage?.total_tokens, texts);
    return {
      vectors,
      tokens: reported ?? texts.reduce((sum, text) => sum + tokensOf(text), 0),
      estimated: reported === null,
    };
  }

  /**
   * Returns the vector at unit length. @throws ModelError if its length is zero or its dimensions differ from
   * the first vector's
   */
  private checked(values: number[]): Float32Array {
    this.dimensions ||= values.length;
    const length = Math.hypot(...values);
    if (values.length === 0 || values.length !== this.dimensions || !(length > 0))
      throw new ModelError('model_rejected', phrase('model_failure.model_rejected.dimensions'), false);
    return Float32Array.from(values, (value) => value / length);
  }
}

function batchesOf(texts: string[]): string[][] {
  const batches: string[][] = [];
  let tokens = Infinity;
  for (const text of texts) {
    const own = tokensOf(text);
    const open = batches.at(-1);
    if (!open || open.length >= BATCH_TEXTS || tokens + own > BATCH_TOKENS) {
      batches.push([text]);
      tokens = own;
    } else {
      open.push(text);
      tokens += own;
    }
  }
  return batches;
}
