import { IdFromKey, Route, type EndpointRequest } from '#gateway/http/route.js';
import { Controller } from '@nestjs/common';
import type { z } from 'zod';
import type { secretSchema } from '../contract/secret-schemas.js';
import type { ToolSecret } from '../store/secrets.js';
import { SecretsService } from './secrets.service.js';

/** Secrets that HTTP requests of plans use, and hosts that plans may read. */
@Controller()
export class SecretsController {
  constructor(private readonly secrets: SecretsService) {}

  @Route('addSecret')
  async add({ tenantId, body }: EndpointRequest<'addSecret'>, @IdFromKey('sec') id: string | undefined) {
    return secretView(await this.secrets.add(tenantId, body, id));
  }

  @Route('listSecrets')
  async list({ tenantId }: EndpointRequest<'listSecrets'>) {
    return { items: (await this.secrets.list(tenantId)).map(secretView) };
  }

  @Route('changeSecret')
  async change({ tenantId, params: { credential_id: id }, body }: EndpointRequest<'changeSecret'>) {
    return secretView(await this.secrets.change(tenantId, id, body));
  }

  @Route('getPlanHosts')
  async hosts({ tenantId }: EndpointRequest<'getPlanHosts'>) {
    return { hosts: await this.secrets.planHosts(tenantId) };
  }

  @Route('changePlanHosts')
  async changeHosts({ tenantId, body }: EndpointRequest<'changePlanHosts'>) {
    return { hosts: await this.secrets.changePlanHosts(tenantId, body.hosts) };
  }

  @Route('deleteSecret')
  async remove({ tenantId, params: { credential_id: id } }: EndpointRequest<'deleteSecret'>) {
    await this.secrets.remove(tenantId, id);
  }
}

/** Returns the API view of a secret, without its value. */
const secretView = ({ id, name, hosts, createdAt }: ToolSecret): z.infer<typeof secretSchema> => ({
  id,
  name,
  hosts,
  created_at: createdAt.toISOString(),
});
