import { rankBm25, type Ranked } from './index/bm25.js';
import { fuseRanks, type ListPlace } from './index/fuse.js';
import { matchedWords, readQuery } from './index/lexical.js';
import { findInBucket, type Postings } from './index/postings.js';
import { SegmentBuilder, type Segment } from './index/segment.js';
import { countTerms, type TermList } from './index/terms.js';
import { LISTED, trigramWeight } from './index/weights.js';
import { detectLanguage } from './text/languages.js';

export interface RankedText {
  /** The place of the text among those given. */
  index: number;
  /** 0 to 1, by the best. */
  score: number;
  parts: { bm25: ListPlace | null; trigrams: ListPlace | null };
  /** Words of the query that the text holds. */
  matchedTerms: string[];
}

export interface RankTextsOptions {
  /** ISO 639-1 code of all texts; detected for each by default. */
  language?: string;
  /** At most so many (all that match). */
  k?: number;
}

/**
 * Texts indexed in memory, for sets of up to some thousands that are searched as often as they are built: the catalogue of tools, a few
 * fragments. Ranks as the search of collections does: BM25 over stems and over character trigrams, fused by rank.
 */
export class TextRanker {
  private readonly segment: Segment;
  private readonly languages: (string | null)[];

  constructor(texts: string[], { language }: Pick<RankTextsOptions, 'language'> = {}) {
    const builder = new SegmentBuilder();
    const languages = texts.map((text) => language ?? detectLanguage(text));
    texts.forEach((text, at) => builder.add({ source: at, terms: countTerms(text, languages[at]!) }));
    this.segment = builder.build();
    this.languages = [...new Set(languages)];
  }

  /** The texts that match a query, best first. */
  rank(query: string, k = this.segment.passages): RankedText[] {
    const asked = readQuery(query, this.languages);
    const stems = this.list('stems', asked.stems);
    const trigrams = this.list('trigrams', asked.trigrams);
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

  private list(list: TermList, groups: string[][]): Ranked[] {
    const wanted = new Set(groups.flat());
    const postings = new Map<string, Postings>();
    for (const bucket of this.segment.buckets)
      if (bucket.list === list)
        for (const [term, found] of findInBucket(bucket.bytes, wanted)) postings.set(term, found);
    return rankBm25([{ lengths: this.segment.lengths[list], postings }], groups, LISTED);
  }
}

/** Ranks a few texts for one query; for several queries over the same texts keep a `TextRanker`. */
export function rankTexts(query: string, texts: string[], options: RankTextsOptions = {}): RankedText[] {
  return new TextRanker(texts, options).rank(query, options.k);
}
