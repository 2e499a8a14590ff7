import type { SendStatement } from '#db/statements.js';
import { rankBm25, type Ranked, type ScoredSegment } from '../index/bm25.js';
import { readQuery, withoutCommon, type LexicalQuery } from '../index/lexical.js';
import { findInBucket, type Postings } from '../index/postings.js';
import { bucketOf } from '../index/segment.js';
import { termLists, type TermList } from '../index/terms.js';
import { LISTED } from '../index/weights.js';
import { readBuckets, type BucketRequest, type StoredSegment } from '../store/segments.js';

/** Passages of fewer than this many are searched for every word; in more, common words are left out. */
const SMALL = 2_000;

/** What the lexical lists found. */
export interface LexicalLists {
  query: LexicalQuery;
  lists: Record<TermList, Ranked[]>;
}

/**
 * Ranks the passages of segments by both lexical lists.
 *
 * @param allows tells by a source's number whether it may be found; all may when absent
 */
export async function rankLexically(
  send: SendStatement,
  segments: StoredSegment[],
  text: string,
  allows?: (source: number) => boolean,
): Promise<LexicalLists> {
  const query = readQuery(text, [...new Set(segments.flatMap(({ languages }) => languages))]);
  const groups = {
    stems: rare(segments, 'stems', query.stems),
    trigrams: rare(segments, 'trigrams', query.trigrams),
  };
  const postings = await lookUp(send, segments, groups);
  const rank = (list: TermList) => {
    const scored = segments.map((segment, place): ScoredSegment => ({
      lengths: segment.lengths[list],
      postings: postings[list][place]!,
      ...(allows && { allows: (ordinal: number) => allows(segment.sources[ordinal]!) }),
    }));
    return rankBm25(scored, groups[list], LISTED);
  };
  return { query, lists: { stems: rank('stems'), trigrams: rank('trigrams') } };
}

/** Terms that are common in most of the passages are not worth the reading of their postings. */
function rare(segments: StoredSegment[], list: TermList, groups: string[][]): string[][] {
  const passages = segments.reduce((sum, segment) => sum + segment.passages, 0);
  if (passages < SMALL) return groups;
  return withoutCommon(groups, (term) => {
    const line = `\n${term}\n`;
    const holding = segments.filter(({ common }) => common[list].includes(line));
    return holding.reduce((sum, segment) => sum + segment.passages, 0) > passages / 2;
  });
}

/** The postings of the terms, by list and by place of the segment. */
async function lookUp(
  send: SendStatement,
  segments: StoredSegment[],
  groups: Record<TermList, string[][]>,
): Promise<Record<TermList, Map<string, Postings>[]>> {
  const terms = { stems: new Set(groups.stems.flat()), trigrams: new Set(groups.trigrams.flat()) };
  const wanted: BucketRequest[] = [];
  for (const [segment, { bucketCount }] of segments.entries())
    for (const list of termLists) {
      const buckets = new Set([...terms[list]].map((term) => bucketOf(term, bucketCount[list])));
      for (const bucket of buckets) wanted.push({ segment, list, bucket });
    }
  const found = {
    stems: segments.map(() => new Map<string, Postings>()),
    trigrams: segments.map(() => new Map<string, Postings>()),
  };
  if (wanted.length === 0) return found;
  for (const { segment, list, bytes } of await readBuckets(send, segments, wanted))
    for (const [term, postings] of findInBucket(bytes, terms[list]))
      found[list][segment]!.set(term, postings);
  return found;
}
