import { z } from 'zod';
import { phraseSchema } from './phrases/schema.js';

const count = z.number().int().min(0);

/** Piece of a source file that its text does not show in full. */
export const uncarriedPieceSchema = z.object({
  /** Place in the file, such as `footnote 3` or `sheet "Q1" B7`. */
  place: z.string(),
  place_phrase: phraseSchema.optional(),
  /** `left_out` if the text notes the omission, `lost` if it does not, `said_twice` if another version is carried. */
  outcome: z.enum(['left_out', 'lost', 'said_twice']),
  /** First words of the piece. */
  words: z.string(),
  /** Kind of the omitted part, the missing words, or the version that is carried instead. */
  reason: z.string(),
  reason_phrase: phraseSchema.optional(),
});
export type UncarriedPiece = z.infer<typeof uncarriedPieceSchema>;

/** Words that OCR read on a page or in a picture, and that may be wrong. */
const readByOcrSchema = z.object({
  /** Such as `page 3`. */
  place: z.string(),
  lines: count,
  /** Mean certainty of the words, 0…100. */
  certainty: count,
  /** Number of words with a certainty below 80, which the document highlights. */
  uncertain: count,
});
export type ReadByOcr = z.infer<typeof readByOcrSchema>;

/**
 * Comparison of the pieces of a source file, read from the file itself, with the text that was extracted from it.
 * `pieces` is the sum of the other four counts.
 */
export const inventorySchema = z.object({
  pieces: count,
  carried: count,
  said_twice: count,
  left_out: count,
  lost: count,
  /** The first lost pieces, then the first pieces left out, then those said twice; the counts are complete. */
  entries: z.array(uncarriedPieceSchema),
  /** Reason why the pieces could not be listed; the counts are 0 then. */
  problem: z.string().optional(),
  problem_phrase: phraseSchema.optional(),
  /** Absent if no words were read by OCR. */
  read_by_ocr: z.array(readByOcrSchema).optional(),
});
export type Inventory = z.infer<typeof inventorySchema>;
