import type { SendStatement } from '#db/statements.js';
import { findInBucket, soughtTerms, type Postings } from '../index/postings.js';
import { bucketOf, termHash, type TermList } from '../index/segment.js';
import { wordIn, WORDS_IN_BLOCK } from '../index/vocabulary.js';
import type { DictionaryList } from '../store/segment-memory.js';
import { readBuckets, type BucketRequest, type BucketRow, type StoredSegment } from '../store/segments.js';

const NOTHING = Buffer.alloc(0);

/**
 * Reads the parts of segments that a query needs, with one statement for all segments. Dictionary parts are
 * read only if they are not cached.
 */
export class PostingsReader {
  constructor(
    private readonly send: SendStatement,
    private readonly segments: StoredSegment[],
  ) {}

  /** @returns for each segment, the postings of the terms that occur in it */
  async find(list: TermList, terms: ReadonlySet<string>): Promise<Map<string, Postings>[]> {
    const found = this.segments.map(() => new Map<string, Postings>());
    const hashes = [...terms].map(termHash);
    const requests = this.segments.flatMap(({ bucketCount }, segment): BucketRequest[] => {
      if (bucketCount[list] === 0) return [];
      const buckets = new Set(hashes.map((hash) => bucketOf(hash, bucketCount[list])));
      return [...buckets].map((bucket) => ({ segment, bucket }));
    });
    const sought = soughtTerms(terms);
    const values =
      list === 'stems'
        ? await readBuckets(this.send, this.segments, list, requests)
        : await this.dictionary(list, requests);
    for (const { segment, bytes } of values)
      for (const [term, postings] of findInBucket(bytes, sought)) found[segment]!.set(term, postings);
    return found;
  }

  /**
   * @param numbers numbers of words, for each segment. @returns for each segment, its words by their numbers
   */
  async words(numbers: Set<number>[]): Promise<Map<number, string>[]> {
    const bucketRequests = numbers.flatMap((ofSegment, segment): BucketRequest[] => {
      const blocks = new Set([...ofSegment].map((number) => Math.floor(number / WORDS_IN_BLOCK)));
      return [...blocks].map((bucket) => ({ segment, bucket }));
    });
    await this.dictionary('words', bucketRequests);
    return numbers.map(
      (ofSegment, segment) =>
        new Map(
          Array.from(ofSegment, (number) => {
            const block = this.segments[segment]!.known.bucket('words', Math.floor(number / WORDS_IN_BLOCK))!;
            return [number, wordIn(block, number)];
          }),
        ),
    );
  }

  private async dictionary(list: DictionaryList, wanted: BucketRequest[]): Promise<BucketRow[]> {
    const { send, segments } = this;
    const missing = wanted.filter(({ segment, bucket }) => !segments[segment]!.known.bucket(list, bucket));
    for (const { segment, bucket, bytes } of await readBuckets(send, segments, list, missing))
      segments[segment]!.known.keep(list, bucket, bytes);
    return wanted.map(({ segment, bucket }) => {
      const { known } = segments[segment]!;
      // Cache missing buckets as empty, so that they are not read again.
      if (!known.bucket(list, bucket)) known.keep(list, bucket, NOTHING);
      return { segment, bucket, bytes: known.bucket(list, bucket)! };
    });
  }
}
