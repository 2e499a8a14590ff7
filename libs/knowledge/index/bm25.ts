import { openPostings, type Postings } from './postings.js';

/** Parameters of BM25. `k1` is the saturation of a term's occurrences, `b` the influence of a passage's length. */
export interface Bm25Weights {
  k1: number;
  b: number;
}

export const PASSAGE_WEIGHTS: Bm25Weights = { k1: 1.2, b: 0.75 };

/** Weights of query terms; terms that are not listed have 1. */
export type Emphasis = ReadonlyMap<string, number>;

interface Bm25Options {
  /** Default: the weights for passages of prose (k1 1.2, b 0.75). */
  weights?: Bm25Weights;
  emphasis?: Emphasis;
}

/** The parts of a segment's list that a query needs. */
export interface ScoredSegment {
  /** Number of terms of each passage; 0 for a deleted one. */
  lengths: Uint32Array | Uint16Array;
  /** Postings of the query's terms that occur in the segment. */
  postings: Map<string, Postings>;
  /** Returns whether a passage may be found; absent for all. */
  allows?: (ordinal: number) => boolean;
}

/** A passage, given by the index of its segment and its ordinal there. */
export interface Ranked {
  segment: number;
  ordinal: number;
  score: number;
  /** Bit n is set if the passage contains term n of the query (of the first 31). */
  matched: number;
}

/** Number of query terms whose matches are recorded. */
const MAX_RECORDED_TERMS = 31;

/**
 * Ranks passages for the terms of a query by BM25, with statistics over all given segments.
 *
 * @param groups the terms of the query by word: the stems of a word in several languages form a group
 * @returns at most `limit` passages, best first, ties by place
 */
export function rankBm25(
  segments: ScoredSegment[],
  groups: string[][],
  limit: number,
  { weights: { k1, b } = PASSAGE_WEIGHTS, emphasis = new Map() }: Bm25Options = {},
): Ranked[] {
  const { passages, average } = statistics(segments);
  const best = new Best(limit);
  const terms = weigh(segments, groups, passages, emphasis);
  for (const [place, segment] of segments.entries()) {
    const { lengths } = segment;
    const scores = new Float64Array(lengths.length);
    const matched = new Int32Array(lengths.length);
    for (const { term, weight, bit } of terms) {
      const postings = segment.postings.get(term);
      if (!postings) continue;
      const { ordinals, times } = openPostings(postings);
      for (let at = 0; at < ordinals.length; at++) {
        const ordinal = ordinals[at]!;
        const norm = k1 * (1 - b + (b * lengths[ordinal]!) / average);
        scores[ordinal]! += (weight * times[at]! * (k1 + 1)) / (times[at]! + norm);
        matched[ordinal]! |= bit;
      }
    }
    best.addScores(place, segment, scores, matched);
  }
  return best.ranked();
}

/** Returns the number of passages and their average number of terms. */
export function statistics(segments: ScoredSegment[]): { passages: number; average: number } {
  let passages = 0;
  let total = 0;
  for (const { lengths } of segments) {
    const own = counted(lengths);
    passages += own.passages;
    total += own.total;
  }
  return { passages, average: passages === 0 ? 1 : total / passages };
}

/** Cached sums, because both lists of a search need them. */
const known = new WeakMap<object, { passages: number; total: number }>();

function counted(lengths: ScoredSegment['lengths']): { passages: number; total: number } {
  let counts = known.get(lengths);
  if (counts) return counts;
  counts = { passages: 0, total: 0 };
  for (let ordinal = 0; ordinal < lengths.length; ordinal++) {
    if (lengths[ordinal] === 0) continue;
    counts.passages++;
    counts.total += lengths[ordinal]!;
  }
  known.set(lengths, counts);
  return counts;
}

function weigh(segments: ScoredSegment[], groups: string[][], passages: number, emphasis: Emphasis) {
  const seen = new Set<string>();
  return groups.flatMap((terms, group) =>
    terms.flatMap((term) => {
      if (seen.has(term)) return [];
      seen.add(term);
      const holding = segments.reduce((sum, { postings }) => sum + (postings.get(term)?.count ?? 0), 0);
      const weight = inverseFrequency(holding, passages) * (emphasis.get(term) ?? 1);
      return holding === 0 ? [] : [{ term, weight, bit: group < MAX_RECORDED_TERMS ? 1 << group : 0 }];
    }),
  );
}

/** Returns the weight of a term that occurs in this many passages. */
export function inverseFrequency(holding: number, passages: number): number {
  // Postings include deleted passages until their segment is rewritten.
  const frequency = Math.min(holding, passages);
  return Math.log(1 + (passages - frequency + 0.5) / (frequency + 0.5));
}

/** Collects the best passages in a heap with the worst on top, which the next better one replaces. */
export class Best {
  private readonly kept: Ranked[] = [];
  /** Minimum score, exclusive: of two passages with the same score, the first one wins. */
  private threshold = 0;

  constructor(private readonly limit: number) {}

  /**
   * Adds the passages of a segment that exist and may be found. Segments must come in the order of their
   * places.
   *
   * @param matched bits of each passage; absent for none
   */
  addScores(
    place: number,
    { lengths, allows }: ScoredSegment,
    scores: Float64Array,
    matched?: Int32Array,
  ): void {
    for (let ordinal = 0; ordinal < scores.length; ordinal++) {
      const score = scores[ordinal]!;
      if (score <= this.threshold || lengths[ordinal] === 0) continue;
      if (allows && !allows(ordinal)) continue;
      this.add({ segment: place, ordinal, score, matched: matched?.[ordinal] ?? 0 });
    }
  }

  ranked(): Ranked[] {
    return this.kept.sort(byRank);
  }

  private add(one: Ranked): void {
    const { kept, limit } = this;
    if (kept.length < limit) {
      kept.push(one);
      if (kept.length === limit) kept.sort((a, b) => byRank(b, a)); // a sorted list is a heap
    } else this.replaceWorst(one);
    if (kept.length === limit) this.threshold = kept[0]!.score;
  }

  private replaceWorst(one: Ranked): void {
    const { kept } = this;
    let at = 0;
    for (let child = 1; child < kept.length; child = 2 * at + 1) {
      if (child + 1 < kept.length && byRank(kept[child + 1]!, kept[child]!) > 0) child++;
      if (byRank(kept[child]!, one) <= 0) break;
      kept[at] = kept[child]!;
      at = child;
    }
    kept[at] = one;
  }
}

/** Orders best first, ties by place. */
const byRank = (a: Ranked, b: Ranked) => b.score - a.score || a.segment - b.segment || a.ordinal - b.ordinal;
