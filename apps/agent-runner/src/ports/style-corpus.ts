import type { Database } from '#db/client.js';
import type { StyleFragment, StylePort } from '#kinds/article/ports.js';
import type { IndexWork } from '#knowledge/ingest/work.js';
import { search } from '#knowledge/search/search.js';
import type { HeldRun } from '#run-engine/kind.js';
import type { ObjectStore } from '#storage/object-store.js';
import type { StyleText } from '#writing/style/fingerprint.js';
import { collectionsOf } from './article-collections.js';
import { indexWaiting } from './passages.js';

/** Texts of a corpus that are read for its fingerprint, and their characters in all; more say little more. */
const MAX_TEXTS = 200;
const MAX_CHARACTERS = 2_000_000;
/** Own passages below which those of others fill up (A9). */
const ENOUGH_OWN = 3;

/** The style corpora of a run (A9). */
export class StyleCorpus implements StylePort {
  private collections: Promise<string[]> | null = null;

  constructor(
    private readonly tools: { db: Database; store: ObjectStore; work: IndexWork },
    private readonly run: HeldRun,
    private readonly named: string[] | undefined,
    private readonly topK: number,
    private readonly signal: AbortSignal,
  ) {}

  async fragments(query: string): Promise<StyleFragment[]> {
    const collections = await this.open();
    if (collections.length === 0 || query.trim() === '') return [];
    const request = { collections, query, k: 4 * this.topK };
    const { hits } = await search(this.tools.db, this.run.tenantId, request);
    const found = hits.map(({ text, source_title, source_name, author }): StyleFragment => ({
      text,
      source_title: source_title ?? source_name,
      author,
      source_type: 'own',
    }));
    return ownFirst(found, this.topK);
  }

  async texts(): Promise<StyleText[]> {
    const collections = await this.open();
    const sources = await this.tools.db.knowledgeSource.findMany({
      where: { collectionId: { in: collections }, tenantId: this.run.tenantId, state: 'ready' },
      orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
      take: MAX_TEXTS,
    });
    const texts: StyleText[] = [];
    let characters = 0;
    for (const { textKey, title, name } of sources) {
      if (textKey === null || characters > MAX_CHARACTERS) continue;
      const text = Buffer.from(await this.tools.store.getBytes(textKey)).toString('utf8');
      characters += text.length;
      texts.push({ title: title ?? name, text });
    }
    return texts;
  }

  private open(): Promise<string[]> {
    this.collections ??= this.find();
    return this.collections;
  }

  private async find(): Promise<string[]> {
    const collections = await collectionsOf(this.tools.db, this.run, 'style', this.named);
    await indexWaiting(this.tools, this.run.tenantId, collections, this.signal);
    return collections;
  }
}

/** Own passages first; those of others fill up when there are too few (A9). */
export function ownFirst(found: StyleFragment[], k: number): StyleFragment[] {
  const own = found.filter((fragment) => fragment.source_type === 'own').slice(0, k);
  if (own.length >= ENOUGH_OWN) return own;
  return [...own, ...found.filter((fragment) => fragment.source_type === 'external')].slice(0, k);
}
