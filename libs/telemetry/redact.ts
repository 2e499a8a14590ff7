/**
 * Removes secrets and content from logs: replaces fields with secret names, replaces fields with names of
 * tenant content by their length, drops the messages of errors, and masks passwords in URLs everywhere.
 */
import { describeError, isError } from './describe-error.js';

const SECRET =
  /^(authorization|cookie|set-cookie|(.*[_-])?(api[_-]?key|apikey|password|passwd|secret|secret[_-]?key|access[_-]?key|private[_-]?key|token|credentials?)|(secret|access|private|api)key)$/i;
const CONTENT =
  /^(content|contents|body|text|markdown|manuscript|messages|prompt|completion|answer|output|input)$/i;
const URL_PASSWORD = /([a-z][a-z0-9+.-]{0,20}:\/\/)[^\s/?#@]*@/gi;
const BEARER = /\b(Bearer|Basic)\s+[A-Za-z0-9._~+/=-]+/gi;

const MAX_DEPTH = 6;
const MAX_ITEMS = 100;
const MAX_TEXT = 4_000;

/** Masks credentials in URLs and authorization values, and truncates text to 4,000 characters. */
export function redactText(text: string): string {
  const masked = text.replace(URL_PASSWORD, '$1[redacted]@').replace(BEARER, '$1 [redacted]');
  return masked.length > MAX_TEXT ? `${masked.slice(0, MAX_TEXT)}… (${masked.length} characters)` : masked;
}

/** Returns the redacted fields of a log line. */
export function redactFields(fields: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [name, redactField(name, value, 0)]),
  );
}

function redactField(name: string, value: unknown, depth: number): unknown {
  if (value === undefined || value === null) return value;
  if (SECRET.test(name)) return '[redacted]';
  if (name === 'err' && typeof value === 'string') return measure(value);
  if (CONTENT.test(name) && (typeof value === 'string' || typeof value === 'object')) return measure(value);
  return redactValue(value, depth);
}

function redactValue(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return redactText(value);
  if (typeof value === 'bigint') return value.toString();
  if (typeof value !== 'object' || value === null || value instanceof Date) return value;
  if (isError(value)) return redactFields({ ...describeError(value) });
  if (value instanceof Uint8Array) return `[${value.byteLength} bytes]`;
  if (value instanceof URL) return redactText(value.href);
  if (depth >= MAX_DEPTH) return '[…]';
  if (Array.isArray(value)) return value.slice(0, MAX_ITEMS).map((item) => redactValue(item, depth + 1));
  const entries = Object.entries(value).slice(0, MAX_ITEMS);
  return Object.fromEntries(entries.map(([name, item]) => [name, redactField(name, item, depth + 1)]));
}

function measure(value: unknown): string {
  if (typeof value === 'string') return `[${value.length} characters]`;
  if (value instanceof Uint8Array) return `[${value.byteLength} bytes]`;
  return Array.isArray(value) ? `[${value.length} items]` : '[content]';
}
