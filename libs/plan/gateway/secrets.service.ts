import type { GatewaySettings } from '#config/settings.js';
import { ProblemError } from '#contracts/errors.js';
import { phrase } from '#contracts/phrases/phrase.js';
import { newId } from '#contracts/ids.js';
import { SecretSeal } from '#egress/secret-seal.js';
import { SETTINGS } from '#kit/runtime/infrastructure.module.js';
import { Inject, Injectable } from '@nestjs/common';
import { MAX_SECRETS, type NewSecret, type SecretChange } from '../contract/secret-schemas.js';
import { SecretRepository, type ToolSecret } from '../store/secrets.js';

/** Secrets of a tenant. The gateway only seals and stores them; workers send them. */
@Injectable()
export class SecretsService {
  private readonly seal: SecretSeal;

  constructor(
    @Inject(SETTINGS) settings: GatewaySettings,
    private readonly secrets: SecretRepository,
  ) {
    this.seal = new SecretSeal(settings.TOKEN_SECRET, 'tool');
  }

  /** @throws ProblemError `secret_exists`, `too_many_secrets` */
  async add(tenantId: string, { name, value, hosts }: NewSecret, givenId?: string): Promise<ToolSecret> {
    const id = givenId ?? newId('sec');
    const existing = await this.secrets.find(tenantId, id);
    if (existing) return existing;
    const made = await this.secrets.add(tenantId, { id, name, hosts, secret: this.seal.seal(value, id) });
    if (made === 'exists') throw new ProblemError('secret_exists', phrase('secret_exists.name', { name }));
    if (made === 'too_many')
      throw new ProblemError('too_many_secrets', phrase('too_many_secrets.max', { max: MAX_SECRETS }));
    return made;
  }

  list(tenantId: string): Promise<ToolSecret[]> {
    return this.secrets.list(tenantId);
  }

  /** @throws ProblemError `not_found` */
  async change(tenantId: string, id: string, { value, hosts }: SecretChange): Promise<ToolSecret> {
    await this.secrets.change(tenantId, id, {
      ...(hosts === undefined ? {} : { hosts }),
      ...(value === undefined ? {} : { secret: this.seal.seal(value, id) }),
    });
    return this.require(tenantId, id);
  }

  /** @throws ProblemError `not_found` */
  async remove(tenantId: string, id: string): Promise<void> {
    if (!(await this.secrets.remove(tenantId, id))) await this.require(tenantId, id);
  }

  private async require(tenantId: string, id: string): Promise<ToolSecret> {
    const secret = await this.secrets.find(tenantId, id);
    if (!secret) throw new ProblemError('not_found', phrase('not_found.secret'));
    return secret;
  }
}
