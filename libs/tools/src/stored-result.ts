import { redactValue } from './redact.js';

/** What a result may have, as JSON. */
export const MAX_RESULT_LENGTH = 64 * 1024 * 1024;
/** A result up to this size also goes into the state of the plan. */
const INLINE_BYTES = 4_096;
const PREVIEW_CHARACTERS = 600;
/** Characters of a secret that begins within the preview. */
const LONGEST_SECRET = 8_192;

/** A result that was kept, as the state of a plan has it. */
export interface StoredResult {
  result_key: string;
  bytes: number;
  result: unknown;
  preview: string;
}

/** @param json the result as it lies under the key */
export function storedResult(key: string, json: string): StoredResult {
  const result: unknown = JSON.parse(json);
  return {
    result_key: key,
    bytes: Buffer.byteLength(json),
    result: json.length <= INLINE_BYTES ? result : null,
    preview: JSON.stringify(redactValue(beginningOf(result))).slice(0, PREVIEW_CHARACTERS),
  };
}

/** Cuts a value to what its preview can show, with enough of each text to see where a secret ends. */
function beginningOf(value: unknown): unknown {
  if (typeof value === 'string') return value.slice(0, PREVIEW_CHARACTERS + LONGEST_SECRET);
  if (Array.isArray(value)) return value.slice(0, PREVIEW_CHARACTERS).map(beginningOf);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).slice(0, PREVIEW_CHARACTERS);
  return Object.fromEntries(entries.map(([name, item]) => [name, beginningOf(item)]));
}
