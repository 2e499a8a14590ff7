import { inventorySchema } from '#contracts/inventory.js';
import { takeText } from '#contracts/moved-bytes.js';
import { z } from 'zod';

const LINE_CLASSES = ['blank', 'prose', 'heading', 'table', 'code', 'markup', 'front_matter'] as const;

/** Class of a source line; `markup` is a code fence, a heading's underline or a table's delimiter row. */
export type LineClass = (typeof LINE_CLASSES)[number];

const count = z.number().int().min(0);
const line = z.number().int().min(1);
const lineClass = z.enum(LINE_CLASSES);

/** Lines of a file, or of one class in it; `lines` is the sum of the other four. */
const countsSchema = z.object({
  lines: count,
  carried: count,
  omitted: count,
  altered: count,
  unaccounted: count,
});

/** UTF-8 bytes of a file with its line ends. `missing` counts the bytes of altered or unaccounted lines. */
const bytesSchema = z.object({ total: count, missing: count });

const omittedSchema = z.object({
  first_line: line,
  last_line: line,
  reason: z.string(),
  by: z.enum(['rule', 'person']),
});

const conversionSchema = z.object({ from: z.string(), by: z.string() });

const ledgerFileSchema = countsSchema.extend({
  name: z.string(),
  /**
   * Form in which the manuscript shows the file: as markdown, completely inside code fences, or as a table.
   */
  form: z.enum(['structured', 'fenced', 'table']),
  /** Share of the lines that are carried or omitted with a reason; less than 1 also if a piece of the file is lost. */
  coverage: z.number().min(0).max(1),
  /** Absent in ledgers of older releases. */
  bytes: bytesSchema.optional(),
  kinds: z.partialRecord(lineClass, countsSchema),
  omissions: z.array(omittedSchema),
  /**
   * Differences that are allowed by rule (CRLF line ends, a byte order mark), and pieces of the file that its text
   * omits or lost.
   */
  notes: z.array(z.string()),
  /** Original encoding of a file that was converted to UTF-8, and the author of that decision; otherwise absent. */
  converted: conversionSchema.optional(),
  /** Comparison of the file with its extracted text; absent for files that are text, and in ledgers of older releases. */
  inventory: inventorySchema.optional(),
});

const diffPartSchema = z.object({ op: z.enum(['equal', 'delete', 'insert']), text: z.string() });

/**
 * Consecutive lines of one class that the manuscript does not carry. `found_at`: a manuscript line with the
 * same text, out of order.
 */
const unaccountedSchema = z.object({
  source: z.string(),
  line,
  last_line: line,
  kind: lineClass,
  text: z.string(),
  reason: z.string().nullable(),
  found_at: line.nullable(),
});

const alteredSchema = z.object({
  source: z.string(),
  line,
  manuscript_line: line,
  kind: lineClass,
  reason: z.string(),
  /** Character diff from the source (`delete`) to the manuscript (`insert`). */
  diff: z.array(diffPartSchema),
});

const ADDED_KINDS = [
  'heading',
  'caption',
  'transition',
  'markup',
  'duplicate',
  'invention',
  'added_text',
  'added_heading',
  'empty',
  'supported',
] as const;

/**
 * Manuscript lines without a source. `transition` is an introduction; `caption` shows pictures; `markup` is a code
 * fence or delimiter row around carried lines; `duplicate` repeats source text more often than the source;
 * `invention` is code or a table without a source, or prose with `tokens` that no source contains; `added_text` and
 * `added_heading` have none of the forms that a manuscript's own lines may have, with the words that do not belong;
 * `empty` is a heading or an introduction with nothing below; `supported` is a line of a first page or a summary, with
 * the source lines that support it.
 */
const addedSchema = z.object({
  manuscript_line: line,
  last_line: line,
  kind: z.enum(ADDED_KINDS),
  text: z.string(),
  tokens: z.array(z.string()).optional(),
  supported_by: z.array(z.object({ source: z.string(), line, last_line: line })).optional(),
});

/**
 * `count` source lines from `line` on are carried by as many manuscript lines from `manuscript_line` on
 * (`wrapped` and `sentence`: all by that line).
 */
const runSchema = z.object({
  source: count,
  line,
  manuscript_line: line,
  count: z.number().int().min(1),
  how: z.enum(['exact', 'wrapped', 'table', 'sentence']),
});

/**
 * Heading at another level than in its source. `misplaced` is true if its parent heading also differs from the
 * source.
 */
