import type { SendStatement } from '#db/statements.js';
import { rankBm25, type Ranked, type ScoredSegment } from '../index/bm25.js';
import { emphasisOf, readQuery, withoutCommon, withSimilar, type LexicalQuery } from '../index/lexical.js';
import { rankSimilar, type SimilarGroup } from '../index/similar.js';
import { mostSimilar, nearestWords, type NumberedWord } from '../index/vocabulary.js';
import { LISTED } from '../index/weights.js';
import type { StoredSegment } from '../store/segments.js';
import { trigramsOf } from '../text/words.js';
import { PostingsReader } from './postings-reader.js';

/** Number of passages from which common words are left out of the search. */
const SMALL = 2_000;

/** Results of the lexical search. */
export interface LexicalLists {
  query: LexicalQuery;
  lists: { stems: Ranked[]; trigrams: Ranked[] };
}

/**
 * Ranks the passages of segments by both lexical lists.
 *
 * @param allows returns whether a source, given by its number, may be found; absent for all
 */
export async function rankLexically(
  send: SendStatement,
  segments: StoredSegment[],
  text: string,
  allows?: (source: number) => boolean,
): Promise<LexicalLists> {
  const query = readQuery(text, [...new Set(segments.flatMap(({ languages }) => languages))]);
  const isCommon = commonIn(segments);
  const stems = withoutCommon(query.stems, isCommon);
  const reader = new PostingsReader(send, segments);
  const groups = await findSimilar(reader, segments, withSimilar(stems), isCommon);
  const similar = groups.map((group) => ({ ...group, emphasis: emphasisOf(group.own, query.emphasis) }));
  const terms = new Set([
    ...stems.flat(),
    ...similar.flatMap((group) => group.similar.map(({ term }) => term)),
  ]);
  const postings = await reader.find('stems', terms);
  const scored = segments.map((segment, place): ScoredSegment => ({
    lengths: segment.known.lengths,
    postings: postings[place]!,
    ...(allows && { allows: (ordinal: number) => allows(segment.sources[ordinal]!) }),
  }));
  const { emphasis } = query;
  const lists = {
    stems: rankBm25(scored, stems, LISTED, { emphasis }),
    trigrams: rankSimilar(scored, similar, LISTED),
  };
  return { query, lists };
}

/** Returns a predicate for terms that occur in most passages: reading their postings is not worthwhile. */
function commonIn(segments: StoredSegment[]): (term: string) => boolean {
  const passages = segments.reduce((sum, segment) => sum + segment.passages, 0);
  if (passages < SMALL) return () => false;
  const holding = new Map<string, number>();
  for (const segment of segments)
    for (const term of segment.common.split('\n'))
      holding.set(term, (holding.get(term) ?? 0) + segment.passages);
  return (term) => (holding.get(term) ?? 0) > passages / 2;
}

/**
 * Finds the words of the segments that are similar to a query's words.
 *
 * @param asked the stems of each query word
 */
async function findSimilar(
  reader: PostingsReader,
  segments: StoredSegment[],
  asked: string[][],
  isCommon: (term: string) => boolean,
): Promise<SimilarGroup[]> {
  const grams = new Map(asked.flat().map((stem) => [stem, [...new Set(trigramsOf(stem))]]));
  const postings = await reader.find('trigrams', new Set([...grams.values()].flat()));
  const nearest = segments.map(
    ({ wordSizes }, place) =>
      new Map(Array.from(grams, ([stem, own]) => [stem, nearestWords(own, postings[place]!, wordSizes)])),
  );
  const words = await reader.words(nearest.map((ofSegment) => numbersOf(ofSegment.values())));
  return asked.map((own) => {
    const found = segments.flatMap((_, place) =>
      own.flatMap((stem) =>
        nearest[place]!.get(stem)!.map(({ number, similarity }) => ({
          term: words[place]!.get(number)!,
          similarity,
        })),
      ),
    );
    return { own, similar: mostSimilar(found.filter(({ term }) => own.includes(term) || !isCommon(term))) };
  });
}

const numbersOf = (nearest: Iterable<NumberedWord[]>) =>
  new Set([...nearest].flatMap((words) => words.map(({ number }) => number)));
