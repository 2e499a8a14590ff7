import { hash } from 'node:crypto';
import { openPostings, PostingsWriter, readBucket, writeBucket, type Postings } from './postings.js';
import type { TermCounts } from './terms.js';
import { buildVocabulary } from './vocabulary.js';

/** What the values of a segment hold: passages by stems, stems by trigrams, stems by number. */
export type SegmentList = 'stems' | 'trigrams' | 'words';
/** Those that are looked up by term. */
export type TermList = Exclude<SegmentList, 'words'>;

/**
 * A part of an inverted index: up to some thousands of passages, each known by its ordinal from 0. It is never changed but for
 * `lengths`, where 0 marks a passage that is gone.
 */
export interface Segment {
  passages: number;
  /** Words of each passage; 0 for one that is gone. */
  lengths: Uint32Array;
  /** The number of each passage's source. */
  sources: Uint32Array;
  /** Stems that so many of the passages hold that they tell hardly anything. */
  common: string[];
  /** How many stems have no trigram, one, two …, by which they are numbered. */
  wordSizes: number[];
  /** Terms are spread over so many buckets of each list by their hash, so that few bytes are read for a query. */
  bucketCount: Record<TermList, number>;
  /** Of `words` a bucket is a block of the vocabulary. */
  buckets: { list: SegmentList; bucket: number; bytes: Buffer }[];
}

/** A passage to be indexed. */
export interface Passage {
  source: number;
  terms: TermCounts;
}

/** The share of the passages above which a stem is common. */
const COMMON = 0.5;
/** A bucket of about this many bytes still lies in the row of its table. */
const BUCKET_BYTES = 1_500;
const MAX_BUCKETS = 8_192;

/** What the bucket of a term follows from: the first bytes of its MD5, the last of them first. */
export function termHash(term: string): number {
  const hex = hash('md5', term);
  return parseInt(hex.slice(6, 8) + hex.slice(4, 6) + hex.slice(2, 4) + hex.slice(0, 2), 16);
}

/** The bucket of a term. @param count a power of two */
export const bucketOf = (hash: number, count: number): number => hash & (count - 1);

type Terms = Map<string, PostingsWriter>;

/** Puts passages into a segment. */
export class SegmentBuilder {
  private readonly stems: Terms = new Map();
  private readonly lengths: number[] = [];
  private readonly sources: number[] = [];

  /** @returns the passage's ordinal */
  add({ source, terms }: Passage): number {
    const ordinal = this.sources.length;
    for (const [stem, times] of terms.counts) this.writerOf(stem).add(ordinal, times);
    // A passage without a word is there, too: 0 would say that it is gone.
    this.lengths.push(Math.max(1, terms.length));
    this.sources.push(source);
    return ordinal;
  }

  /**
   * Adds what is left of another segment.
   *
   * @param segment with all buckets of its stems, in any order
   * @returns the new ordinal of each passage; -1 for one that is gone
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
      if (list === 'stems')
        for (const [stem, postings] of readBucket(bytes)) this.copy(stem, postings, ordinals);
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

  /** Takes the postings of a stem over; one that only passages had which are gone goes with them. */
  private copy(stem: string, postings: Postings, ordinals: Int32Array): void {
    let writer = this.stems.get(stem);
    const { ordinals: before, times } = openPostings(postings);
    for (let place = 0; place < before.length; place++) {
      const ordinal = ordinals[before[place]!]!;
      if (ordinal < 0) continue;
      writer ??= this.writerOf(stem);
      writer.add(ordinal, times[place]!);
    }
  }

  private writerOf(stem: string): PostingsWriter {
    let writer = this.stems.get(stem);
    if (!writer) this.stems.set(stem, (writer = new PostingsWriter()));
    return writer;
  }
}

function bucketsOf(list: TermList, terms: Terms): { count: number; buckets: Segment['buckets'] } {
  let bytes = 0;
  for (const [term, postings] of terms) bytes += term.length + 3 + postings.written().length;
  const wanted = 2 ** Math.ceil(Math.log2(Math.max(1, bytes / BUCKET_BYTES)));
  const count = Math.min(MAX_BUCKETS, wanted);
  const byBucket = new Map<number, [string, Postings][]>();
  for (const [term, postings] of terms) {
    const bucket = bucketOf(termHash(term), count);
    const entry: [string, Postings] = [term, { count: postings.count, bytes: postings.written() }];
    const others = byBucket.get(bucket);
    if (others) others.push(entry);
    else byBucket.set(bucket, [entry]);
  }
  const buckets = [...byBucket].map(([bucket, entries]) => ({ list, bucket, bytes: writeBucket(entries) }));
  return { count, buckets };
}
