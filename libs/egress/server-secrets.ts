import { z } from 'zod';
import { UnreadableSecretError, type SecretSeal } from './secret-seal.js';

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
  try {
    return secretsSchema.parse(JSON.parse(seal.open(stored, serverId)));
  } catch (error) {
    if (error instanceof UnreadableSecretError) return null;
    throw error;
  }
}
