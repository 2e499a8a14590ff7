import type { SendStatement } from '#db/statements.js';
import { findInBucket, soughtTerms, type Postings } from '../index/postings.js';
import { bucketOf, termHash, type TermList } from '../index/segment.js';
import { wordIn, WORDS_IN_BLOCK } from '../index/vocabulary.js';
import { readBuckets, type BucketRequest, type StoredSegment } from '../store/segments.js';

/** Looks up what a query needs of segments, all of them in one statement. */
export class PostingsReader {
  constructor(
    private readonly send: SendStatement,
    private readonly segments: StoredSegment[],
  ) {}

  /** @returns for each segment the postings of those of the terms that it has */
  async find(list: TermList, terms: ReadonlySet<string>): Promise<Map<string, Postings>[]> {
    const found = this.segments.map(() => new Map<string, Postings>());
    const hashes = [...terms].map(termHash);
    const wanted = this.segments.flatMap(({ bucketCount }, segment): BucketRequest[] => {
      if (bucketCount[list] === 0) return [];
      const buckets = new Set(hashes.map((hash) => bucketOf(hash, bucketCount[list])));
      return [...buckets].map((bucket) => ({ segment, list, bucket }));
    });
    const sought = soughtTerms(terms);
    for (const { segment, bytes } of await this.read(wanted))
      for (const [term, postings] of findInBucket(bytes, sought)) found[segment]!.set(term, postings);
    return found;
  }

  /** @param numbers of words, for each segment. @returns for each segment the words by their numbers */
  async words(numbers: Set<number>[]): Promise<Map<number, string>[]> {
    const wanted = numbers.flatMap((ofSegment, segment): BucketRequest[] => {
      const blocks = new Set([...ofSegment].map((number) => Math.floor(number / WORDS_IN_BLOCK)));
      return [...blocks].map((bucket) => ({ segment, list: 'words', bucket }));
    });
    const found = this.segments.map(() => new Map<number, string>());
    for (const { segment, bucket, bytes } of await this.read(wanted))
      for (const number of numbers[segment]!)
        if (Math.floor(number / WORDS_IN_BLOCK) === bucket)
          found[segment]!.set(number, wordIn(bytes, number));
    return found;
  }

  private async read(wanted: BucketRequest[]) {
    return wanted.length === 0 ? [] : readBuckets(this.send, this.segments, wanted);
  }
}
