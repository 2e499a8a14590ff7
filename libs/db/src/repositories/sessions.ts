import { newId } from '#contracts/ids.js';
import type { Database } from '../client.js';
import type { Session } from '../generated/client.js';

export type { Session };

export class SessionRepository {
  constructor(private readonly db: Database) {}

  /** @param id given when the request may have been done before: a session of it is not made twice */
  async create(tenantId: string, title: string | null, id: string = newId('ses')): Promise<Session> {
    await this.db.session.createMany({ data: [{ id, tenantId, title }], skipDuplicates: true });
    return this.db.session.findFirstOrThrow({ where: { id, tenantId } });
  }

  find(tenantId: string, sessionId: string): Promise<Session | null> {
    return this.db.session.findFirst({ where: { id: sessionId, tenantId } });
  }

  list(tenantId: string, limit: number): Promise<Session[]> {
    return this.db.session.findMany({
      where: { tenantId },
      orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
      take: limit,
    });
  }
}
