import { z } from 'zod';

/** A name without folders: what the model may call a file (D7, D13). */
export const fileNameSchema = z
  .string()
  .min(1)
  .max(255)
  .refine((name) => !/[/\\\0]/.test(name) && !name.includes('..'), {
    message: 'must be a plain file name without "/", "\\" or ".."',
  });

/** The id of a checkpoint: a plain name that ends with `.md` (D12). */
export const checkpointIdSchema = fileNameSchema.refine((id) => id.endsWith('.md'), {
  message: 'must be a checkpoint id such as 20260102_030405_chapter_1.md',
});

/**
 * Makes a label safe for a file name (D11): letters, digits, `-` and `_` stay, runs of anything else become one `_`.
 * Unicode letters stay, so that labels in any language are readable.
 */
export function sanitizeLabel(label: string): string {
  const safe = label
    .normalize('NFC')
    .replace(/[^\p{L}\p{N}_-]+/gu, '_')
    .replace(/^_+|_+$/g, '')
    .slice(0, 60);
  return safe === '' ? 'checkpoint' : safe;
}
