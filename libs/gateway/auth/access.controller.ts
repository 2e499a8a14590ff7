import type { PageRequest } from '#db/page.js';
import { Controller } from '@nestjs/common';
import { byTime, readPage } from '../http/page.js';
import { KeepingAnswer, keepView, Route, type KeepAnswer, type EndpointRequest } from '../http/route.js';
import { AuditService } from '../http/audit.service.js';
import { KeysService, auditView, createdKeyView, keyView } from './keys.service.js';

/** API keys, tokens and the audit log. */
@Controller()
export class AccessController {
  constructor(
    private readonly keys: KeysService,
    private readonly audit: AuditService,
  ) {}

  @Route('issueToken')
  async issueToken({ caller, body: { scopes, expires_in, audience } }: EndpointRequest<'issueToken'>) {
    const access_token = await this.keys.issueToken(caller, { scopes, seconds: expires_in, audience });
    return { access_token, token_type: 'Bearer', expires_in, scopes };
  }

  @Route('listKeys')
  list({ tenantId, query }: EndpointRequest<'listKeys'>) {
    const read = (request: PageRequest) => this.keys.page(tenantId, request);
    return readPage(query, byTime, read, (rows) => rows.map(keyView));
  }

  @Route('createKey')
  async create(
    { caller, body: { name, scopes, expires_at } }: EndpointRequest<'createKey'>,
    @KeepingAnswer() keepAnswer: KeepAnswer,
  ) {
    const expiresAt = expires_at === undefined ? null : new Date(expires_at);
    const key = { name, scopes, expiresAt };
    return createdKeyView(await this.keys.create(caller, key, keepView(keepAnswer, createdKeyView)));
  }

  @Route('rotateKey')
  async rotate(
    { caller, params: { key_id: keyId }, body: { grace_seconds } }: EndpointRequest<'rotateKey'>,
    @KeepingAnswer() keepAnswer: KeepAnswer,
  ) {
    return createdKeyView(
      await this.keys.rotate(caller, keyId, grace_seconds, keepView(keepAnswer, createdKeyView)),
    );
  }

  @Route('revokeKey')
  async revoke({ tenantId, params: { key_id: keyId } }: EndpointRequest<'revokeKey'>) {
    await this.keys.revoke(tenantId, keyId);
  }

  @Route('listAudit')
  listAudit({ tenantId, query }: EndpointRequest<'listAudit'>) {
    const read = (request: PageRequest) => this.audit.page(tenantId, request);
    return readPage(query, byTime, read, async (rows) => {
      const names = await this.audit.names(tenantId, rows);
      return rows.map((row) => auditView(row, names));
    });
  }
}
