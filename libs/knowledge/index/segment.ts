import { hash } from 'node:crypto';
import { copyBucket, PostingsWriter, writeBucket } from './postings.js';
import { buildVocabulary } from './vocabulary.js';
import { stemOf } from '../text/stems.js';
import { cachedByWord, wordsOf } from '../text/words.js';

/** Lists of a segment: passages by stem, stems by trigram, stems by number. */
export type SegmentList = 'stems' | 'trigrams' | 'words';
/** The lists that are looked up by term. */
export type TermList = Exclude<SegmentList, 'words'>;

/**
 * A part of an inverted index: up to some thousand passages, each identified by its ordinal, which starts at
 * 0. Immutable except for `lengths`, where 0 marks a deleted passage.
 */
export interface Segment {
  passages: number;
  /** Number of words of each passage; 0 for a deleted one. */
  lengths: Uint32Array;
  /** Source number of each passage. */
  sources: Uint32Array;
  /** Stems that occur in too many passages to distinguish them. */
  common: string[];
  /** Number of stems with no trigram, one, two …; stems are numbered in this order. */
  wordSizes: number[];
  /** Number of buckets of each list. Terms are distributed by their hash, so that a query reads few bytes. */
  bucketCount: Record<TermList, number>;
  /** Buckets by list; a bucket of `words` is a block of the vocabulary. */
  buckets: { list: SegmentList; bucket: number; bytes: Buffer }[];
}

/** A passage to index. */
interface Passage {
  source: number;
  terms: TermCounts;
}

/** Share of passages above which a stem is common. */
const COMMON = 0.5;
/** Target size of a bucket in bytes, small enough for PostgreSQL to store it inline in the row. */
const BUCKET_BYTES = 1_500;
const MAX_BUCKETS = 8_192;

/** Returns the hash that determines the bucket of a term: the first four bytes of its MD5, little-endian. */
export const termHash = cachedByWord((term) => {
  const hex = hash('md5', term);
  return parseInt(hex.slice(6, 8) + hex.slice(4, 6) + hex.slice(2, 4) + hex.slice(0, 2), 16);
});

/** Returns the bucket of a term. @param count a power of two */
export const bucketOf = (hash: number, count: number): number => hash & (count - 1);

type Terms = Map<string, PostingsWriter>;

/** Builds a segment from passages. */
export class SegmentBuilder {
  private readonly stems: Terms = new Map();
  private readonly lengths: number[] = [];
  private readonly sources: number[] = [];

  /** @returns the passage's ordinal */
  add({ source, terms }: Passage): number {
    const ordinal = this.sources.length;
    for (const [stem, times] of terms.counts) this.writerOf(stem).add(ordinal, times);
    // Use at least 1 for a passage without words, because 0 marks a deleted passage.
    this.lengths.push(Math.max(1, terms.length));
    this.sources.push(source);
    return ordinal;
  }

  /**
   * Adds the passages of another segment that were not deleted.
   *
   * @param segment with all buckets of its stems, in any order
   * @returns the new ordinal of each passage; -1 for a deleted one
   */
  append(segment: Segment): Int32Array {
    const ordinals = new Int32Array(segment.passages).fill(-1);
    for (let old = 0; old < segment.passages; old++) {
      if (segment.lengths[old] === 0) continue;
      ordinals[old] = this.sources.length;
      this.lengths.push(segment.lengths[old]!);
      this.sources.push(segment.sources[old]!);
    }
    for (const { list, bytes } of segment.buckets)
      if (list === 'stems') copyBucket(bytes, ordinals, (stem) => this.writerOf(stem));
    return ordinals;
  }

  build(): Segment {
    const passages = this.sources.length;
    const vocabulary = buildVocabulary(this.stems.keys());
    const stems = bucketsOf('stems', this.stems);
    const trigrams = bucketsOf('trigrams', vocabulary.trigrams);
    const words = vocabulary.blocks.map((bytes, bucket) => ({ list: 'words' as const, bucket, bytes }));
    return {
      passages,
      lengths: Uint32Array.from(this.lengths),
      sources: Uint32Array.from(this.sources),
      common: [...this.stems].filter(([, { count }]) => count > COMMON * passages).map(([stem]) => stem),
      wordSizes: vocabulary.sizes,
      bucketCount: { stems: stems.count, trigrams: trigrams.count },
      buckets: [...stems.buckets, ...trigrams.buckets, ...words],
    };
  }

  private writerOf(stem: string): PostingsWriter {
    let writer = this.stems.get(stem);
    if (!writer) this.stems.set(stem, (writer = new PostingsWriter()));
    return writer;
  }
}

function bucketsOf(list: TermList, terms: Terms): { count: number; buckets: Segment['buckets'] } {
  let bytes = 0;
  for (const [term, { size }] of terms) bytes += term.length + 3 + size;
  const idealBucketCount = 2 ** Math.ceil(Math.log2(Math.max(1, bytes / BUCKET_BYTES)));
  const count = Math.min(MAX_BUCKETS, idealBucketCount);
  const byBucket = new Map<number, [string, PostingsWriter][]>();
  for (const entry of terms) {
    const bucket = bucketOf(termHash(entry[0]), count);
    const others = byBucket.get(bucket);
    if (others) others.push(entry);
    else byBucket.set(bucket, [entry]);
  }
  const buckets = [...byBucket].map(([bucket, entries]) => ({ list, bucket, bytes: writeBucket(entries) }));
  return { count, buckets };
}

/** Occurrences of each stem in a passage, and its total number of words. */
interface TermCounts {
  counts: Map<string, number>;
  length: number;
}

/** Counts the stems of a passage. @param language ISO 639-1 code, null for unstemmed words */
export function countTerms(text: string, language: string | null): TermCounts {
  const words = wordsOf(text);
  const counts = new Map<string, number>();
  for (const word of words) {
    const stem = stemOf(word, language);
    counts.set(stem, (counts.get(stem) ?? 0) + 1);
  }
  return { counts, length: words.length };
}
