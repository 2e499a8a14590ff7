import { derivedId } from '#contracts/ids.js';
import type { Database } from '#db/client.js';
import type { ArticleLogEntry } from '#db/generated/client.js';

export type { ArticleLogEntry };

/** An approved article for the log; its `runId` identifies it, so adding it again changes nothing. */
export type NewLogEntry = Pick<
  ArticleLogEntry,
  'sessionId' | 'runId' | 'topic' | 'keywords' | 'mode' | 'wordCount'
>;

/** The log of approved articles (A12). */
export class ArticleLogRepository {
  constructor(private readonly db: Database) {}

  async enter(tenantId: string, entry: NewLogEntry): Promise<ArticleLogEntry> {
    const id = derivedId('art', entry.runId);
    await this.db.articleLogEntry.createMany({ data: { ...entry, id, tenantId }, skipDuplicates: true });
    return this.db.articleLogEntry.findFirstOrThrow({ where: { id, tenantId } });
  }

  ofSession(tenantId: string, sessionId: string): Promise<ArticleLogEntry[]> {
    return this.db.articleLogEntry.findMany({ where: { tenantId, sessionId } });
  }

  find(tenantId: string, ids: string[]): Promise<ArticleLogEntry[]> {
    return this.db.articleLogEntry.findMany({ where: { tenantId, id: { in: ids } } });
  }
}
