import type { newApiKeySchema, rotationSchema, tokenRequestSchema } from '#contracts/api/access-schemas.js';
import type { PageQuery } from '#contracts/api/paging.js';
import type { PageRequest } from '#db/page.js';
import type { Caller } from '#db/repositories/api-keys.js';
import { Controller, Param } from '@nestjs/common';
import type { z } from 'zod';
import { byTime, readPage } from '../http/page.js';
import {
  FromCaller,
  KeepingAnswer,
  keepView,
  Route,
  ValidBody,
  ValidQuery,
  type KeepAnswer,
} from '../http/route.js';
import { AuditService } from './audit.service.js';
import { KeysService } from './keys.service.js';
import { auditView, createdKeyView, keyView } from './views.js';

/** API keys, tokens and the audit log. */
@Controller()
export class AccessController {
  constructor(
    private readonly keys: KeysService,
    private readonly audit: AuditService,
  ) {}

  @Route('issueToken')
  async issueToken(
    @FromCaller() caller: Caller,
    @ValidBody('issueToken') { scopes, expires_in, audience }: z.infer<typeof tokenRequestSchema>,
  ) {
    const access_token = await this.keys.issueToken(caller, { scopes, seconds: expires_in, audience });
    return { access_token, token_type: 'Bearer', expires_in, scopes };
  }

  @Route('listKeys')
  list(@FromCaller() { tenantId }: Caller, @ValidQuery('listKeys') query: PageQuery) {
    const read = (request: PageRequest) => this.keys.page(tenantId, request);
    return readPage(query, byTime, read, (rows) => rows.map(keyView));
  }

  @Route('createKey')
  async create(
    @FromCaller() caller: Caller,
    @ValidBody('createKey') { name, scopes, expires_at }: z.infer<typeof newApiKeySchema>,
    @KeepingAnswer() keepAnswer: KeepAnswer,
  ) {
    const expiresAt = expires_at === undefined ? null : new Date(expires_at);
    const key = { name, scopes, expiresAt };
    return createdKeyView(await this.keys.create(caller, key, keepView(keepAnswer, createdKeyView)));
  }

  @Route('rotateKey')
  async rotate(
    @FromCaller() caller: Caller,
    @Param('key_id') keyId: string,
    @ValidBody('rotateKey') { grace_seconds }: z.infer<typeof rotationSchema>,
    @KeepingAnswer() keepAnswer: KeepAnswer,
  ) {
    return createdKeyView(
      await this.keys.rotate(caller, keyId, grace_seconds, keepView(keepAnswer, createdKeyView)),
    );
  }

  @Route('revokeKey')
  async revoke(@FromCaller() { tenantId }: Caller, @Param('key_id') keyId: string) {
    await this.keys.revoke(tenantId, keyId);
  }

  @Route('listAudit')
  listAudit(@FromCaller() { tenantId }: Caller, @ValidQuery('listAudit') query: PageQuery) {
    const read = (request: PageRequest) => this.audit.page(tenantId, request);
    return readPage(query, byTime, read, async (rows) => {
      const names = await this.audit.names(tenantId, rows);
      return rows.map((row) => auditView(row, names));
    });
  }
}
