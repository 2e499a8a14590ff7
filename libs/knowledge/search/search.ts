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
import { type Ranked, rankBm25, type ScoredSegment } from '../index/bm25.js';
import {
  fuseRanks,
  fuseWithVectors,
  type Fused,
  type RankedList,
  LISTED,
  trigramWeight,
} from '../index/fuse.js';
import {
  matchedWords,
  emphasisOf,
  readQuery,
  withoutCommon,
  withSimilar,
  type LexicalQuery,
} from '../index/lexical.js';
import { liveSegments, type StoredSegment } from '../store/segments.js';
import { PostingsReader } from './postings-reader.js';
import { findPassages, placesOf, type NearPassage, type PassageRow } from './passages.js';
import { rankSimilar, type SimilarGroup } from '../index/similar.js';
import { mostSimilar, nearestWords, type NumberedWord } from '../index/vocabulary.js';
import { trigramsOf } from '../text/words.js';

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
  const hits = await db.$snapshot(async (send) => {
    const segments = await liveSegments(send, tenantId, ids, sources !== undefined);
    const allows = sources && ((source: number) => sources.has(source));
    const lexical = mode === 'semantic' ? null : await rankLexically(db, send, segments, query, allows);
    const vectors = await placesOf(send, tenantId, near ?? []);
    const fused = fuse(segments, lexical, vectors);
    return hitsOf(send, tenantId, segments, fused, lexical, k);
  });
  await found;
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
  const rare = lexical ? withoutCommon(lexical.query.stems, commonIn(segments)) : [];
  const hits = rows.map((row) => {
    const key = keyOf(BigInt(row.segment_id), row.ordinal);
    const words = lexical ? matchedWords(lexical.query.words, matched.get(key) ?? 0, rare) : [];
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

/** Number of passages from which common words are left out of the search. */
const SMALL = 2_000;

/** Results of the lexical search. */
interface LexicalLists {
  query: LexicalQuery;
  lists: { stems: Ranked[]; trigrams: Ranked[] };
}

/**
 * Ranks the passages of segments by both lexical lists.
 *
 * @param allows returns whether a source, given by its number, may be found; absent for all
 */
async function rankLexically(
  db: Database,
  send: SendStatement,
  segments: StoredSegment[],
  text: string,
  allows?: (source: number) => boolean,
): Promise<LexicalLists> {
  const query = readQuery(text, [...new Set(segments.flatMap(({ languages }) => languages))]);
  const isLarge = passagesOf(segments) >= SMALL;
  const isCommon = isLarge ? commonIn(segments) : () => false;
  const stems = withoutCommon(query.stems, isCommon);
  const reader = new PostingsReader(db, send, segments);
  const groups = await findSimilar(reader, segments, withSimilar(stems), isCommon);
  const similar = groups.map((group) => ({ ...group, emphasis: emphasisOf(group.own, query.emphasis) }));
  const terms = new Set([
    ...stems.flat(),
    ...similar.flatMap((group) => group.similar.map(({ term }) => term)),
  ]);
  const postings = await reader.find('stems', terms);
  const scored = segments.map((segment, place): ScoredSegment => ({
    lengths: segment.lengths,
    postings: postings[place]!,
    ...(allows && { allows: (ordinal: number) => allows(segment.sources[ordinal]!) }),
  }));
  const { emphasis } = query;
  const lists = {
    stems: rankBm25(scored, stems, LISTED, { emphasis }),
    trigrams: rankSimilar(scored, similar, LISTED),
  };
  return { query, lists };
}

const passagesOf = (segments: StoredSegment[]) =>
  segments.reduce((sum, segment) => sum + segment.passages, 0);

/** Returns a predicate for terms that occur in most passages: reading their postings of a large collection is not worthwhile. */
function commonIn(segments: StoredSegment[]): (term: string) => boolean {
  const passages = passagesOf(segments);
  const holding = new Map<string, number>();
  for (const segment of segments)
    for (const term of segment.common.split('\n'))
      holding.set(term, (holding.get(term) ?? 0) + segment.passages);
  return (term) => (holding.get(term) ?? 0) > passages / 2;
}

/**
 * Finds the words of the segments that are similar to a query's words.
 *
 * @param asked the stems of each query word
 */
async function findSimilar(
  reader: PostingsReader,
  segments: StoredSegment[],
  asked: string[][],
  isCommon: (term: string) => boolean,
): Promise<SimilarGroup[]> {
  const grams = new Map(asked.flat().map((stem) => [stem, trigramsOf(stem)]));
  const postings = await reader.find('trigrams', new Set([...grams.values()].flat()));
  const nearest = segments.map(
    ({ wordSizes }, place) =>
      new Map(Array.from(grams, ([stem, own]) => [stem, nearestWords(own, postings[place]!, wordSizes)])),
  );
  const words = await reader.words(nearest.map((ofSegment) => numbersOf(ofSegment.values())));
  return asked.map((own) => {
    const found = segments.flatMap((_, place) =>
      own.flatMap((stem) =>
        nearest[place]!.get(stem)!.map(({ number, similarity }) => ({
          term: words[place]!.get(number)!,
          similarity,
        })),
      ),
    );
    return { own, similar: mostSimilar(found.filter(({ term }) => own.includes(term) || !isCommon(term))) };
  });
}

const numbersOf = (nearest: Iterable<NumberedWord[]>) =>
  new Set([...nearest].flatMap((words) => words.map(({ number }) => number)));
