import type { Caller } from '#db/repositories/tenants.js';
import { FromCaller, IdFromKey, Route, ValidBody } from '#gateway/http/route.js';
import { Controller, Param } from '@nestjs/common';
import type { z } from 'zod';
import type { NewSecret, SecretChange, secretSchema } from '../contract/secret-schemas.js';
import type { ToolSecret } from '../store/secrets.js';
import { SecretsService } from './secrets.service.js';

/** Secrets that HTTP requests of plans use. */
@Controller()
export class SecretsController {
  constructor(private readonly secrets: SecretsService) {}

  @Route('addSecret')
  async add(
    @FromCaller() { tenantId }: Caller,
    @ValidBody('addSecret') body: NewSecret,
    @IdFromKey('sec') id: string | undefined,
  ) {
    return secretView(await this.secrets.add(tenantId, body, id));
  }

  @Route('listSecrets')
  async list(@FromCaller() { tenantId }: Caller) {
    return { items: (await this.secrets.list(tenantId)).map(secretView) };
  }

  @Route('changeSecret')
  async change(
    @FromCaller() { tenantId }: Caller,
    @Param('credential_id') id: string,
    @ValidBody('changeSecret') body: SecretChange,
  ) {
    return secretView(await this.secrets.change(tenantId, id, body));
  }

  @Route('deleteSecret')
  async remove(@FromCaller() { tenantId }: Caller, @Param('credential_id') id: string) {
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
