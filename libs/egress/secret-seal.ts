import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { z } from 'zod';

const secretsSchema = z.object({
  headers: z.record(z.string(), z.string()),
  client_secret: z.string().optional(),
});

/** The secret settings of an MCP server. */
export interface ServerSecrets {
  headers: Record<string, string>;
  client_secret?: string | undefined;
}

/** Seals the secrets of a server as one text. */
export const sealSecrets = (
  seal: SecretSeal,
  serverId: string,
  { headers, client_secret }: ServerSecrets,
): string => seal.seal(JSON.stringify({ headers, client_secret }), serverId);

/** Opens the secrets of a server. Returns null if they were sealed with another TOKEN_SECRET. */
export function openSecrets(seal: SecretSeal, serverId: string, stored: string): ServerSecrets | null {
  const opened = seal.openIfReadable(stored, serverId);
  return opened === null ? null : secretsSchema.parse(JSON.parse(opened));
}

const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const SEALED = 'sealed:';
const PLAIN = 'plain:';

/** A sealed secret cannot be opened, because TOKEN_SECRET has changed since it was sealed. */
export class UnreadableSecretError extends Error {
  override readonly name = 'UnreadableSecretError';
}

/**
 * Seals secrets of tenants before they are stored (AES-256-GCM). The key is derived from TOKEN_SECRET, and
 * each secret is bound to its owner's ID. Without TOKEN_SECRET, secrets are stored unencrypted.
 */
export class SecretSeal {
  private readonly key: Buffer | null;

  /** @param purpose selects a separate key: a secret sealed for one purpose cannot be opened for another */
  constructor(
    tokenSecret: string | undefined,
    purpose: 'webhook' | 'mcp' | 'model' | 'tool' | 'trigger' = 'webhook',
  ) {
    this.key =
      tokenSecret === undefined
        ? null
        : Buffer.from(hkdfSync('sha256', tokenSecret, '', `scriptorium ${purpose} secrets`, 32));
  }

  seal(secret: string, ownerId: string): string {
    if (!this.key) return PLAIN + secret;
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv(CIPHER, this.key, nonce).setAAD(Buffer.from(ownerId));
    const sealed = [nonce, cipher.update(secret, 'utf8'), cipher.final(), cipher.getAuthTag()];
    return SEALED + Buffer.concat(sealed).toString('base64');
  }

  /** Returns null if the secret was sealed with another TOKEN_SECRET. */
  openIfReadable(stored: string, ownerId: string): string | null {
    try {
      return this.open(stored, ownerId);
    } catch (error) {
      if (error instanceof UnreadableSecretError) return null;
      throw error;
    }
  }

  /** @throws UnreadableSecretError */
  open(stored: string, ownerId: string): string {
    if (stored.startsWith(PLAIN)) return stored.slice(PLAIN.length);
    if (!this.key) throw new UnreadableSecretError('TOKEN_SECRET is not set');
    const bytes = Buffer.from(stored.slice(SEALED.length), 'base64');
    try {
      const nonce = bytes.subarray(0, NONCE_BYTES);
      const decipher = createDecipheriv(CIPHER, this.key, nonce, { authTagLength: TAG_BYTES })
        .setAAD(Buffer.from(ownerId))
        .setAuthTag(bytes.subarray(-TAG_BYTES));
      const text = decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES));
      return Buffer.concat([text, decipher.final()]).toString('utf8');
    } catch {
      throw new UnreadableSecretError('encrypted with a different TOKEN_SECRET');
    }
  }
}
