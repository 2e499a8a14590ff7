import { shareSchema } from '#contracts/api/link-schemas.js';
import { Controller } from '@nestjs/common';
import { Route, type EndpointRequest } from '../http/route.js';
import { view } from '../http/view.js';
import { LinksService } from './links.service.js';

/** Makes and ends the links that `serveLinks` opens. */
@Controller()
export class LinksController {
  constructor(private readonly links: LinksService) {}

  @Route('createShare')
  async createShare({ caller, params: { session_id: sessionId }, body }: EndpointRequest<'createShare'>) {
    const { link, secret } = await this.links.createShare(caller, sessionId, body);
    return { ...view(shareSchema, link), path: `/share/${secret}` };
  }

  @Route('listShares')
  async listShares({ tenantId, params: { session_id: sessionId } }: EndpointRequest<'listShares'>) {
    const rows = await this.links.listShares(tenantId, sessionId);
    return { items: rows.map((row) => view(shareSchema, row)) };
  }

  @Route('revokeShare')
  revokeShare({ tenantId, params: { session_id: sessionId, share_id: id } }: EndpointRequest<'revokeShare'>) {
    return this.links.revokeShare(tenantId, sessionId, id);
  }

  @Route('createDecisionLink')
  async createDecisionLink({ caller, params: { decision_id: id } }: EndpointRequest<'createDecisionLink'>) {
    const { link, secret } = await this.links.createDecisionLink(caller, id);
    return { id: link.id, path: `/answer/${secret}`, expires_at: link.expiresAt.toISOString() };
  }
}
