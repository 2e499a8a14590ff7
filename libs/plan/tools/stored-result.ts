import { entriesIn } from '../contract/result-places.js';
import { redactValue } from './redact.js';

/** Maximum length of a result as JSON, in characters. */
export const MAX_RESULT_LENGTH = 64 * 1024 * 1024;
/** Results up to this JSON length also go into the state of the plan. */
const INLINE_BYTES = 4_096;
const PREVIEW_CHARACTERS = 600;
/** Maximum length of a secret that starts within the preview, in characters. */
const LONGEST_SECRET = 8_192;

/** A stored result as it appears in the state of a plan. */
export interface StoredResult {
  result_key: string;
  bytes: number;
  result: unknown;
  preview: string;
  entries?: number;
}

/** @param json the result as stored under the key */
export function storedResult(key: string, json: string): StoredResult {
  const result: unknown = JSON.parse(json);
  const entries = entriesIn(result);
  return {
    result_key: key,
    bytes: Buffer.byteLength(json),
    result: json.length <= INLINE_BYTES ? result : null,
    preview: JSON.stringify(redactValue(beginningOf(result))).slice(0, PREVIEW_CHARACTERS),
    ...(entries !== undefined && { entries }),
  };
}

/**
 * Cuts a value to the part that its preview can show, plus enough of each text to find the end of a secret.
 */
function beginningOf(value: unknown): unknown {
  if (typeof value === 'string') return value.slice(0, PREVIEW_CHARACTERS + LONGEST_SECRET);
  if (Array.isArray(value)) return value.slice(0, PREVIEW_CHARACTERS).map(beginningOf);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).slice(0, PREVIEW_CHARACTERS);
  return Object.fromEntries(entries.map(([name, item]) => [name, beginningOf(item)]));
}
