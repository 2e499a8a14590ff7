import { phraseOf, textOf, type Detail } from '#contracts/phrases/detail.js';
import { ProblemError } from '#contracts/errors.js';
import { phrase, type Phrase } from '#contracts/phrases/phrase.js';
import {
  priorityWeights,
  type SearchFilters,
  type SearchHit,
  type SearchRequest,
  type SearchResult,
} from '../contract.js';
import { Prisma, type Database } from '#db/client.js';
import type { SendStatement } from '#db/statements.js';
import type { Ranked } from '../index/bm25.js';
import { fuseRanks, fuseWithVectors, type Fused, type RankedList } from '../index/fuse.js';
import { matchedWords } from '../index/lexical.js';
import { LISTED, trigramWeight } from '../index/weights.js';
import { memoryOf } from '../store/segment-memory.js';
import { liveSegments, type StoredSegment } from '../store/segments.js';
import { rankLexically, type LexicalLists } from './lexical-list.js';
import { findPassages, placesOf, type NearPassage, type PassageRow } from './passages.js';

export type { NearPassage };

/** A collection and the model whose vectors are in service there; null if it is searched without vectors. */
export interface SearchedCollection {
  id: string;
  vectorModel: string | null;
}

/** Search by meaning. */
export interface SemanticSearch {
  /** Returns whether the tenant has an embedding model. */
  isConfigured(tenantId: string): Promise<boolean>;

  /**
   * @param sources numbers of the sources that may be found; absent for all
   * @returns passages, best first
   * @throws SemanticUnavailableError if the query cannot be embedded now
   */
  nearest(
    tenantId: string,
    collections: SearchedCollection[],
    query: string,
    limit: number,
    sources?: ReadonlySet<number>,
  ): Promise<NearPassage[]>;
}

/** The embedding endpoint does not respond, or the tenant's budget is used up. */
export class SemanticUnavailableError extends Error {
  override readonly name = 'SemanticUnavailableError';
  readonly phrase: Phrase | undefined;

  constructor(detail: Detail, options?: ErrorOptions) {
    super(textOf(detail), options);
    this.phrase = phraseOf(detail);
  }
}

type ListName = 'bm25' | 'trigrams' | 'vectors';
export type SearchQuery = Pick<SearchRequest, 'collections' | 'query'> & Partial<SearchRequest>;

/**
 * Finds the passages of a tenant's collections that match a query (B14–B16). BM25 over stems and over
 * trigrams is fused by rank. Vectors, if there are any, weigh by their agreement with the words. Finally the
 * source's priority counts: score = relevance × (1 + 0.2 × weight).
 *
 * @param semantic absent for a search by words only
 * @throws ProblemError `not_found` for a collection that the tenant does not have; `no_embeddings` for the
 * mode `semantic` without an embedding model
 */
export async function search(
  db: Database,
  tenantId: string,
  { collections, query, k = 10, mode = 'hybrid', filters }: SearchQuery,
  semantic?: SemanticSearch,
): Promise<SearchResult> {
  const ids = [...new Set(collections)];
  // Runs concurrently with the search, which is safe: other tenants' collections yield no passages for this
  // one.
  const found = ownCollections(db, tenantId, ids);
  found.catch(() => undefined); // handled by the later `await found`
  const sources = filters && (await allowedSources(db, tenantId, ids, filters));
  const hasMeaning = mode !== 'lexical' && ((await semantic?.isConfigured(tenantId)) ?? false);
  if (mode === 'semantic' && !hasMeaning)
    throw new ProblemError('no_embeddings', phrase('no_embeddings.lexical'));
  const near = hasMeaning ? await nearest(semantic!, tenantId, await found, query, sources) : [];
  const memory = memoryOf(db);
  const { hits, segments } = await db.$snapshot(async (send) => {
    const segments = await liveSegments(send, tenantId, ids, sources !== undefined, memory.of(ids));
    const allows = sources && ((source: number) => sources.has(source));
    const lexical = mode === 'semantic' ? null : await rankLexically(send, segments, query, allows);
    const vectors = await placesOf(send, tenantId, near ?? []);
    const fused = fuse(segments, lexical, vectors);
    return { hits: await hitsOf(send, tenantId, segments, fused, lexical, k), segments };
  });
  await found;
  memory.remember(ids, segments);
  return { hits, degraded: near === null ? ['semantic'] : [] };
}

async function ownCollections(db: Database, tenantId: string, ids: string[]): Promise<SearchedCollection[]> {
  const found = await db.$statement<SearchedCollection>(Prisma.sql`
    /* searched collections */ SELECT id, vector_model AS "vectorModel" FROM knowledge_collections
    WHERE id = ANY(${ids}) AND tenant_id = ${tenantId}`);
  if (found.length < ids.length) throw new ProblemError('not_found', phrase('not_found.collection'));
  return found;
}

