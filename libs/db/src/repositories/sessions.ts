import { newId } from '#contracts/ids.js';
import type { Database } from '../client.js';
import type { Session } from '../generated/client.js';

export type { Session };

export class SessionRepository {
  constructor(private readonly db: Database) {}

  create(tenantId: string, title: string | null): Promise<Session> {
    return this.db.session.create({ data: { id: newId('ses'), tenantId, title } });
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
