import { redactValue } from './redact.js';

/** What a result may have, as JSON. */
export const MAX_RESULT_LENGTH = 64 * 1024 * 1024;
/** A result up to this size also goes into the state of the plan. */
const INLINE_BYTES = 4_096;
const PREVIEW_CHARACTERS = 600;

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
    preview: JSON.stringify(redactValue(result)).slice(0, PREVIEW_CHARACTERS),
  };
}
