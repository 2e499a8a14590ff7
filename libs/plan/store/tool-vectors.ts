import { sha256 } from '#contracts/sha256.js';
import { phrase } from '#contracts/phrases/phrase.js';
import { Prisma, type Database } from '#db/client.js';
import { SemanticUnavailableError } from '#knowledge/search/search.js';
import type { EmbeddingModel } from '#knowledge/vectors/embedding-models.js';
import { dot } from '#knowledge/vectors/scan.js';
import type { TextEmbedder } from '#knowledge/vectors/text-embedder.js';
import { searchable, textToEmbed, type Toolbox, type ToolSimilarities } from '../tools/toolbox.js';
import type { ToolDescription } from '../tools/tool.js';

/**
 * Number of tools whose vectors are computed and stored together. Slow servers need seconds for a batch, and stored
 * vectors are not computed again after a failure.
 */
const BATCH = 4;
/** Time limit of one batch in ms: long, so that a slow server can finish a batch that it has started. */
const BATCH_TIMEOUT_MS = 30_000;
/** Time in ms after which a search begins no further batch; the next search continues. */
const SEARCH_TIMEOUT_MS = 10_000;

/** Compares tools with requests by vectors. The vector of a tool is computed once for its text and model. */
export class ToolVectors {
  constructor(
    private readonly db: Database,
    private readonly embedder: Pick<TextEmbedder, 'isConfigured' | 'current' | 'embed'>,
  ) {}

  /** Returns the function with which a toolbox compares its tools with a request; undefined without an embedding model. */
  async comparing(tenantId: string, tools: readonly ToolDescription[]): Promise<Toolbox['similarities']> {
    if (!(await this.embedder.isConfigured(tenantId))) return undefined;
    return async (request) => {
      try {
        return await this.similarities(tenantId, request, tools);
      } catch (error) {
        if (error instanceof SemanticUnavailableError) return null;
        throw error;
      }
    };
  }

  /** @throws SemanticUnavailableError if the embedding server fails or a budget is used up */
  private async similarities(
    tenantId: string,
    request: string,
    tools: readonly ToolDescription[],
  ): Promise<ToolSimilarities> {
    const model = await this.embedder.current(tenantId);
    // The request first: a server that does not respond fails soon.
    const [query] = await this.embedder.embed(tenantId, model, [request]);
    const vectors = await this.vectorsOf(tenantId, model, tools);
    return new Map(
      tools.map(({ name }, tool) => [
        name,
        dot(vectors[tool]!, 0, query!.subarray(0, vectors[tool]!.length)),
      ]),
    );
  }

  private async vectorsOf(
    tenantId: string,
    model: EmbeddingModel,
    tools: readonly ToolDescription[],
  ): Promise<Float32Array[]> {
    const hashed = tools.map((tool) => textOf(tool)).map((text) => [sha256(text), text] as const);
    const texts = new Map(hashed);
    const rows = await this.db.$statement<{ hash: string; vector: Buffer }>(Prisma.sql`
      /* tool vectors */ SELECT text_sha256 AS hash, vector FROM tool_vectors
      WHERE tenant_id = ${tenantId} AND model = ${model.label}`);
    const stored = new Map<string, Float32Array>(
      rows.map(({ hash, vector }) => [hash, new Float32Array(new Uint8Array(vector).buffer)]),
    );
    const missing = [...texts.keys()].filter((hash) => !stored.has(hash));
    const deadline = performance.now() + SEARCH_TIMEOUT_MS;
    for (let at = 0; at < missing.length; at += BATCH) {
      if (performance.now() > deadline)
        throw new SemanticUnavailableError(phrase('source_problem.vectors_missing'));
      const batch = missing.slice(at, at + BATCH);
      const vectors = await this.embedder.embed(
        tenantId,
        model,
        batch.map((hash) => texts.get(hash)!),
        BATCH_TIMEOUT_MS,
      );
      for (const [place, hash] of batch.entries()) stored.set(hash, vectors[place]!);
      await this.keep(tenantId, model.label, [...texts.keys()], batch, vectors);
    }
    return hashed.map(([hash]) => stored.get(hash)!);
  }

  /** Stores new vectors and deletes vectors of texts that no tool has any more. */
  private async keep(
    tenantId: string,
    model: string,
    current: readonly string[],
    hashes: readonly string[],
    vectors: readonly Float32Array[],
  ): Promise<void> {
    const bytes = Buffer.concat(vectors.map(({ buffer }) => Buffer.from(buffer)));
    const size = bytes.length / vectors.length;
    await this.db.$executeRaw`
      /* keep tool vectors */ WITH dropped AS (
        DELETE FROM tool_vectors WHERE tenant_id = ${tenantId} AND model = ${model} AND text_sha256 <> ALL(${current}::text[]))
      INSERT INTO tool_vectors (tenant_id, model, text_sha256, vector)
      SELECT ${tenantId}, ${model}, hash, substring(${bytes}::bytea FROM ((place - 1) * ${size}::int + 1)::int FOR ${size}::int)
      FROM unnest(${hashes}::text[]) WITH ORDINALITY AS new (hash, place)
      ON CONFLICT DO NOTHING`;
  }
}

const textOf = (tool: ToolDescription): string => textToEmbed(searchable(tool));
