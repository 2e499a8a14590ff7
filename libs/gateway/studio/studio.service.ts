import { ProblemError } from '#contracts/errors.js';
import { phrase } from '#contracts/phrases/phrase.js';
import type { Database } from '#db/client.js';
import type { Caller } from '#db/repositories/api-keys.js';
import { WebSessionRepository, type IssuedSecret } from '#db/repositories/web-sessions.js';
import { DATABASE } from '#kit/runtime/infrastructure.module.js';
import { Inject, Injectable } from '@nestjs/common';

const SESSION_SECONDS = 12 * 3_600;
const LINK_SECONDS = 5 * 60;

/** Signs browsers in and out. */
@Injectable()
export class StudioService {
  constructor(
    @Inject(DATABASE) private readonly db: Database,
    private readonly sessions: WebSessionRepository,
  ) {}

  /** Ends the browser's earlier session and opens a new one, so that a planted cookie is worthless. */
  async signIn({ tenantId, apiKeyId }: Caller, earlier: string | undefined): Promise<IssuedSecret> {
    if (earlier !== undefined) await this.sessions.end(earlier);
    return this.sessions.open(tenantId, apiKeyId, SESSION_SECONDS);
  }

  async signOut(secret: string | undefined): Promise<void> {
    if (secret !== undefined) await this.sessions.end(secret);
  }

  /** @throws ProblemError `forbidden` if the caller sent a token or a session instead of a key */
  createLink({ tenantId, apiKeyId, tokenExpiresAt }: Caller): Promise<IssuedSecret> {
    if (tokenExpiresAt !== null) throw new ProblemError('forbidden', phrase('forbidden.link_from_token'));
    return this.sessions.createLink(tenantId, apiKeyId, LINK_SECONDS);
  }

  async tenantName(tenantId: string): Promise<string> {
    const tenant = await this.db.tenant.findFirst({ where: { id: tenantId }, select: { name: true } });
    return tenant?.name ?? tenantId;
  }
}
