import { rankBm25, type Ranked, type ScoredSegment } from './index/bm25.js';
import { fuseRanks, type ListPlace, LISTED, trigramWeight } from './index/fuse.js';
import { emphasisOf, matchedWords, readQuery, withSimilar } from './index/lexical.js';
import { readBucket, type Postings } from './index/postings.js';
import { SegmentBuilder, countTerms } from './index/segment.js';
import { rankSimilar } from './index/similar.js';
import { mostSimilarOf } from './index/vocabulary.js';
import { detectLanguage } from './text/languages.js';

interface RankedText {
  /** Index of the text in the input. */
  index: number;
  /** 0 to 1, relative to the best text. */
  score: number;
  parts: { bm25: ListPlace | null; trigrams: ListPlace | null };
  /** Words of the query that occur in the text. */
  matchedTerms: string[];
}

interface RankTextsOptions {
  /** ISO 639-1 code of all texts; by default it is detected for each text. */
  language?: string;
  /** Maximum number of results (all matches). */
  k?: number;
}

/**
 * Ranks texts that it indexes in memory, for up to some thousand texts that are searched about as often as
 * they change, such as the catalogue of tools. Ranks like the search of collections: BM25 over stems and over
 * similar words, fused by rank.
 */
export class TextRanker {
  private readonly segment: ScoredSegment;
  private readonly languages: (string | null)[];

  constructor(texts: string[], { language }: Pick<RankTextsOptions, 'language'> = {}) {
    const builder = new SegmentBuilder();
    const languages = texts.map((text) => language ?? detectLanguage(text));
    texts.forEach((text, at) => builder.add({ source: at, terms: countTerms(text, languages[at]!) }));
    const { lengths, buckets } = builder.build();
    const postings = new Map<string, Postings>();
    for (const { list, bytes } of buckets)
      if (list === 'stems') for (const [stem, found] of readBucket(bytes)) postings.set(stem, found);
    this.segment = { lengths, postings };
    this.languages = [...new Set(languages)];
  }

  /** Returns the texts that match a query, best first. */
  rank(query: string, k = this.segment.lengths.length): RankedText[] {
    const asked = readQuery(query, this.languages);
    const stems = rankBm25([this.segment], asked.stems, LISTED, { emphasis: asked.emphasis });
    const similar = withSimilar(asked.stems).map((own) => ({
      own,
      similar: mostSimilarOf(this.segment.postings.keys(), own),
      emphasis: emphasisOf(own, asked.emphasis),
    }));
    const trigrams = rankSimilar([this.segment], similar, LISTED);
    const matched = new Map(stems.map((found) => [String(found.ordinal), found.matched]));
    const items = (list: Ranked[]) => list.map(({ ordinal, score }) => ({ key: String(ordinal), score }));
    const fused = fuseRanks({
      bm25: { items: items(stems), weight: 1 },
      trigrams: { items: items(trigrams), weight: trigramWeight(this.languages) },
    });
    return fused.slice(0, k).map(({ key, relevance, places }) => ({
      index: Number(key),
      score: relevance,
      parts: { bm25: places.bm25 ?? null, trigrams: places.trigrams ?? null },
      matchedTerms: matchedWords(asked, matched.get(key) ?? 0),
    }));
  }
}

/** Ranks texts for a single query. For several queries over the same texts, reuse a `TextRanker`. */
export function rankTexts(query: string, texts: string[], options: RankTextsOptions = {}): RankedText[] {
  return new TextRanker(texts, options).rank(query, options.k);
}
