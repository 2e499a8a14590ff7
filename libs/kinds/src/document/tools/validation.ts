import { MAX_SOURCE_NAME_BYTES, normalizeSourceName } from '#contracts/source-name.js';
import { z } from 'zod';

/** Text that can be stored as it is: neither UTF-8 nor a database has a place for half a character or NUL (D13). */
export const textSchema = (maxLength: number) =>
  z
    .string()
    .max(maxLength)
    .refine((text) => text.isWellFormed() && !text.includes('\0'), {
      message: 'must be well-formed Unicode without NUL',
    });

/** The name of a source as the model gives it: a normalised relative path (D7, D13). */
export const sourceNameSchema = textSchema(MAX_SOURCE_NAME_BYTES).refine(
  (name) => normalizeSourceName(name).name === name,
  {
    message:
      'must be a name as list_files gives it: a relative path without "..", "\\" or a "/" at its start',
  },
);

/** Names the empty manuscript that a run begins with, where the ID of a checkpoint is expected. */
export const EMPTY_MANUSCRIPT = 'start';

/** The id of a checkpoint: a plain name that ends with `.md` (D12), or that of the empty manuscript. */
export const checkpointIdSchema = textSchema(255).refine(
  (id) => id === EMPTY_MANUSCRIPT || (/^[^/\\]+\.md$/.test(id) && !id.includes('..')),
  {
    message: `must be a checkpoint id such as 20260102_030405_chapter_1.md, or "${EMPTY_MANUSCRIPT}"`,
  },
);

/** Characters of a label that are looked at; 60 of them are kept. */
const LONGEST_LABEL = 500;

/**
 * Makes a label safe for a file name (D11): letters, digits, `-` and `_` stay, runs of anything else become one `_`.
 * Unicode letters stay, so that labels in any language are readable.
 */
export function sanitizeLabel(label: string): string {
  const safe = label
    .slice(0, LONGEST_LABEL)
    .normalize('NFC')
    .replace(/[^\p{L}\p{N}_-]+/gu, '_')
    .replace(/^_+|_+$/g, '')
    .slice(0, 60)
    // The cut may have halved a character.
    .replace(/[\uD800-\uDBFF]$/, '');
  return safe === '' ? 'checkpoint' : safe;
}
