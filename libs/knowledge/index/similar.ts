import {
  Best,
  inverseFrequency,
  PASSAGE_WEIGHTS,
  statistics,
  type Ranked,
  type ScoredSegment,
} from './bm25.js';
import { openPostings } from './postings.js';
import type { SimilarWord } from './vocabulary.js';

/** A query word with similar words. */
export interface SimilarGroup {
  /** Stems of the word. */
  own: string[];
  /**
   * Words of the collection that are similar to any of these stems, including the stems themselves; best
   * first.
   */
  similar: SimilarWord[];
  /** Weight of the word; 1 if absent. */
  emphasis?: number;
}

/** Exponent by which the weight of a word falls with its similarity. */
const SHARPNESS = 3;
/** Number of most similar words that estimate the rarity of a word that no passage contains. */
const SPOKESMEN = 3;

/**
 * Ranks passages by BM25 over similar words. The frequency of a query word in a passage is the sum over all
 * similar words, weighted by their similarity. This finds inflected and mistyped forms.
 *
 * @returns at most `limit` passages, best first, ties by place
 */
export function rankSimilar(segments: ScoredSegment[], groups: SimilarGroup[], limit: number): Ranked[] {
  const { passages, average } = statistics(segments);
  const { k1, b } = PASSAGE_WEIGHTS;
  const best = new Best(limit);
  const weighed = groups.map((group) => ({
    similar: group.similar,
    weight: idfOf(segments, group, passages) * (group.emphasis ?? 1),
  }));
  for (const [place, segment] of segments.entries()) {
    const { lengths } = segment;
    const scores = new Float64Array(lengths.length);
    const times = new Float64Array(lengths.length);
    for (const { similar, weight } of weighed) {
      const touched = countSimilar(segment, similar, times);
      for (const ordinal of touched) {
        const norm = k1 * (1 - b + (b * lengths[ordinal]!) / average);
        scores[ordinal]! += (weight * times[ordinal]! * (k1 + 1)) / (times[ordinal]! + norm);
        times[ordinal] = 0;
      }
    }
    best.addScores(place, segment, scores);
  }
  return best.ranked();
}

/**
 * Adds the occurrences of similar words in each passage to `times`. @returns the passages that contain any
 */
function countSimilar(segment: ScoredSegment, similar: SimilarWord[], times: Float64Array): Uint32Array {
  const touched = new Uint32Array(times.length);
  let count = 0;
  for (const { term, similarity } of similar) {
    const postings = segment.postings.get(term);
    if (!postings) continue;
    const weight = similarity ** SHARPNESS;
    const { ordinals, times: own } = openPostings(postings);
    for (let at = 0; at < ordinals.length; at++) {
      const ordinal = ordinals[at]!;
      if (times[ordinal] === 0) touched[count++] = ordinal;
      times[ordinal]! += weight * own[at]!;
    }
  }
  return touched.subarray(0, count);
}

function idfOf(segments: ScoredSegment[], { own, similar }: SimilarGroup, passages: number): number {
  const idfs = (terms: string[]) =>
    terms.flatMap((term) => {
      const holding = segments.reduce((sum, { postings }) => sum + (postings.get(term)?.count ?? 0), 0);
      return holding === 0 ? [] : [inverseFrequency(holding, passages)];
    });
  const known = idfs(own);
  if (known.length > 0) return Math.max(...known);
  const guessed = idfs(similar.slice(0, SPOKESMEN).map(({ term }) => term));
  return guessed.length === 0 ? 0 : Math.max(...guessed) * similar[0]!.similarity;
}
