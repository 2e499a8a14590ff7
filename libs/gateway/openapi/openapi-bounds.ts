/** Maximum length of a string in characters: a JSON body is at most 1 MiB. */
const MAX_LENGTH = 1024 * 1024;
/** Exceeds the length of any list of a session, run or tenant. */
const MAX_ITEMS = 100_000;
const INT32 = 2 ** 31 - 1;

type Node = Record<string, unknown>;

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null;
const hasType = ({ type }: Node, name: string) =>
  type === name || (Array.isArray(type) && type.includes(name));

/**
 * Adds bounds to every schema of a document that apply to it anyway (OWASP API4): generated clients allocate
 * by them, and gateways in front check them. Changes the document in place.
 */
export function addBounds(node: unknown): void {
  if (Array.isArray(node)) node.forEach(addBounds);
  if (!isNode(node) || Array.isArray(node)) return;
  if (hasType(node, 'string') && !('enum' in node || 'const' in node)) node.maxLength ??= MAX_LENGTH;
  if (hasType(node, 'array')) node.maxItems ??= MAX_ITEMS;
  if (hasType(node, 'integer')) {
    const isSmall = typeof node.maximum === 'number' && node.maximum <= INT32;
    node.format ??= isSmall ? 'int32' : 'int64';
    if (!('exclusiveMinimum' in node)) node.minimum ??= Number.MIN_SAFE_INTEGER;
    if (!('exclusiveMaximum' in node)) node.maximum ??= Number.MAX_SAFE_INTEGER;
  }
  Object.values(node).forEach(addBounds);
}

const count = (description: string) => ({
  description,
  schema: { type: 'integer', format: 'int32', minimum: 0, maximum: INT32 },
});

/** Response headers, for `components.headers`. */
export const responseHeaders = {
  RateLimitLimit: count('Requests that the key may send per minute'),
  RateLimitRemaining: count('Remaining requests'),
  RateLimitReset: count('Seconds until the count resets'),
  RetryAfter: count('Seconds to wait before a retry'),
  ETag: {
    description: 'Identifies the response for `If-None-Match`',
    schema: { type: 'string', pattern: '^".+"$' },
  },
} as const;

/** References to the headers of responses to rate-limited requests. */
export const rateLimitReferences = {
  'RateLimit-Limit': { $ref: '#/components/headers/RateLimitLimit' },
  'RateLimit-Remaining': { $ref: '#/components/headers/RateLimitRemaining' },
  'RateLimit-Reset': { $ref: '#/components/headers/RateLimitReset' },
};

/** Header of a refusal after which a retry may succeed. */
export const retryReference = { 'Retry-After': { $ref: '#/components/headers/RetryAfter' } };

/** Header of a response that `If-None-Match` can match. */
export const tagReference = { ETag: { $ref: '#/components/headers/ETag' } };
