import type { StylePort } from '../graph/ports.js';
import type { StyleFragment } from '../graph/state.js';
import type { IndexerTools } from '#knowledge/ingest/index-source.js';
import type { SemanticSearch } from '#knowledge/search/search.js';
import { readStyleTexts, styleTypeOf } from '../style/corpus.js';
import { stylePassages } from '../style/passages.js';
import type { HeldRun } from '#engine/kind.js';
import type { StyleText } from '#writing/style/fingerprint.js';
import { openCollections } from './collections.js';

/** Style corpora of a run (A9). */
export class StyleCorpus implements StylePort {
  private collections: Promise<string[]> | null = null;

  constructor(
    private readonly tools: IndexerTools,
    private readonly run: HeldRun,
    private readonly named: string[] | undefined,
    private readonly topK: number,
    private readonly signal: AbortSignal,
    private readonly semantic?: SemanticSearch,
  ) {}

  async fragments(query: string): Promise<StyleFragment[]> {
    const collections = await this.open();
    const { db } = this.tools;
    const hits = await stylePassages(db, this.run.tenantId, collections, query, this.topK, this.semantic);
    return hits.map(({ text, source_title, source_name, author, priority }): StyleFragment => ({
      text,
      source_title: source_title ?? source_name,
      author,
      source_type: styleTypeOf(priority),
    }));
  }

  async texts(): Promise<StyleText[]> {
    return readStyleTexts(this.tools, this.run.tenantId, await this.open());
  }

  private open(): Promise<string[]> {
    this.collections ??= openCollections(this.tools, this.run, 'style', this.named, this.signal);
    return this.collections;
  }
}
