import { FETCH_URL } from './reach.js';
import { HTTP_REQUEST } from './http-request.js';

/** Address that a call only reads. */
interface ReadAddress {
  host: string;
  /** Whether plans that clients write need no approval for it. */
  isFreeForClients: boolean;
}

/**
 * Returns the address of a call that only reads, and that is written out in the plan; null for any other call. With
 * values of earlier results, an address could carry data to a server.
 *
 * @param args as in the plan, with references
 */
export function readAddress(tool: string, args: Record<string, unknown>): ReadAddress | null {
  const isGet = tool === HTTP_REQUEST && args['method'] === 'GET';
  if (!isGet && tool !== FETCH_URL) return null;
  if (/"\$(?:from|item)"/.test(JSON.stringify(args))) return null;
  const url = String(args['url']);
  return URL.canParse(url) ? { host: new URL(url).host, isFreeForClients: isGet } : null;
}
