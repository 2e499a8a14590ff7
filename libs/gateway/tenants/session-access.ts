import { ProblemError } from '#contracts/errors.js';
import { phrase } from '#contracts/phrases/phrase.js';
import { type Session, SessionRepository } from '#db/repositories/sessions.js';
import { fileSchema, sessionSchema } from '#contracts/api/schemas.js';
import type { SessionFile } from '#db/repositories/session-files.js';
import { Injectable } from '@nestjs/common';
import { view } from '../http/view.js';

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

/** Returns the API view of a session. */
export const sessionView = (session: Session) => view(sessionSchema, session);

export const fileView = (file: SessionFile) => view(fileSchema, file);
