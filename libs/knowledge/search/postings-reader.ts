import type { Database } from '#db/client.js';
import type { SendStatement } from '#db/statements.js';
import { findInBucket, soughtTerms, type Postings } from '../index/postings.js';
import { bucketOf, termHash, type TermList } from '../index/segment.js';
import { wordIn, WORDS_IN_BLOCK } from '../index/vocabulary.js';
import { readBuckets, type BucketRequest, type StoredSegment } from '../store/segments.js';

/** What earlier queries of this process read in a segment; null for a term that it lacks. */
interface KnownParts extends Record<TermList, Map<string, Postings | null>> {
  words: Map<number, string>;
}

/** Limit of what a process knows of a database, in bytes. */
const MAX_BYTES = 64 * 2 ** 20;
/** Memory of an entry in addition to its postings. */
const ENTRY_BYTES = 150;

/** What a process knows of segments. Postings never change, so that it stays true. */
class Known {
  private static readonly ofDatabases = new WeakMap<Database, Known>();
  private readonly segments = new Map<string, KnownParts>();
  private bytes = 0;

  static of(db: Database): Known {
    let known = Known.ofDatabases.get(db);
    if (!known || known.bytes > MAX_BYTES) Known.ofDatabases.set(db, (known = new Known()));
    return known;
  }

  /** Names a segment also by what its row says about its words: a database that goes back to a backup gives an ID twice. */
  parts({ id, passages, wordSizes, common }: StoredSegment): KnownParts {
    const key = `${id} ${passages} ${wordSizes.join()} ${common}`;
    let parts = this.segments.get(key);
    if (!parts) this.segments.set(key, (parts = { stems: new Map(), trigrams: new Map(), words: new Map() }));
    return parts;
  }

  add<K, V>(entries: Map<K, V>, key: K, value: V, bytes = 0): void {
    entries.set(key, value);
    this.bytes += ENTRY_BYTES + bytes;
  }
}

/** Reads the parts of segments that a query needs and this process does not know, with one statement for all segments. */
export class PostingsReader {
  private readonly known: Known;
  private readonly parts: KnownParts[];

  constructor(
    db: Database,
    private readonly send: SendStatement,
    private readonly segments: StoredSegment[],
  ) {
    this.known = Known.of(db);
    this.parts = segments.map((segment) => this.known.parts(segment));
  }

  /** @returns for each segment, the postings of the terms that occur in it */
  async find(list: TermList, terms: ReadonlySet<string>): Promise<Map<string, Postings>[]> {
    const missing = this.parts.map((own) => [...terms].filter((term) => !own[list].has(term)));
    const requests = this.segments.flatMap(({ bucketCount }, segment): BucketRequest[] => {
      if (bucketCount[list] === 0) return [];
      const buckets = new Set(missing[segment]!.map((term) => bucketOf(termHash(term), bucketCount[list])));
      return [...buckets].map((bucket) => ({ segment, bucket }));
    });
    const sought = soughtTerms(new Set(missing.flat()));
    for (const { segment, bytes } of await readBuckets(this.send, this.segments, list, requests))
      for (const [term, { count, bytes: view }] of findInBucket(bytes, sought))
        // A view would keep the whole bucket in memory.
        this.known.add(this.parts[segment]![list], term, { count, bytes: Buffer.from(view) }, view.length);
    for (const [segment, own] of this.parts.entries())
      for (const term of missing[segment]!) if (!own[list].has(term)) this.known.add(own[list], term, null);
    return this.parts.map((own) => {
      const found = new Map<string, Postings>();
      for (const term of terms) {
        const postings = own[list].get(term);
        if (postings) found.set(term, postings);
      }
      return found;
    });
  }

  /**
   * @param numbers numbers of words, for each segment
   * @returns for each segment, a map with at least these words, by their numbers
   */
  async words(numbers: Set<number>[]): Promise<Map<number, string>[]> {
    const missing = numbers.map((ofSegment, segment) =>
      [...ofSegment].filter((number) => !this.parts[segment]!.words.has(number)),
    );
    const requests = missing.flatMap((ofSegment, segment): BucketRequest[] =>
      [...new Set(ofSegment.map(blockOf))].map((bucket) => ({ segment, bucket })),
    );
    for (const { segment, bucket, bytes } of await readBuckets(this.send, this.segments, 'words', requests))
      for (const number of missing[segment]!.filter((one) => blockOf(one) === bucket))
        this.known.add(this.parts[segment]!.words, number, wordIn(bytes, number));
    return this.parts.map(({ words }) => words);
  }
}

const blockOf = (number: number) => Math.floor(number / WORDS_IN_BLOCK);
