import { ProblemError } from '#contracts/errors.js';
import { phrase } from '#contracts/phrases/phrase.js';
import { SessionRepository, type Session } from '#db/repositories/sessions.js';
import { Injectable } from '@nestjs/common';

/** Finds a tenant's sessions; sessions of other tenants count as missing. */
@Injectable()
export class SessionAccess {
  constructor(private readonly sessions: SessionRepository) {}

  /** @throws ProblemError `not_found` */
  async require(tenantId: string, sessionId: string): Promise<Session> {
    const session = await this.sessions.find(tenantId, sessionId);
    if (!session) throw new ProblemError('not_found', phrase('not_found.session'));
    return session;
  }
}
