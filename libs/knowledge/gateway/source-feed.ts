import type { Database } from '#db/client.js';
import type { NotificationListener } from '#engine/events/listener.js';
import { Wakes } from '#engine/events/wakes.js';
import type { KnowledgeSource } from '../store/sources.js';
import { setTimeout as delay } from 'node:timers/promises';

/** PostgreSQL channel for changed sources; a trigger sends the ids of the collection and the source. */
export const SOURCE_EVENTS_CHANNEL = 'scriptorium_source_events';
/**
 * A change has the time at which its transaction began. No transaction on a source lasts longer than this.
 */
const MARGIN_MS = 120_000;
/** Page size for reading sources. */
const PAGE = 200;
/**
 * Milliseconds for which changes are batched, so that an upload of thousands of files does not cause
 * thousands of reads.
 */
const GATHER_MS = 100;

/** A source in its current state, or the id of a deleted one. */
export type SourceChange = { source: KnowledgeSource } | { removed: string };

/** Follows the sources of collections, for any number of followers; the data comes from rows. */
export class SourceFeed {
  private readonly wakes: Wakes;

  /** @param listener connected to `SOURCE_EVENTS_CHANNEL` */
  constructor(
    private readonly db: Database,
    listener: NotificationListener,
  ) {
    this.wakes = new Wakes(listener, SOURCE_EVENTS_CHANNEL);
  }

  /**
   * Yields the sources of a collection that are queued, being indexed or recently changed, then each change,
   * until the signal aborts or the collection is deleted. Quick changes of a source are merged into the
   * latest; an unchanged source may be repeated.
   *
   * @param since time from which changes are wanted; null for the last two minutes
   */
  async *follow(
    tenantId: string,
    collectionId: string,
    since: Date | null,
    signal: AbortSignal,
  ): AsyncGenerator<SourceChange> {
    const news = this.wakes.join(collectionId);
    let last = since?.getTime() ?? Date.now();
    try {
      while (!signal.aborted) {
        const { ids, missed } = news.takePending();
        const found = missed
          ? this.changedSince(tenantId, collectionId, new Date(last - MARGIN_MS))
          : this.byIds(tenantId, collectionId, ids);
        for await (const change of found) {
          if ('source' in change) last = Math.max(last, change.source.changedAt.getTime());
          yield change;
        }
        if (!(await this.isThere(tenantId, collectionId))) return;
        await news.some(signal);
        await delay(GATHER_MS, undefined, { signal }).catch(() => undefined);
      }
    } finally {
      this.wakes.leave(collectionId, news);
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
