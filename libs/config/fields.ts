import { isIP } from 'node:net';
import { z } from 'zod';

/** Returns a schema of whole numbers from 1 to `max`. */
export const count = (fallback: number, max = 1_000_000_000) =>
  z.coerce.number().int().min(1).max(max).default(fallback);
export const text = () => z.string().optional();

/**
 * Returns whether Fastify's `trustProxy` accepts a text: an address, a network or a name such as `loopback`.
 */
export function isNetwork(text: string): boolean {
  const [address = '', prefix] = text.split('/');
  if (['loopback', 'linklocal', 'uniquelocal'].includes(text)) return true;
  const bits = isIP(address) === 6 ? 128 : 32;
  return isIP(address) > 0 && (prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= bits));
}

/** Parses TCP ports, separated by commas. */
export function portsOf(text: string, context: z.RefinementCtx): number[] {
  const ports = text.split(',').map((part) => Number(part.trim() || NaN));
  if (ports.every((port) => Number.isInteger(port) && port >= 1 && port <= 65_535)) return ports;
  context.addIssue({ code: 'custom', message: 'must be ports from 1 to 65535, separated by commas' });
  return z.NEVER;
}
