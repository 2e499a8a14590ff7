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
    this.postings = new Map(
      [...writers].map(([term, writer]) => [
        term,
        { count: writer.count, bytes: Buffer.from(writer.written()) },
      ]),
    );
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