async function allowedSources(
  db: Database,
  tenantId: string,
  collections: string[],
  { source_ids, priorities, languages, authors }: SearchFilters,
): Promise<Set<number>> {
  const any = (column: Prisma.Sql, values: string[] | undefined) =>
    values ? Prisma.sql`AND ${column} = ANY(${values})` : Prisma.empty;
  const rows = await db.$statement<{ number: number }>(Prisma.sql`
    /* sources by filters */ SELECT number FROM knowledge_sources
    WHERE collection_id = ANY(${collections}) AND tenant_id = ${tenantId} ${any(Prisma.sql`id`, source_ids)}
      ${any(Prisma.sql`priority`, priorities)} ${any(Prisma.sql`language`, languages)} ${any(Prisma.sql`author`, authors)}`);
  return new Set(rows.map(({ number }) => number));
}

/** Returns null if the search by meaning is unavailable now. */
async function nearest(
  semantic: SemanticSearch,
  tenantId: string,
  collections: SearchedCollection[],
  query: string,
  sources: Set<number> | undefined,
): Promise<NearPassage[] | null> {
  if (query.trim() === '') return [];
  try {
    return await semantic.nearest(tenantId, collections, query, LISTED, sources);
  } catch (error) {
    if (error instanceof SemanticUnavailableError) return null;
    throw error;
  }
}

const keyOf = (segment: bigint | undefined, ordinal: number) => `${segment}/${ordinal}`;

function fuse(
  segments: StoredSegment[],
  lexical: LexicalLists | null,
  vectors: { segmentId: bigint; ordinal: number; similarity: number }[],
): Fused<ListName>[] {
  const items = (ranked: Ranked[] = []): RankedList['items'] =>
    ranked.map(({ segment, ordinal, score }) => ({ key: keyOf(segments[segment]!.id, ordinal), score }));
  const stems = items(lexical?.lists.stems);
  const trigrams = items(lexical?.lists.trigrams);
  const share = trigramWeight(segments.flatMap(({ languages }) => languages));
  const near = vectors.map(({ segmentId, ordinal, similarity }) => ({
    key: keyOf(segmentId, ordinal),
    score: similarity,
  }));
  const lists = {
    bm25: { items: stems, weight: 1 / (1 + share) },
    trigrams: { items: trigrams, weight: share / (1 + share) },
  };
  return near.length === 0 || stems.length + trigrams.length === 0
    ? fuseRanks<ListName>({ ...lists, vectors: { items: near, weight: 1 } })
    : fuseWithVectors(lists, near);
}

const scoreOf = (relevance: number, weight: number) => relevance * (1 + 0.2 * weight);
const weights = Object.values(priorityWeights);

/** Returns the items that can be among the best `k` once the sources' priorities are applied. */
export function candidates(fused: Fused<ListName>[], k: number): Fused<ListName>[] {
  const last = fused[k - 1];
  if (!last) return fused;
  const least = scoreOf(last.relevance, Math.min(...weights)) / scoreOf(1, Math.max(...weights));
  const end = fused.findIndex(({ relevance }) => relevance < least);
  return end < 0 ? fused : fused.slice(0, end);
}

async function hitsOf(
  send: SendStatement,
  tenantId: string,
  segments: StoredSegment[],
  fused: Fused<ListName>[],
  lexical: LexicalLists | null,
  k: number,
): Promise<SearchHit[]> {
  const asked = new Map(candidates(fused, k).map((item) => [item.key, item]));
  const matched = new Map(
    (lexical?.lists.stems ?? []).map((one) => [keyOf(segments[one.segment]!.id, one.ordinal), one.matched]),
  );
  const rows = await findPassages(send, tenantId, [...asked.keys()]);
  const hits = rows.map((row) => {
    const key = keyOf(BigInt(row.segment_id), row.ordinal);
    const words = lexical ? matchedWords(lexical.query, matched.get(key) ?? 0) : [];
    return hitOf(row, asked.get(key)!, words);
  });
  return hits.sort((a, b) => b.score - a.score || (a.chunk_id < b.chunk_id ? -1 : 1)).slice(0, k);
}

/** Builds a hit (B15). */
function hitOf(row: PassageRow, { relevance, places }: Fused<ListName>, words: string[]): SearchHit {
  const { segment_id: _segment, ordinal: _ordinal, ...passage } = row;
  const weight = priorityWeights[row.priority];
  return {
    ...passage,
    score: scoreOf(relevance, weight),
    parts: {
      bm25: places.bm25 ?? null,
      trigrams: places.trigrams ?? null,
      vectors: places.vectors ?? null,
      relevance,
      weight,
    },
    matched_terms: words,
  };
}
