import type { Database } from '#db/client.js';
import type { NotificationListener } from '#events/listener.js';
import type { KnowledgeSource } from '#knowledge/store/sources.js';
import { EventEmitter, once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';

/** PostgreSQL's channel that says "a source has changed": the ids of its collection and of itself, told by a trigger. */
export const SOURCE_EVENTS_CHANNEL = 'scriptorium_source_events';
/** A change bears the time at which its transaction began; no transaction of a source is longer than this. */
const MARGIN_MS = 120_000;
/** Sources that are read at once. */
const PAGE = 200;
/** Milliseconds for which changes are gathered, so that an upload of thousands is not thousands of reads. */
const GATHER_MS = 100;

/** A source as it is now, or one that is gone. */
export type SourceChange = { source: KnowledgeSource } | { removed: string };

/** Follows the sources of collections for any number of followers. Rows are the truth; notifications say which to read. */
export class SourceFeed {
  private readonly followers = new Map<string, Set<SourceNews>>();

  /** @param listener connected to `SOURCE_EVENTS_CHANNEL` */
  constructor(
    private readonly db: Database,
    listener: NotificationListener,
  ) {
    listener.on(SOURCE_EVENTS_CHANNEL, (payload) => {
      const [collectionId, sourceId] = payload.split(' ');
      for (const news of this.followers.get(collectionId!) ?? []) news.tell(sourceId!);
    });
    listener.onReconnect(() => {
      for (const all of this.followers.values()) for (const news of all) news.tellMissed();
    });
  }

  /**
   * The sources of a collection that wait, are being indexed or have changed of late, then each change, until the abort or the end
   * of the collection. A source that changes quickly is told as it is at last; one may be told again as it was.
   *
   * @param since from when on changes are wanted; those of the last two minutes when null
   */
  async *follow(
    tenantId: string,
    collectionId: string,
    since: Date | null,
    signal: AbortSignal,
  ): AsyncGenerator<SourceChange> {
    const news = new SourceNews();
    const others = this.followers.get(collectionId) ?? new Set();
    this.followers.set(collectionId, others.add(news));
    let last = since?.getTime() ?? Date.now();
    try {
      while (!signal.aborted) {
        const { ids, missed } = news.take();
        const found = missed
          ? this.changedSince(tenantId, collectionId, new Date(last - MARGIN_MS))
          : this.byIds(tenantId, collectionId, ids);
        for await (const change of found) {
          if ('source' in change) last = Math.max(last, change.source.changedAt.getTime());
          yield change;
        }
        if (!(await this.isThere(tenantId, collectionId))) return;
        await news.some(signal);
      }
    } finally {
      others.delete(news);
      if (others.size === 0) this.followers.delete(collectionId);
    }
  }

  private async *changedSince(
    tenantId: string,
    collectionId: string,
    time: Date,
  ): AsyncGenerator<SourceChange> {
    for (let after = ''; ;) {
      const sources = await this.db.knowledgeSource.findMany({
        where: {
          tenantId,
          collectionId,
          id: { gt: after },
          OR: [{ changedAt: { gte: time } }, { state: { in: ['queued', 'indexing'] } }],
        },
        orderBy: { id: 'asc' },
        take: PAGE,
      });
      for (const source of sources) yield { source };
      if (sources.length < PAGE) return;
      after = sources.at(-1)!.id;
    }
  }

  private async *byIds(tenantId: string, collectionId: string, ids: string[]): AsyncGenerator<SourceChange> {
    for (let at = 0; at < ids.length; at += PAGE) {
      const asked = ids.slice(at, at + PAGE);
      const sources = await this.db.knowledgeSource.findMany({
        where: { tenantId, collectionId, id: { in: asked } },
      });
      const byId = new Map(sources.map((source) => [source.id, source]));
      for (const id of asked) yield byId.has(id) ? { source: byId.get(id)! } : { removed: id };
    }
  }

  private async isThere(tenantId: string, id: string): Promise<boolean> {
    return (await this.db.knowledgeCollection.count({ where: { id, tenantId } })) === 1;
  }
}

/** What one follower has not read yet. */
class SourceNews {
  private ids = new Set<string>();
  private missed = true;
  private readonly emitter = new EventEmitter();

  tell(sourceId: string): void {
    this.ids.add(sourceId);
    this.emitter.emit('news');
  }

  /** Which sources have changed is not known. */
  tellMissed(): void {
    this.missed = true;
    this.emitter.emit('news');
  }

  take(): { ids: string[]; missed: boolean } {
    const taken = { ids: [...this.ids], missed: this.missed };
    this.ids = new Set();
    this.missed = false;
    return taken;
  }

  /** Resolves when there is something to take, or at the abort. */
  async some(signal: AbortSignal): Promise<void> {
    if (this.ids.size > 0 || this.missed) return;
    await once(this.emitter, 'news', { signal })
      .then(() => delay(GATHER_MS, undefined, { signal }))
      .catch(() => undefined);
  }
}
