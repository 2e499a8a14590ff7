import { z } from 'zod';
import { phraseSchema } from './phrases/schema.js';
import { uncarriedPieceSchema } from './inventory.js';

const amountSchema = z.object({ total: z.number().int().min(0), missing: z.number().int().min(0) });

/** Lines of the manuscript. */
const listedLinesSchema = z.object({
  lines: z.number().int().min(1),
  /** The first lines, cut; at most 20. */
  texts: z.array(z.string()),
});

/**
 * Amount of the sources that a manuscript carries, in lines and in UTF-8 bytes (with line ends); `missing`
 * counts altered and omitted text.
 */
export const coverageReportSchema = z.object({
  lines: amountSchema,
  bytes: amountSchema,
  /** Incomplete files (at most 50): completely missing ones first, then by missing bytes. */
  files: z.array(z.object({ name: z.string(), lines: amountSchema, bytes: amountSchema })),
  /** Number of all incomplete files. */
  files_short: z.number().int().min(0),
  /** Pieces of the source files, from which the texts were extracted; absent if all files are text. */
  pieces: z
    .object({
      total: z.number().int().min(0),
      left_out: z.number().int().min(0),
      lost: z.number().int().min(0),
      /** The first lost pieces, at most 20. */
      lost_pieces: z.array(uncarriedPieceSchema.extend({ name: z.string() })),
      /** Files whose pieces could not be counted, with the reason; at most 20. */
      uncounted: z.array(
        z.object({ name: z.string(), problem: z.string(), problem_phrase: phraseSchema.optional() }),
      ),
    })
    .optional(),
  /** Text and headings of the manuscript that no source supports; absent if all is supported. */
  added_text: listedLinesSchema.optional(),
  /** Headings, introductions, captions and supported lines of the manuscript's own; absent if there are none. */
  own_lines: listedLinesSchema.optional(),
  /** Number of lines that OCR read in pictures, whose words may be wrong; absent if there are none. */
  read_by_ocr: z.number().int().min(1).optional(),
  /** Number of source lines that people changed or left out, which count as carried; absent if there are none. */
  left_by_people: z.number().int().min(1).optional(),
});
export type CoverageReport = z.infer<typeof coverageReportSchema>;

/** Joins two reports about different files. */
export function joinReports(one: CoverageReport, other: CoverageReport): CoverageReport {
  const sum = (key: 'lines' | 'bytes') => ({
    total: one[key].total + other[key].total,
    missing: one[key].missing + other[key].missing,
  });
  return {
    lines: sum('lines'),
    bytes: sum('bytes'),
    files: [...one.files, ...other.files],
    files_short: one.files_short + other.files_short,
    ...joinPieces(one.pieces, other.pieces),
    ...joinLines('added_text', one, other),
    ...joinLines('own_lines', one, other),
    ...remarkable('read_by_ocr', (one.read_by_ocr ?? 0) + (other.read_by_ocr ?? 0)),
    ...remarkable('left_by_people', (one.left_by_people ?? 0) + (other.left_by_people ?? 0)),
  };
}

/** Kinds of lines that a reader is told about wherever the share of carried lines is shown. */
export const REMARKABLE_LINES = ['read_by_ocr', 'left_by_people'] as const;

/** Returns the field of a report for lines of such a kind. */
export const remarkable = (
  kind: (typeof REMARKABLE_LINES)[number],
  lines: number,
): Partial<CoverageReport> => (lines === 0 ? {} : { [kind]: lines });

/** Maximum number of listed pieces and files. */
export const MAX_LISTED_PIECES = 20;

function joinPieces(
  one: CoverageReport['pieces'],
  other: CoverageReport['pieces'],
): Pick<CoverageReport, 'pieces'> {
  if (!one || !other) return one || other ? { pieces: one ?? other } : {};
  return {
    pieces: {
      total: one.total + other.total,
      left_out: one.left_out + other.left_out,
      lost: one.lost + other.lost,
      lost_pieces: [...one.lost_pieces, ...other.lost_pieces].slice(0, MAX_LISTED_PIECES),
      uncounted: [...one.uncounted, ...other.uncounted].slice(0, MAX_LISTED_PIECES),
    },
  };
}

function joinLines(
  key: 'added_text' | 'own_lines',
  one: CoverageReport,
  other: CoverageReport,
): Pick<CoverageReport, 'added_text' | 'own_lines'> {
  const parts = [one[key], other[key]].filter((part) => part !== undefined);
  if (parts.length === 0) return {};
  const texts = parts.flatMap((part) => part.texts).slice(0, MAX_LISTED_PIECES);
  return { [key]: { lines: parts.reduce((sum, { lines }) => sum + lines, 0), texts } };
}

/** Acceptance of a failed validation by a person (D23), with the state at that time. */
export const acceptanceSchema = z.object({
  decision_id: z.string(),
  /** ID of the API key that answered. */
  by: z.string(),
  at: z.iso.datetime(),
  coverage: z.number().nullable(),
  issue_count: z.number().int(),
  /** The first issues, each in a sentence. */
  issues: z.array(z.string()),
});
export type Acceptance = z.infer<typeof acceptanceSchema>;
