import { stemOf } from '#knowledge/text/stems.js';
import { wordsOf } from '#knowledge/text/words.js';
import { rankBm25, type Bm25Weights } from '#knowledge/index/bm25.js';
import { PostingsWriter, type Postings } from '#knowledge/index/postings.js';

/** In-memory index over lists of terms, scored by BM25. It is immutable: rebuild it if the texts change. */
export class TermIndex {
  private readonly postings: Map<string, Postings>;
  private readonly lengths: Uint32Array;

  /** @param documents the terms of each document; a document without terms is never found */
  constructor(
    documents: readonly (readonly string[])[],
    private readonly weights: Bm25Weights,
  ) {
    this.lengths = Uint32Array.from(documents, ({ length }) => length);
    const writers = new Map<string, PostingsWriter>();
    for (const [document, terms] of documents.entries()) {
      for (const [term, count] of counted(terms)) {
        let writer = writers.get(term);
        if (!writer) writers.set(term, (writer = new PostingsWriter()));
        writer.add(document, count);
      }
    }
    this.postings = new Map([...writers].map(([term, writer]) => [term, writer.postings()]));
  }

  /** Returns the score of each document, by position; 0 for documents that share no term with the query. */
  scores(query: readonly string[]): Float64Array {
    const scores = new Float64Array(this.lengths.length);
    const segment = { lengths: this.lengths, postings: this.postings };
    const groups = query.map((term) => [term]);
    for (const { ordinal, score } of rankBm25([segment], groups, scores.length, {
      weights: this.weights,
    }))
      scores[ordinal] = score;
    return scores;
  }
}

function counted(terms: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1);
  return counts;
}

/** Words that are common in requests and descriptions on any subject. */
const STOP_WORDS = new Set(
  (
    'a an the and or but of to in on at by for from with as is are was were be been being do does did done has have had having it its this that ' +
    'these those i you he she we they me him us them my your his her our their what which who whom how can could may might must shall should ' +
    'will would please'
  ).split(' '),
);

/**
 * Returns the search terms of a text about tools: stems of its words, with camelCase names split and stop
 * words removed.
 */
export function termsOf(text: string): string[] {
  const apart = text
    .replace(/([\p{Ll}\p{N}])(\p{Lu})/gu, '$1 $2')
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2')
    .replaceAll('_', ' ');
  return wordsOf(apart)
    .filter((word) => !STOP_WORDS.has(word))
    .map((word) => stemOf(word, 'en'));
}

/** Maximum number of texts in the cache of terms: a few megabytes. */
const MOST_KEPT = 20_000;
const kept = new Map<string, readonly string[]>();

/** Cached `termsOf` for the texts of an index: indexes are rebuilt far more often than tools change. */
export function keptTermsOf(text: string): readonly string[] {
  const known = kept.get(text);
  if (known) return known;
  const terms = termsOf(text);
  if (kept.size >= MOST_KEPT) kept.delete(kept.keys().next().value!);
  kept.set(text, terms);
  return terms;
}
