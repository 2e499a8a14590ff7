import { nameSchema } from '#contracts/names.js';
import { jsonOf } from '#contracts/lenient.js';
import type { DestinationGuard } from '#egress/destination.js';
import { guardedFetch } from '#egress/guarded-fetch.js';
import { z } from 'zod';

/** A client as it describes itself; nothing of it is verified but the host of `id`, if that is a URL. */
export interface OAuthClient {
  id: string;
  name: string;
  redirectUris: string[];
}

/** Client IDs of registered clients begin with it; their metadata follows, so that nothing is stored. */
const REGISTERED = 'dcr.';
const MAX_ID = 2_000;
const MAX_DOCUMENT_BYTES = 64 * 1024;
const FETCH_MS = 5_000;
/** A document is cached for this time, and at most this many are. */
const CACHED_MS = 60_000;
const MAX_CACHED = 100;
const LOOPBACK = new Set(['127.0.0.1', '[::1]', 'localhost']);

const isLoopback = ({ protocol, hostname }: URL) => protocol === 'http:' && LOOPBACK.has(hostname);

/**
 * Returns whether a code may be sent to a URI: over TLS, to a program of this computer, or to the scheme of an
 * app (RFC 8252).
 */
function isRedirectUri(text: string): boolean {
  if (!URL.canParse(text) || !text.includes('://')) return false;
  const url = new URL(text);
  const isWeb = url.protocol === 'http:' || url.protocol === 'https:';
  return (
    url.hash === '' &&
    url.username === '' &&
    (url.protocol !== 'http:' || isLoopback(url)) &&
    (isWeb || url.origin === 'null')
  );
}

const redirectUri = z.string().max(MAX_ID).refine(isRedirectUri, 'is not a redirect URI');
const metadataSchema = z.object({
  client_name: nameSchema(100).optional(),
  redirect_uris: z.array(redirectUri).min(1).max(50),
});

/** Registers a client (RFC 7591) and returns its ID; null if the metadata are not valid. */
export function registerClient(body: unknown): { client_id: string; redirect_uris: string[] } | null {
  const metadata = metadataSchema.safeParse(body);
  if (!metadata.success) return null;
  const client_id = REGISTERED + Buffer.from(JSON.stringify(metadata.data)).toString('base64url');
  return client_id.length > MAX_ID ? null : { client_id, ...metadata.data };
}

/** Finds clients by their IDs; recently fetched metadata documents are cached. */
export class OAuthClients {
  private readonly cached = new Map<string, { client: OAuthClient; until: number }>();

  /**
   * @param guard where documents may be; without a sign-in anyone can have them fetched, so even an operator who allows
   *   private addresses to tenants does not allow them here
   */
  constructor(
    private readonly guard: DestinationGuard,
    private readonly now: () => number = Date.now,
  ) {}

  /**
   * Returns the client of an ID: a registered one, or one whose ID is the URL of its metadata document. Null if there
   * is none.
   */
  async find(id: string): Promise<OAuthClient | null> {
    if (id.startsWith(REGISTERED))
      return clientOf(id, jsonOf(Buffer.from(id.slice(REGISTERED.length), 'base64url').toString()));
    const cached = this.cached.get(id);
    if (cached && cached.until > this.now()) return cached.client;
    const client = clientOf(id, await fetchDocument(id, this.guard));
    this.cached.delete(id);
    if (!client) return null;
    if (this.cached.size >= MAX_CACHED) this.cached.delete(this.cached.keys().next().value!);
    this.cached.set(id, { client, until: this.now() + CACHED_MS });
    return client;
  }
}

function clientOf(id: string, document: unknown): OAuthClient | null {
  const metadata = metadataSchema.safeParse(document);
  if (!metadata.success) return null;
  const { client_name, redirect_uris: redirectUris } = metadata.data;
  return { id, name: client_name ?? hostOf(redirectUris[0]!), redirectUris };
}

async function fetchDocument(id: string, guard: DestinationGuard): Promise<unknown> {
  if (!URL.canParse(id) || new URL(id).pathname === '/' || new URL(id).hash !== '') return null;
  try {
    const fetch = guardedFetch(guard, { maxBytes: MAX_DOCUMENT_BYTES, timeoutMs: FETCH_MS });
    const response = await fetch(id, { headers: { accept: 'application/json' } });
    const document = jsonOf(await response.text());
    // A document of another client must not be borrowed under this ID.
    return response.status === 200 && (document as { client_id?: unknown } | null)?.client_id === id
      ? document
      : null;
  } catch {
    return null;
  }
}

/** Returns whether a client may receive codes at a URI: exactly a listed one, on loopback at any port. */
export function acceptsRedirect({ redirectUris }: OAuthClient, asked: string): boolean {
  return isRedirectUri(asked) && redirectUris.some((listed) => withoutPort(listed) === withoutPort(asked));
}

function withoutPort(uri: string): string {
  const url = new URL(uri);
  if (!isLoopback(url)) return uri;
  url.port = '';
  return url.href;
}

/** Returns the host of a URI, or the scheme if an app receives it. */
export function hostOf(uri: string): string {
  const { origin, host, protocol } = new URL(uri);
  return origin === 'null' ? protocol : host;
}
