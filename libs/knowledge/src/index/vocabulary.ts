import { trigramsOf } from '../text/words.js';
import { ByteReader, ByteWriter } from './bytes.js';
import { openPostings, PostingsWriter, type Postings } from './postings.js';
import { ScratchBuffer } from './scratch-buffer.js';

/** Words of a block, which is read as a whole. */
export const WORDS_IN_BLOCK = 64;
/** Similar words that a word of a query is looked up by, and how similar they have to be; measured, see `weights.ts`. */
const MOST_SIMILAR = 16;
const LEAST_SIMILARITY = 0.35;

/** The distinct stems of a segment, found by their trigrams. */
export interface Vocabulary {
  /** How many words have no trigram, one, two …: words are numbered by that, then in the order of their characters. */
  sizes: number[];
  /** The numbers of the words that hold a trigram. */
  trigrams: Map<string, PostingsWriter>;
  /** The words in the order of their numbers. */
  blocks: Buffer[];
}

const byCharacters = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);

export function buildVocabulary(words: Iterable<string>): Vocabulary {
  const entries = Array.from(words, (word) => ({ word, grams: new Set(trigramsOf(word)) }));
  entries.sort((a, b) => a.grams.size - b.grams.size || byCharacters(a.word, b.word));
  const sizes: number[] = Array.from({ length: (entries.at(-1)?.grams.size ?? 0) + 1 }, () => 0);
  const trigrams = new Map<string, PostingsWriter>();
  for (const [number, { grams }] of entries.entries()) {
    sizes[grams.size]!++;
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

/** The word of a number, from the block that holds it. */
export function wordIn(block: Buffer, number: number): string {
  const reader = new ByteReader(block);
  for (let before = number % WORDS_IN_BLOCK; before > 0; before--) reader.skip(reader.number());
  return reader.text();
}

/** A word of a vocabulary by its number, and how similar it is to the word asked for. */
export interface NumberedWord {
  number: number;
  similarity: number;
}

/** How many trigrams each word shares with the one asked for. */
const sharedRoom = new ScratchBuffer((length) => new Uint8Array(length));
const candidateRoom = new ScratchBuffer((length) => new Uint32Array(length));

/** Dice's coefficient of two sets of trigrams. */
const dice = (shared: number, one: number, other: number) => (2 * shared) / (one + other);

/**
 * The words of a vocabulary that share most trigrams with a word, best first, ties by number.
 *
 * @param grams the word's distinct trigrams
 * @param found the postings of those of them that the vocabulary has
 */
export function nearestWords(
  grams: readonly string[],
  found: ReadonlyMap<string, Postings>,
  sizes: readonly number[],
): NumberedWord[] {
  const shared = sharedRoom.zeros(sizes.reduce((sum, size) => sum + size, 0));
  // No word that shares fewer can be similar enough, however short it is.
  const least = Math.max(1, Math.ceil((LEAST_SIMILARITY * grams.length) / (2 - LEAST_SIMILARITY)));
  const candidates = candidateRoom.take(shared.length);
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
    // Those that share no more are at best as similar as a word that has nothing else.
    if (dice(times, grams.length, times) < nearest.threshold()) break;
    for (let at = 0; at < count; at++) {
      const number = candidates[at]!;
      if (shared[number] === times) nearest.add(number, dice(times, grams.length, sizeOf(number, sizes)));
    }
  }
  return nearest.ranked();
}

/** How many trigrams the word of a number has. */
function sizeOf(number: number, sizes: readonly number[]): number {
  let size = 0;
  for (let end = sizes[0]!; number >= end; end += sizes[size]!) size++;
  return size;
}

/** Keeps the most similar of many words, whatever order they come in. */
class Nearest {
  private kept: NumberedWord[] = [];
  private least = LEAST_SIMILARITY;

  add(number: number, similarity: number): void {
    if (similarity < this.least) return;
    this.kept.push({ number, similarity });
    // Sorting now and then costs less than keeping order.
    if (this.kept.length >= 8 * MOST_SIMILAR) this.cut();
  }

  /** How similar a word has to be to have a place. */
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
    if (this.kept.length < MOST_SIMILAR) return;
    this.kept.length = MOST_SIMILAR;
    this.least = this.kept.at(-1)!.similarity;
  }
}

/** A word of a collection, and how similar it is to the word asked for. */
export interface SimilarWord {
  term: string;
  similarity: number;
}

/** The most similar of the words that several vocabularies gave, in one order whichever of them a word came from. */
export function mostSimilar(words: Iterable<SimilarWord>): SimilarWord[] {
  const best = new Map<string, number>();
  for (const { term, similarity } of words) best.set(term, Math.max(similarity, best.get(term) ?? 0));
  return Array.from(best, ([term, similarity]) => ({
    term,
    similarity,
    size: new Set(trigramsOf(term)).size,
  }))
    .sort((a, b) => b.similarity - a.similarity || a.size - b.size || byCharacters(a.term, b.term))
    .slice(0, MOST_SIMILAR)
    .map(({ term, similarity }) => ({ term, similarity }));
}

/** The words that are most similar to any of those asked for, each of them looked at: for vocabularies of some thousands. */
export function mostSimilarOf(vocabulary: Iterable<string>, asked: readonly string[]): SimilarWord[] {
  const wanted = asked.map((word) => new Set(trigramsOf(word)));
  const similar: SimilarWord[] = [];
  for (const term of vocabulary) {
    const grams = new Set(trigramsOf(term));
    for (const own of wanted) {
      const shared = [...own].filter((gram) => grams.has(gram)).length;
      const similarity = shared === 0 ? 0 : dice(shared, own.size, grams.size);
      if (similarity >= LEAST_SIMILARITY) similar.push({ term, similarity });
    }
  }
  return mostSimilar(similar);
}
