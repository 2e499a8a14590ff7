import type { GatewaySettings } from '#config/settings.js';
import { ProblemError } from '#contracts/errors.js';
import { phrase } from '#contracts/phrases/phrase.js';
import { newId } from '#contracts/ids.js';
import { SecretSeal } from '#egress/secret-seal.js';
import { SETTINGS } from '#kit/runtime/infrastructure.module.js';
import { Inject, Injectable } from '@nestjs/common';
import { MAX_SECRETS, type NewSecret, type SecretChange, hostOf } from '../contract/secret-schemas.js';
import { SecretRepository, type ToolSecret, PlanHostsRepository } from '../store/secrets.js';
import { isPublicAddress } from '#egress/destination.js';
import { isIP } from 'node:net';

/** Secrets of a tenant, which the gateway only seals and stores, and the hosts that its plans may read. */
@Injectable()
export class SecretsService {
  private readonly seal: SecretSeal;

  constructor(
    @Inject(SETTINGS) private readonly settings: GatewaySettings,
    private readonly secrets: SecretRepository,
    private readonly hosts: PlanHostsRepository,
  ) {
    this.seal = new SecretSeal(settings.TOKEN_SECRET, 'tool');
  }

  /** @throws ProblemError `invalid_request` for a private host, `secret_exists`, `too_many_secrets` */
  async add(
    tenantId: string,
    { name, value, hosts: given }: NewSecret,
    givenId?: string,
  ): Promise<ToolSecret> {
    const id = givenId ?? newId('sec');
    const existing = await this.secrets.find(tenantId, id);
    if (existing) return existing;
    const hosts = checkedHosts(given, this.settings.EGRESS_ALLOW_PRIVATE);
    const made = await this.secrets.add(tenantId, { id, name, hosts, secret: this.seal.seal(value, id) });
    if (made === 'exists') throw new ProblemError('secret_exists', phrase('secret_exists.name', { name }));
    if (made === 'too_many')
      throw new ProblemError('too_many_secrets', phrase('too_many_secrets.max', { max: MAX_SECRETS }));
    return made;
  }

  list(tenantId: string): Promise<ToolSecret[]> {
    return this.secrets.list(tenantId);
  }

  /**
   * Changes a secret. A stored value is sent to no further host: whoever adds one has to know the value.
   *
   * @throws ProblemError `not_found`; `invalid_request` for a private host, or for new hosts without the value
   */
  async change(tenantId: string, id: string, { value, hosts: given }: SecretChange): Promise<ToolSecret> {
    const hosts = given && checkedHosts(given, this.settings.EGRESS_ALLOW_PRIVATE);
    const secret = value === undefined ? undefined : this.seal.seal(value, id);
    const isChanged = await this.secrets.change(tenantId, id, {
      ...(hosts && { hosts }),
      ...(secret !== undefined && { secret }),
    });
    const found = await this.require(tenantId, id);
    if (isChanged) return found;
    const errors = [{ path: 'value', message: 'is required to add hosts' }];
    throw new ProblemError('invalid_request', phrase('invalid_request.body'), errors);
  }

  /** @throws ProblemError `not_found` */
  async remove(tenantId: string, id: string): Promise<void> {
    if (!(await this.secrets.remove(tenantId, id))) await this.require(tenantId, id);
  }

  planHosts(tenantId: string): Promise<string[]> {
    return this.hosts.list(tenantId);
  }

  /** @throws ProblemError `invalid_request` for a private host */
  async changePlanHosts(tenantId: string, given: string[]): Promise<string[]> {
    const hosts = checkedHosts(given, this.settings.EGRESS_ALLOW_PRIVATE);
    await this.hosts.replace(tenantId, hosts);
    return hosts;
  }

  private async require(tenantId: string, id: string): Promise<ToolSecret> {
    const secret = await this.secrets.find(tenantId, id);
    if (!secret) throw new ProblemError('not_found', phrase('not_found.secret'));
    return secret;
  }
}

/**
 * Returns the hosts as URLs contain them, each once.
 *
 * @throws ProblemError `invalid_request` for a private address or a local name, unless the operator allows them
 */
export function checkedHosts(hosts: readonly string[], allowPrivate: boolean): string[] {
  const named = hosts.map((host) => hostOf(host)!);
  const errors = named.flatMap((host, index) =>
    allowPrivate || isPublicHost(host) ? [] : [{ path: `hosts.${index}`, message: 'is not a public host' }],
  );
  if (errors.length > 0) throw new ProblemError('invalid_request', phrase('invalid_request.body'), errors);
  return [...new Set(named)];
}

function isPublicHost(host: string): boolean {
  const { hostname } = new URL(`https://${host}/`);
  const address = hostname.replace(/^\[|\]$/g, '');
  if (isIP(address) !== 0) return isPublicAddress(address);
  return hostname.includes('.') && !hostname.endsWith('.localhost');
}
