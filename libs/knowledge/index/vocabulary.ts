import { trigramsOf } from '../text/words.js';
import { ByteReader, ByteWriter } from './bytes.js';
import { openPostings, PostingsWriter, type Postings } from './postings.js';

/** Number of words in a block, which is read as a whole. */
export const WORDS_IN_BLOCK = 64;
/**
 * Maximum number of similar words for a query word, and their minimum similarity; measured, see `weights.ts`.
 */
const MAX_SIMILAR = 16;
export const MIN_SIMILARITY = 0.35;

/** The distinct stems of a segment, indexed by their trigrams. */
interface Vocabulary {
  /**
   * Number of words with no trigram, one, two … Words are numbered in this order, then by their characters.
   */
  sizes: number[];
  /** Numbers of the words that contain a trigram. */
  trigrams: Map<string, PostingsWriter>;
  /** The words in the order of their numbers. */
  blocks: Buffer[];
}

const byCharacters = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);

export function buildVocabulary(words: Iterable<string>): Vocabulary {
  const entries = Array.from(words, (word) => ({ word, grams: trigramsOf(word) }));
  entries.sort((a, b) => a.grams.length - b.grams.length || byCharacters(a.word, b.word));
  const sizes: number[] = Array.from({ length: (entries.at(-1)?.grams.length ?? 0) + 1 }, () => 0);
  const trigrams = new Map<string, PostingsWriter>();
  for (const [number, { grams }] of entries.entries()) {
    sizes[grams.length]!++;
    for (const gram of grams) {
      let postings = trigrams.get(gram);
      if (!postings) trigrams.set(gram, (postings = new PostingsWriter()));
      postings.add(number, 1);
    }
  }
  return { sizes, trigrams, blocks: blocksOf(entries.map(({ word }) => word)) };
}

function blocksOf(words: string[]): Buffer[] {
  const blocks: Buffer[] = [];
  for (let at = 0; at < words.length; at += WORDS_IN_BLOCK) {
    const writer = new ByteWriter(512);
    for (const word of words.slice(at, at + WORDS_IN_BLOCK)) writer.text(word);
    blocks.push(Buffer.from(writer.written()));
  }
  return blocks;
}

/** Returns the word with a number, from the block that contains it. */
export function wordIn(block: Buffer, number: number): string {
  const reader = new ByteReader(block);
  for (let before = number % WORDS_IN_BLOCK; before > 0; before--) reader.skip(reader.number());
  return reader.text();
}

/** A word, given by its number in a vocabulary, with its similarity to the requested word. */
export interface NumberedWord {
  number: number;
  similarity: number;
}

/** Returns the Dice coefficient of two sets of trigrams. */
export const dice = (shared: number, one: number, other: number) => (2 * shared) / (one + other);

/**
 * Returns the words of a vocabulary that share the most trigrams with a word, best first, ties by number.
 *
 * @param grams the word's distinct trigrams
 * @param found postings of the trigrams that occur in the vocabulary
 */
export function nearestWords(
  grams: readonly string[],
  found: ReadonlyMap<string, Postings>,
  sizes: readonly number[],
): NumberedWord[] {
  const shared = new Uint8Array(sizes.reduce((sum, size) => sum + size, 0));
  // A word that shares fewer trigrams cannot be similar enough, however short it is.
  const least = Math.max(1, Math.ceil((MIN_SIMILARITY * grams.length) / (2 - MIN_SIMILARITY)));
  const candidates = new Uint32Array(shared.length);
  let count = 0;
  for (const gram of grams) {
    const postings = found.get(gram);
    if (!postings) continue;
    const { ordinals } = openPostings(postings);
    for (let at = 0; at < ordinals.length; at++) {
      const number = ordinals[at]!;
      if (++shared[number]! === least) candidates[count++] = number;
    }
  }
  const nearest = new Nearest();
  for (let times = grams.length; times >= least; times--) {
    // A word that shares `times` trigrams is at best as similar as one with only those.
    if (dice(times, grams.length, times) < nearest.threshold()) break;
    for (let at = 0; at < count; at++) {
      const number = candidates[at]!;
      if (shared[number] === times) nearest.add(number, dice(times, grams.length, sizeOf(number, sizes)));
    }
  }
  return nearest.ranked();
}

/** Returns the number of trigrams of a word, given by its number. */
function sizeOf(number: number, sizes: readonly number[]): number {
  let size = 0;
  for (let end = sizes[0]!; number >= end; end += sizes[size]!) size++;
  return size;
}

/** Collects the most similar words, in any input order. */
class Nearest {
  private kept: NumberedWord[] = [];
  private least = MIN_SIMILARITY;

  add(number: number, similarity: number): void {
    if (similarity < this.least) return;
    this.kept.push({ number, similarity });
    // Sorting occasionally is cheaper than keeping the list sorted.
    if (this.kept.length >= 8 * MAX_SIMILAR) this.cut();
  }

  /** Returns the minimum similarity that a word needs to be kept. */
  threshold(): number {
    this.cut();
    return this.least;
  }

  ranked(): NumberedWord[] {
    this.cut();
    return this.kept;
  }

  private cut(): void {
    this.kept.sort((a, b) => b.similarity - a.similarity || a.number - b.number);
    if (this.kept.length < MAX_SIMILAR) return;
    this.kept.length = MAX_SIMILAR;
    this.least = this.kept.at(-1)!.similarity;
  }
}

/** A word of a collection, with its similarity to the requested word. */
export interface SimilarWord {
  term: string;
  similarity: number;
}

/** Merges similar words from several vocabularies. The order does not depend on their origin. */
export function mostSimilar(words: Iterable<SimilarWord>): SimilarWord[] {
  const best = new Map<string, number>();
  for (const { term, similarity } of words) best.set(term, Math.max(similarity, best.get(term) ?? 0));
  return Array.from(best, ([term, similarity]) => ({
    term,
    similarity,
    size: trigramsOf(term).length,
  }))
    .sort((a, b) => b.similarity - a.similarity || a.size - b.size || byCharacters(a.term, b.term))
    .slice(0, MAX_SIMILAR)
    .map(({ term, similarity }) => ({ term, similarity }));
}
