import { z } from 'zod';

export const LINE_CLASSES = ['blank', 'prose', 'heading', 'table', 'code', 'markup', 'front_matter'] as const;

/** What a source line is: `markup` is a fence marker, a heading's underline or a table's delimiter row. */
export type LineClass = (typeof LINE_CLASSES)[number];

const count = z.number().int().min(0);
const line = z.number().int().min(1);
const lineClass = z.enum(LINE_CLASSES);

/** Lines of a file, or of one kind in it; `lines` is the sum of the other four. */
const countsSchema = z.object({
  lines: count,
  carried: count,
  omitted: count,
  altered: count,
  unaccounted: count,
});

/** UTF-8 bytes of a file with its line ends; `missing` belong to lines that are altered or unaccounted. */
const bytesSchema = z.object({ total: count, missing: count });

const omittedSchema = z.object({
  first_line: line,
  last_line: line,
  reason: z.string(),
  by: z.enum(['rule', 'person']),
});

const conversionSchema = z.object({ from: z.string(), by: z.string() });

export const ledgerFileSchema = countsSchema.extend({
  name: z.string(),
  /** How the manuscript shows the file: as markdown, wholly in fences, or as a table. */
  form: z.enum(['structured', 'fenced', 'table']),
  coverage: z.number().min(0).max(1),
  /** Absent in ledgers of older releases. */
  bytes: bytesSchema.optional(),
  kinds: z.partialRecord(lineClass, countsSchema),
  omissions: z.array(omittedSchema),
  /** Differences that no reader sees, allowed by rule: CRLF line ends, a byte order mark. */
  notes: z.array(z.string()),
  /** What the file was converted to UTF-8 from, and who said so; absent when it was not converted. */
  converted: conversionSchema.optional(),
});

const diffPartSchema = z.object({ op: z.enum(['equal', 'delete', 'insert']), text: z.string() });

/** Lines of one kind in a row that nothing in the manuscript carries. `found_at`: a manuscript line with the same text, out of order. */
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
  /** From the source (`delete`) to the manuscript (`insert`), by characters. */
  diff: z.array(diffPartSchema),
});

export const ADDED_KINDS = ['heading', 'caption', 'transition', 'markup', 'duplicate', 'invention'] as const;

/**
 * Manuscript lines without a source. `markup` is a fence marker or delimiter row around carried lines; `duplicate` is a source's text once more
 * than the source has it; `invention` is code or a table without a source, or prose with `tokens` that no source contains.
 */
const addedSchema = z.object({
  manuscript_line: line,
  last_line: line,
  kind: z.enum(ADDED_KINDS),
  text: z.string(),
  tokens: z.array(z.string()).optional(),
});

/** `count` source lines from `line` on are carried by as many manuscript lines from `manuscript_line` on (`wrapped`: all in one place). */
const runSchema = z.object({
  source: count,
  line,
  manuscript_line: line,
  count: z.number().int().min(1),
  how: z.enum(['exact', 'wrapped', 'table', 'sentence']),
});

/** A heading whose level differs from its source; `misplaced`: it stands under another parent heading than in the source. */
const headingSchema = z.object({
  source: z.string(),
  line,
  manuscript_line: line,
  from: line,
  to: line,
  misplaced: z.boolean(),
});

/** `count` source lines from `line` on begin in the Word file's line `shown`, each `step` lines behind the one before. */
const shownRunSchema = z.object({
  source: count,
  line,
  count: z.number().int().min(1),
  shown: line,
  step: count,
});

/**
 * Where the Word file shows what the manuscript carries, read back out of the file. Its lines are those with words that a reader
 * sees between table of contents and appendix, counted from 1: headings, paragraphs, lines of code, cells of tables, then notes.
 */
const wordSchema = z.object({
  lines: count,
  /** Of the source lines that are carried word for word and have words to show, how many are shown whole. */
  coverage: z.number().min(0).max(1),
  files: z.array(z.object({ wanted: count, shown: count })),
  runs: z.array(shownRunSchema),
  /** Source lines that the file does not show whole, with the words that it lacks. */
  missing: z.array(z.object({ source: count, line, text: z.string() })),
  left_out: count,
});

/** The verbatim ledger of one manuscript (X1). `coverage` is 1 only when every source line is carried or omitted with a reason. */
export const ledgerSchema = z.object({
  version: z.literal(1),
  policy: z.enum(['verbatim', 'narrative']),
  coverage: z.number().min(0).max(1),
  manuscript: z.object({ lines: count, carried: count, added: count, blank: count }),
  files: z.array(ledgerFileSchema),
  unaccounted: z.array(unaccountedSchema),
  altered: z.array(alteredSchema),
  added: z.array(addedSchema),
  headings: z.array(headingSchema),
  runs: z.array(runSchema),
  /**
   * Entries left out of the lists because they grew beyond their limit; `added` counts faults, `harmless` added headings, markup and the like.
   * The counts of `files` are always complete.
   */
  left_out: z.object({ unaccounted: count, altered: count, added: count, harmless: count }),
  /** Added when the Word file was read back; absent before, and in ledgers of older releases. */
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
export type DiffPart = z.infer<typeof diffPartSchema>;

export interface LedgerSource {
  name: string;
  text: string;
  /** See `ledgerFileSchema`. */
  converted?: z.infer<typeof conversionSchema>;
}

/** Source lines (1-based, both included) that a person agreed to leave out. */
export interface LedgerOmission {
  source: string;
  first_line: number;
  last_line: number;
  reason: string;
}

export interface LedgerOptions {
  policy: 'verbatim' | 'narrative';
  omissions?: LedgerOmission[];
  /** Names of further files, such as images: a document that shows one may name it. */
  otherFiles?: string[];
}
