import { cutAt } from '#contracts/text.js';
import { MAX_SOURCE_NAME_BYTES, normalizeSourceName } from '#contracts/source-name.js';
import { z } from 'zod';

/** Returns a schema for text that UTF-8 and the database can store: no unpaired surrogates, no NUL (D13). */
export const textSchema = (maxLength: number) =>
  z
    .string()
    .max(maxLength)
    .refine((text) => text.isWellFormed() && !text.includes('\0'), {
      message: 'must be well-formed Unicode without NUL',
    });

/** Name of a source as the model gives it: a normalised relative path (D7, D13). */
export const sourceNameSchema = textSchema(MAX_SOURCE_NAME_BYTES).refine(
  (name) => normalizeSourceName(name).name === name,
  {
    message:
      'must be a name as list_files gives it: a relative path without "..", "\\" or a "/" at its start',
  },
);

/** Checkpoint id of the empty manuscript with which a run begins. */
export const EMPTY_MANUSCRIPT = 'start';

/** ID of a checkpoint: a plain file name that ends with `.md` (D12), or the ID of the empty manuscript. */
export const checkpointIdSchema = textSchema(255).refine(
  (id) => id === EMPTY_MANUSCRIPT || (/^[^/\\]+\.md$/.test(id) && !id.includes('..')),
  {
    message: `must be a checkpoint id such as 20260102_030405_chapter_1.md, or "${EMPTY_MANUSCRIPT}"`,
  },
);

/** Characters of a label that are read; at most 60 are kept. */
const MAX_LABEL_INPUT = 500;

/**
 * Makes a label safe for a file name (D11): replaces each run of characters other than letters, digits, `-`
 * and `_` by one `_`. Keeps Unicode letters, so that labels in any language are readable.
 */
export function sanitizeLabel(label: string): string {
  const allowed = label
    .slice(0, MAX_LABEL_INPUT)
    .normalize('NFC')
    .replace(/[^\p{L}\p{N}_-]+/gu, '_')
    .replace(/^_+|_+$/g, '');
  const safe = cutAt(allowed, 60);
  return safe === '' ? 'checkpoint' : safe;
}