const headingSchema = z.object({
  source: z.string(),
  line,
  manuscript_line: line,
  from: line,
  to: line,
  misplaced: z.boolean(),
});

/**
 * `count` source lines from `line` on start in the Word file's line `shown`, each `step` lines after the
 * previous one.
 */
const shownRunSchema = z.object({
  source: count,
  line,
  count: z.number().int().min(1),
  shown: line,
  step: count,
});

/**
 * Places of the carried lines in the Word file, read back from the file. Its lines are those with words that
 * a reader sees between table of contents and appendix, numbered from 1: headings, paragraphs, lines of code,
 * cells of tables, then notes.
 */
const wordSchema = z.object({
  lines: count,
  /** Share of the source lines with visible words and carried word for word that are completely shown. */
  coverage: z.number().min(0).max(1),
  files: z.array(z.object({ wanted: count, shown: count })),
  runs: z.array(shownRunSchema),
  /** Source lines that the file does not completely show, with their missing words. */
  missing: z.array(z.object({ source: count, line, text: z.string() })),
  left_out: count,
});

/**
 * The verbatim ledger of one manuscript (X1). `coverage` is 1 only if every source line is carried or omitted
 * with a reason, and no piece of a source file is lost.
 */
export const ledgerSchema = z.object({
  version: z.literal(1),
  policy: z.enum(['verbatim', 'narrative']),
  coverage: z.number().min(0).max(1),
  manuscript: z.object({
    lines: count,
    carried: count,
    added: count,
    blank: count,
    /** Added text and headings that no source supports; absent in ledgers of older releases. */
    added_text: count.optional(),
  }),
  files: z.array(ledgerFileSchema),
  unaccounted: z.array(unaccountedSchema),
  altered: z.array(alteredSchema),
  added: z.array(addedSchema),
  headings: z.array(headingSchema),
  runs: z.array(runSchema),
  /**
   * Numbers of entries left out of lists that exceeded their limit; `added` counts faults, `harmless` added
   * headings, markup and the like. The counts of `files` are always complete.
   */
  left_out: z.object({ unaccounted: count, altered: count, added: count, harmless: count }),
  /** First and last day that dated lines of the sources name; absent if there are none, and in ledgers of older releases. */
  span: z.object({ first: z.string(), last: z.string() }).optional(),
  /** Added after the Word file was read back; absent before, and in ledgers of older releases. */
  word: wordSchema.optional(),
});

export type Ledger = z.infer<typeof ledgerSchema>;
export type LedgerFile = Ledger['files'][number];
export type LedgerCounts = z.infer<typeof countsSchema>;
export type LedgerUnaccounted = Ledger['unaccounted'][number];
export type LedgerAltered = Ledger['altered'][number];
export type LedgerAdded = Ledger['added'][number];
export type LedgerWord = z.infer<typeof wordSchema>;
export type LedgerRun = Ledger['runs'][number];
/** Returns the manuscript lines for each source line of a run: 1, or 0 if a single manuscript line carries them all. */
export const linesPerSourceLine = ({ how }: Pick<LedgerRun, 'how'>): 0 | 1 =>
  how === 'exact' || how === 'table' ? 1 : 0;
export type DiffPart = z.infer<typeof diffPartSchema>;

export interface LedgerSource {
  name: string;
  text: string;
  /** See `ledgerFileSchema`. */
  converted?: z.infer<typeof conversionSchema>;
  /** Comparison of the file with its extracted text; absent if the file is text. */
  inventory?: z.infer<typeof inventorySchema>;
}

/** Source of which the text is UTF-8 bytes, so that a thread gets it without a copy. */
export type SourceBytes = Omit<LedgerSource, 'text'> & { bytes: Uint8Array };

/** Decodes the texts of sources, and frees their bytes. */
export const takeTexts = (sources: readonly SourceBytes[]): LedgerSource[] =>
  sources.map(({ bytes, ...source }) => ({ ...source, text: takeText(bytes) }));

/** Source lines (1-based, both included) that a person agreed to omit. */
export interface LedgerOmission {
  source: string;
  first_line: number;
  last_line: number;
  reason: string;
}

export interface LedgerOptions {
  policy: 'verbatim' | 'narrative';
  omissions?: LedgerOmission[];
  /** Names of other files, such as images; a document that shows them may contain their names. */
  otherFiles?: string[];
  /**
   * Whether the manuscript may speak for itself under "First page" and "In short", where source lines support each of
   * its lines and none carries source text; by default, only under `narrative`.
   */
  zones?: boolean | undefined;
}
