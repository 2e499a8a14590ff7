import { createHash } from 'node:crypto';
import { PostingsWriter, readBucket, readPostings, writeBucket, type Postings } from './postings.js';
import { termLists, type IndexedText, type TermList } from './terms.js';

/**
 * A part of an inverted index: up to some thousands of passages, each known by its ordinal from 0. It is never changed but for
 * `lengths`, where 0 marks a passage that is gone.
 */
export interface Segment {
  passages: number;
  /** Terms of each passage, by list; 0 for one that is gone. */
  lengths: Record<TermList, Uint32Array>;
  /** The number of each passage's source. */
  sources: Uint32Array;
  /** Terms that so many of the passages hold that they tell hardly anything. */
  common: Record<TermList, string[]>;
  /** Terms are spread over so many buckets of each list by their hash, so that few bytes are read for a query. */
  bucketCount: Record<TermList, number>;
  buckets: { list: TermList; bucket: number; bytes: Buffer }[];
}

/** A passage to be indexed. */
export interface Passage {
  source: number;
  terms: IndexedText;
}

/** The share of the passages above which a term is common. */
const COMMON: Record<TermList, number> = { stems: 0.5, trigrams: 0.2 };
/** A bucket of about this many bytes still lies in the row of its table. */
const BUCKET_BYTES = 1_500;
const MAX_BUCKETS = 8_192;

/** The bucket of a term. @param count a power of two */
export function bucketOf(term: string, count: number): number {
  return createHash('md5').update(term).digest().readUInt32LE(0) & (count - 1);
}

type Terms = Map<string, PostingsWriter>;

/** Puts passages into a segment. */
export class SegmentBuilder {
  private readonly terms: Record<TermList, Terms> = { stems: new Map(), trigrams: new Map() };
  private readonly lengths: Record<TermList, number[]> = { stems: [], trigrams: [] };
  private readonly sources: number[] = [];

  /** @returns the passage's ordinal */
  add({ source, terms }: Passage): number {
    const ordinal = this.sources.length;
    for (const list of termLists) {
      for (const [term, times] of terms[list].counts) this.post(list, term, ordinal, times);
      this.push(list, terms[list].length);
    }
    this.sources.push(source);
    return ordinal;
  }

  /**
   * Adds what is left of another segment.
   *
   * @param buckets all of that segment, in any order
   * @returns the new ordinal of each passage; -1 for one that is gone
   */
  append(segment: Segment): Int32Array {
    const ordinals = new Int32Array(segment.passages).fill(-1);
    for (let old = 0; old < segment.passages; old++) {
      if (segment.lengths.stems[old] === 0) continue;
      ordinals[old] = this.sources.length;
      for (const list of termLists) this.lengths[list].push(segment.lengths[list][old]!);
      this.sources.push(segment.sources[old]!);
    }
    for (const { list, bytes } of segment.buckets)
      for (const [term, postings] of readBucket(bytes))
        readPostings(postings, (old, times) => {
          if (ordinals[old]! >= 0) this.post(list, term, ordinals[old]!, times);
        });
    return ordinals;
  }

  build(): Segment {
    const passages = this.sources.length;
    const built = termLists.map((list) => bucketsOf(list, this.terms[list]));
    const commonOf = (list: TermList) =>
      [...this.terms[list]].filter(([, { count }]) => count > COMMON[list] * passages).map(([term]) => term);
    return {
      passages,
      lengths: {
        stems: Uint32Array.from(this.lengths.stems),
        trigrams: Uint32Array.from(this.lengths.trigrams),
      },
      sources: Uint32Array.from(this.sources),
      common: { stems: commonOf('stems'), trigrams: commonOf('trigrams') },
      bucketCount: { stems: built[0]!.count, trigrams: built[1]!.count },
      buckets: built.flatMap(({ buckets }) => buckets),
    };
  }

  private post(list: TermList, term: string, ordinal: number, times: number): void {
    let postings = this.terms[list].get(term);
    if (!postings) this.terms[list].set(term, (postings = new PostingsWriter()));
    postings.add(ordinal, times);
  }

  /** A passage without a word is there, too: 0 would say that it is gone. */
  private push(list: TermList, length: number): void {
    this.lengths[list].push(Math.max(1, length));
  }
}

function bucketsOf(list: TermList, terms: Terms): { count: number; buckets: Segment['buckets'] } {
  let bytes = 0;
  for (const [term, postings] of terms) bytes += term.length + 3 + postings.written().length;
  const wanted = 2 ** Math.ceil(Math.log2(Math.max(1, bytes / BUCKET_BYTES)));
  const count = Math.min(MAX_BUCKETS, wanted);
  const byBucket = new Map<number, [string, Postings][]>();
  for (const [term, postings] of terms) {
    const bucket = bucketOf(term, count);
    const entry: [string, Postings] = [term, { count: postings.count, bytes: postings.written() }];
    const others = byBucket.get(bucket);
    if (others) others.push(entry);
    else byBucket.set(bucket, [entry]);
  }
  const buckets = [...byBucket].map(([bucket, entries]) => ({ list, bucket, bytes: writeBucket(entries) }));
  return { count, buckets };
}
