import type { CollectionSync } from '#catalogue/schedule-schemas.js';
import type { GatewaySettings } from '#config/settings.js';
import { ProblemError } from '#contracts/errors.js';
import { derivedId } from '#contracts/ids.js';
import { detailOf, phraseOf, textOf, type Detail } from '#contracts/phrases/detail.js';
import { phrase } from '#contracts/phrases/phrase.js';
import type { Database } from '#db/client.js';
import { systemResolver } from '#egress/destination.js';
import { CollectionSyncs, type SyncProgress } from '#gateway/runs/feature-ports.js';
import { QuotaService } from '#gateway/tenants/quota.service.js';
import { DATABASE, SETTINGS, STORE } from '#kit/runtime/infrastructure.module.js';
import type { ObjectStore } from '#storage/object-store.js';
import { Inject, Injectable } from '@nestjs/common';
import { contentKey } from '../ingest/keys.js';
import { addContent } from '../knowledge.js';
import { pageName, PageReader, UnreadablePageError } from '../ingest/page-reader.js';
import { CollectionRepository } from '../store/collections.js';
import { SourceRepository, type KnowledgeSource } from '../store/sources.js';

/** Pages that are read at once; with at most three redirects each, a part takes less than a minute. */
const PAGES = 4;
const RESPONSE_MS = 10_000;
const MAX_PROBLEMS = 50;
const GONE = [404, 410];
const NOTHING_YET: SyncProgress = {
  ...{ added: 0, changed: 0, unchanged: 0, failed: 0, gone: 0, problems: [] },
  ...{ isDone: false, urls: 0, after: '' },
};

/** A page to read: of a source, or one to add, whose source exists if it was added before. */
interface Page {
  url: string;
  source: KnowledgeSource | null;
  isToAdd: boolean;
}
type Outcome =
  'added' | 'changed' | 'unchanged' | 'counted' | { url: string; problem: Detail; isGone: boolean };

/**
 * Reads the pages of a collection again, a few at a time. The object key of a page's new content is derived from the
 * sync, so that a part that is repeated after a crash counts the page as before.
 */
@Injectable()
export class CollectionSyncsService extends CollectionSyncs {
  private readonly reader: PageReader;

  constructor(
    @Inject(DATABASE) readonly db: Database,
    @Inject(STORE) readonly store: ObjectStore,
    @Inject(SETTINGS) private readonly settings: GatewaySettings,
    private readonly quota: QuotaService,
    private readonly collections: CollectionRepository,
    private readonly sources: SourceRepository,
  ) {
    super();
    this.reader = new PageReader(settings, systemResolver, RESPONSE_MS);
  }

  find(tenantId: string, collectionId: string): Promise<{ name: string }> {
    return this.collections.require(tenantId, collectionId);
  }

  async require(tenantId: string, collectionId: string): Promise<string> {
    const { name } = await this.find(tenantId, collectionId);
    if (!this.settings.FETCH_URL) throw new ProblemError('fetching_off', phrase('fetching_off.ask_operator'));
    return name;
  }

  async next(
    tenantId: string,
    sync: CollectionSync,
    syncId: string,
    before: SyncProgress | null,
    signal: AbortSignal,
  ): Promise<SyncProgress> {
    await this.require(tenantId, sync.collection_id);
    const progress = { ...(before ?? NOTHING_YET) };
    const pages = await this.pagesAfter(tenantId, sync, progress);
    const where = { tenantId, collectionId: sync.collection_id, syncId };
    const read = (page: Page) => this.sync(where, page, signal);
    for (const outcome of await Promise.all(pages.map(read))) count(progress, outcome);
    if (progress.urls < sync.urls.length) return { ...progress, urls: progress.urls + pages.length };
    const after = pages.at(-1)?.source?.id ?? progress.after;
    return { ...progress, after, isDone: pages.length < PAGES };
  }

  /** Returns the next pages: first those to add, then those of the sources. */
  private async pagesAfter(
    tenantId: string,
    { collection_id: collectionId, urls }: CollectionSync,
    { urls: done, after }: SyncProgress,
  ): Promise<Page[]> {
    if (done >= urls.length) {
      const sources = await this.sources.pagesAfter(tenantId, collectionId, after, PAGES);
      return sources.map((source) => ({ url: source.url!, source, isToAdd: false }));
    }
    const next = urls.slice(done, done + PAGES);
    const known = await this.sources.withAddresses(tenantId, collectionId, next);
    const sourceOf = (url: string) => known.find((source) => source.url === url) ?? null;
    return next.map((url) => ({ url, source: sourceOf(url), isToAdd: true }));
  }

  private async sync(
    where: { tenantId: string; collectionId: string; syncId: string },
    { url, source, isToAdd }: Page,
    signal: AbortSignal,
  ): Promise<Outcome> {
    const { tenantId, collectionId } = where;
    const keyOf = (kind: 'added' | 'changed', sha256: string) =>
      contentKey(tenantId, collectionId, derivedId('fil', `${where.syncId}/${kind}/${url}/${sha256}`));
    if (source?.objectKey === keyOf('added', source?.sha256 ?? '')) return isToAdd ? 'added' : 'counted';
    if (source && isToAdd) return 'counted';
    if (source?.objectKey === keyOf('changed', source?.sha256 ?? '')) return 'changed';
    try {
      const { bytes, mediaType, extension } = await this.reader.read(url, signal);
      const about = { url, fetchedAt: new Date(), name: pageName(url, extension), mediaType, bytes };
      const { outcome } = await addContent(this, tenantId, collectionId, about, {
        id: source?.id,
        keyOf: (sha256) => keyOf(source ? 'changed' : 'added', sha256),
        maxBytes: await this.quota.storageLimit(tenantId),
      });
      return { created: 'added', replaced: 'changed', unchanged: 'unchanged' }[outcome] as Outcome;
    } catch (error) {
      if (error instanceof UnreadablePageError)
        return { url, problem: detailOf(error), isGone: GONE.includes(error.status ?? 0) };
      if (error instanceof ProblemError && error.status < 500)
        return { url, problem: error.phrase ?? error.detail, isGone: false };
      throw error;
    }
  }
}

function count(progress: SyncProgress, outcome: Outcome): void {
  if (outcome === 'counted') return;
  if (typeof outcome === 'string') return void (progress[outcome] += 1);
  const { url, problem, isGone } = outcome;
  progress.failed += 1;
  if (isGone) progress.gone += 1;
  const shown = { url, detail: textOf(problem), phrase: phraseOf(problem) ?? null };
  progress.problems = [...progress.problems, shown].slice(0, MAX_PROBLEMS);
}
