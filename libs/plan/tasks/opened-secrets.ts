import { phrase } from '#contracts/phrases/phrase.js';
import { SecretSeal } from '#egress/secret-seal.js';
import type { ToolsSettings } from '#config/settings.js';
import type { SecretRepository } from '../store/secrets.js';
import { ToolCallError } from '../tools/tool.js';

/** Opens secrets of tenants for the hosts that may get them. */
export class OpenedSecrets {
  private readonly seal: SecretSeal;

  constructor(
    { TOKEN_SECRET }: Pick<ToolsSettings, 'TOKEN_SECRET'>,
    private readonly secrets: Pick<SecretRepository, 'named'>,
  ) {
    this.seal = new SecretSeal(TOKEN_SECRET, 'tool');
  }

  /**
   * Returns the values of secrets by their names.
   *
   * @param host to which they are sent, with its port unless it is 443
   * @throws ToolCallError if a secret does not exist, must not be sent there or cannot be read
   */
  async valuesFor(host: string, tenantId: string, names: readonly string[]): Promise<Map<string, string>> {
    const distinct = [...new Set(names)];
    if (distinct.length === 0) return new Map();
    const rows = new Map((await this.secrets.named(tenantId, distinct)).map((row) => [row.name, row]));
    const opened = distinct.map((name): [string, string] => {
      const row = rows.get(name);
      if (!row) throw new ToolCallError('unknown_secret', phrase('tool_error.no_secret', { name }));
      if (!row.hosts.includes(host))
        throw new ToolCallError('secret_not_allowed', phrase('tool_error.secret_host', { name, host }));
      return [name, this.opened(row.secret, row.id, name)];
    });
    return new Map(opened);
  }

  private opened(stored: string, id: string, name: string): string {
    const secret = this.seal.openIfReadable(stored, id);
    if (secret !== null) return secret;
    throw new ToolCallError('unreadable_secret', phrase('tool_error.secret_unreadable', { name }));
  }
}
