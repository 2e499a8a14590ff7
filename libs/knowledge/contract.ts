import { z } from 'zod';

/**
 * Purpose of a collection: a tenant's knowledge, its style, the content of a book so far, the tools, or the pages and
 * files that the research of a session read.
 */
export const knowledgePurposes = ['knowledge', 'style', 'memory', 'tools', 'research'] as const;
export type KnowledgePurpose = (typeof knowledgePurposes)[number];

/** Weight of a source among hits of equal relevance (B15). */
export const priorityWeights = { primary: 5, supporting: 3, 'tone-only': 1 } as const;
export const sourcePriorities = ['primary', 'supporting', 'tone-only'] as const;
export type SourcePriority = (typeof sourcePriorities)[number];

export const sourceStates = ['queued', 'indexing', 'ready', 'failed'] as const;
export type SourceState = (typeof sourceStates)[number];

/** Content of a chunk's lines; `mixed` if there are several kinds. */
export const chunkKinds = ['prose', 'list', 'code', 'table', 'mixed'] as const;
export type ChunkKind = (typeof chunkKinds)[number];

/**
 * A chunk of a text: characters (UTF-16 code units) `start` to `end`, so that `text.slice(start, end)` is the
 * chunk.
 */
export interface TextChunk {
  start: number;
  end: number;
  /** Headings above the chunk's first line, outermost first. */
  headingPath: string[];
  /** Number of tokens in OpenAI's recent models. */
  tokens: number;
  kind: ChunkKind;
}

export const searchModes = ['hybrid', 'lexical', 'semantic'] as const;

/** Maximum length of a query, in characters; for a longer text, its beginning is enough. */
export const MAX_QUERY_LENGTH = 20_000;
export const MAX_HITS = 100;
export const MAX_COLLECTIONS_SEARCHED = 50;

const ids = z.array(z.string().min(1).max(100)).min(1).max(1_000);

export const searchFiltersSchema = z
  .object({
    source_ids: ids.optional(),
    priorities: z.array(z.enum(sourcePriorities)).min(1).max(sourcePriorities.length).optional(),
    languages: z.array(z.string().min(2).max(3)).min(1).max(40).optional(),
    authors: z.array(z.string().min(1).max(200)).min(1).max(100).optional(),
  })
  .strict()
  .meta({ id: 'KnowledgeFilters' });
export type SearchFilters = z.infer<typeof searchFiltersSchema>;

/** Rank and score of a chunk in a fused list; null if the list does not contain it. */
const listPartSchema = z.object({ rank: z.number().int(), score: z.number() }).nullable();

/** Explains the rank of a hit. */
export const hitPartsSchema = z
  .object({
    bm25: listPartSchema.describe('BM25 over stems'),
    trigrams: listPartSchema.describe(
      'BM25 over words that share character trigrams with words of the query',
    ),
    vectors: listPartSchema.describe('cosine similarity of embeddings'),
    relevance: z.number().describe('0 to 1, relative to the best hit of the fused lists'),
    weight: z.number().describe('weight of the priority: score = relevance × (1 + 0.2 × weight)'),
  })
  .meta({ id: 'KnowledgeHitParts' });

/** Passage that answers a query: its exact position, and why it was found. */
export const searchHitSchema = z
  .object({
    chunk_id: z.string(),
    collection_id: z.string(),
    source_id: z.string(),
    source_name: z.string(),
    source_title: z.string().nullable(),
    author: z.string().nullable(),
    url: z.string().nullable().describe('address of the page whose copy the source is'),
    date: z.string().nullable().describe('date of publication, YYYY-MM-DD'),
    fetched_at: z.iso.datetime().nullable().describe('when the page was read'),
    priority: z.enum(sourcePriorities),
    text: z.string(),
    start: z.number().int().describe("span in the source's text, in UTF-16 code units"),
    end: z.number().int(),
    heading_path: z.array(z.string()),
    kind: z.enum(chunkKinds),
    language: z.string().nullable(),
    score: z.number(),
    parts: hitPartsSchema,
    matched_terms: z
      .array(z.string())
      .describe(
        'words of the query that the passage contains, without words that most passages contain, such as articles',
      ),
  })
  .meta({ id: 'KnowledgeHit' });
export type SearchHit = z.infer<typeof searchHitSchema>;

export const searchRequestSchema = z
  .object({
    collections: z.array(z.string().min(1).max(100)).min(1).max(MAX_COLLECTIONS_SEARCHED).describe('ids'),
    query: z.string().max(MAX_QUERY_LENGTH),
    k: z.number().int().min(1).max(MAX_HITS).default(10),
    mode: z.enum(searchModes).default('hybrid'),
    filters: searchFiltersSchema.optional(),
  })
  .strict()
  .meta({ id: 'KnowledgeSearch' });
export type SearchRequest = z.infer<typeof searchRequestSchema>;

export const searchResultSchema = z
  .object({
    hits: z.array(searchHitSchema),
    degraded: z
      .array(z.enum(['semantic']))
      .describe('requested rankings that were unavailable for this search'),
  })
  .meta({ id: 'KnowledgeSearchResult' });
export type SearchResult = z.infer<typeof searchResultSchema>;
