import { phraseSchema } from '#contracts/phrases/schema.js';
import { z } from 'zod';
import { FIRST_PAGE_PARTS, validationIssueSchema } from '#contracts/manuscript.js';
import { userDecisionsSchema } from '#contracts/references.js';
import type { TaskDefinition } from '#contracts/run-kind.js';
import { acceptanceSchema, coverageReportSchema } from '#contracts/coverage.js';

const sessionInput = z.object({ session_id: z.string() });

/**
 * Text input in an undeclared encoding that is not UTF-8; the guess is the first of the possible encodings.
 */
export const undecodedSchema = z.object({
  name: z.string(),
  guess: z.string(),
  /** 0 to 1. */
  confidence: z.number(),
  offers: z.array(z.object({ encoding: z.string(), preview: z.string() })).min(1),
});
export type Undecoded = z.infer<typeof undecodedSchema>;

/** Input whose text cannot be extracted, with the reason for people. */
export const unreadableSchema = z.object({
  name: z.string(),
  reason: z.string(),
  phrase: phraseSchema.optional(),
});
export type Unreadable = z.infer<typeof unreadableSchema>;

const encodingsSchema = z.record(z.string(), z.object({ encoding: z.string(), by: z.string() }));
export type DecidedEncodings = z.infer<typeof encodingsSchema>;

/** A reference found in a source, with its asset; null if it is missing. */
const referenceSchema = z.object({
  ref: z.string(),
  kind: z.enum(['image', 'link', 'include']),
  source: z.string(),
  line: z.number().int(),
  asset: z.string().nullable(),
  hint: z.string().nullable(),
  /** Files that an ambiguous reference may mean; `asset` is then null. */
  candidates: z.array(z.string()).optional(),
});
export type ReferenceFinding = z.infer<typeof referenceSchema>;

/** Size of a text input as it is read. */
const fileSizeSchema = z.object({ bytes: z.number().int(), lines: z.number().int() });
export type FileSizes = Record<string, z.infer<typeof fileSizeSchema>>;

/** Tasks that a document's graph delegates to other workers. */
export const documentTasks = {
  /** D4: find references in the inputs, copy the available assets. */
  scan_assets: {
    queue: 'scanner',
    input: sessionInput.extend({
      input_files: z.array(z.string()),
      /** Chosen encoding by input, and by whom it was chosen; see `undecoded`. */
      encodings: encodingsSchema.optional(),
      /** Unreadable inputs that a person decided to leave out: a note replaces their text. */
      left_out: z.array(unreadableSchema).optional(),
    }),
    output: z.object({
      missing_references: z.array(z.string()),
      /** Every reference found, the missing ones first; at most 1,000. */
      references: z.array(referenceSchema),
      user_decisions: userDecisionsSchema,
      /** Sizes of the text inputs as they are read, by name; missing in results of older releases. */
      file_sizes: z.record(z.string(), fileSizeSchema).optional(),
      /** The inputs in the order in which a reader expects them; missing in results of older releases. */
      order: z.array(z.string()).optional(),
      /** Inputs with an uncertain encoding; nothing is read before a person chooses it. */
      undecoded: z.array(undecodedSchema).optional(),
      /** Inputs without readable text, among others that have some; a person decides what to do. */
      unreadable: z.array(unreadableSchema).optional(),
    }),
    // OCR of a long scan takes minutes.
    timeoutMs: 1_800_000,
    attempts: 4,
    inputFiles: () => null,
  },
  /** D26–D29, X1: lint the manuscript and prove that it carries the sources. */
  validate_md: {
    queue: 'validator',
    input: sessionInput.extend({
      manuscript: z.string().nullable(),
      sources: z.array(z.string()),
      user_decisions: userDecisionsSchema,
      missing_references: z.array(z.string()),
      policy: z.enum(['verbatim', 'narrative']),
      /** Whether a summary of supported sentences may open the manuscript; by default, only under `narrative`. */
      has_summary: z.boolean().optional(),
      /** Parts of a first page that the manuscript gets, in a language; only if every source is validated. */
      first_page: z
        .object({ parts: z.array(z.enum(FIRST_PAGE_PARTS)), language: z.string().nullable() })
        .optional(),
      /** Fingerprints of issues that a person accepted (D23); they do not count again. */
      accepted_issues: z.array(z.string()),
      /** Sources and lines of the manuscript about which people decided before (X6); no issue of them counts again. */
      settled: z
        .object({
          sources: z.array(z.string()),
          lines: z.array(z.tuple([z.number().int(), z.number().int()])),
        })
        .optional(),
      /** State that passed before: only additions are validated, as long as they pass, too. */
      since: z.object({ manuscript: z.string(), sources: z.array(z.string()) }).optional(),
      /**
       * Sources of the last version that passed, while the agent still writes: other sources may then be open.
       * Absent if every source is required.
       */
      written: z.array(z.string()).optional(),
      /**
       * Lines of sources that the agent has not placed yet, of sources of which it placed others; they may be missing
       * while it still writes.
       */
      unplaced: z.record(z.string(), z.array(z.tuple([z.number().int(), z.number().int()]))).optional(),
    }),
    output: z.object({
      validation_passed: z.boolean(),
      validation_issues: z.array(validationIssueSchema),
      /** Share of source lines that the manuscript carries, 0…1; null when no ledger could be made. */
      coverage: z.number().nullable(),
      /** The same in lines and bytes, with the incomplete files. */
      coverage_report: coverageReportSchema.nullable().optional(),
      /** Also null if only additions were validated. */
      ledger_path: z.string().nullable(),
      /** Pointer of the manuscript after the automatic fixes, or in fewer segments; null when nothing has changed. */
      fixed_manuscript: z.string().nullable(),
      /** Sources of which the manuscript carries nothing yet, or not all lines. */
      open_sources: z.array(z.string()).optional(),
    }),
    timeoutMs: 300_000,
    attempts: 4,
    inputFiles: () => null,
  },
  /** D24: manuscript → structure.json. */
  parse_to_json: {
    queue: 'converter',
    input: sessionInput.extend({
      manuscript: z.string(),
      /** Ledger that says where each source begins, for links between them; runs parked by an older release have none. */
      ledger_path: z.string().nullable().optional(),
    }),
    output: z.object({ structure_json_path: z.string() }),
    timeoutMs: 1_200_000,
    attempts: 4,
    inputFiles: () => null,
  },
  /** D24: structure.json → DOCX. */
  convert: {
    queue: 'converter',
    input: sessionInput.extend({
      structure_json_path: z.string(),
      manuscript: z.string(),
      user_decisions: userDecisionsSchema,
      title: z.string().nullable(),
      language: z.string().nullable(),
      author: z.string(),
      coverage: z.number().nullable(),
      ledger_path: z.string().nullable(),
      source_appendix: z.boolean(),
      code_colors: z.boolean().optional(),
      line_numbers: z.boolean().optional(),
      list_of_figures: z.boolean().optional(),
      /** Whether open proposals are written into the exported file. */
      proposals: z.literal('tracked').optional(),
      /** Acceptances of coverage below 100 %, which the document mentions. */
      acceptances: z.array(acceptanceSchema).optional(),
    }),
    output: z.object({ output_docx_path: z.string(), export_id: z.string(), bytes: z.number().int() }),
    timeoutMs: 1_200_000,
    attempts: 3,
    inputFiles: () => null,
  },
  /** D24, D33, X1: read the DOCX, compare it with structure.json and trace the sources to its content. */
  quality_check: {
    queue: 'converter',
    input: sessionInput.extend({
      structure_json_path: z.string(),
      output_docx_path: z.string(),
      /** The ledger; `sources` are its sources. Runs that were parked by an older release have neither. */
      ledger_path: z.string().nullable().optional(),
      sources: z.array(z.string()).optional(),
      /** Manuscript of the ledger; if given, the ledger is rebuilt together with the Word file. */
      manuscript: z.string().optional(),
    }),
    output: z.object({
      passed: z.boolean(),
      /** Ledger that includes the Word file; absent if none was built. */
      ledger_path: z.string().optional(),
      issues: z.array(
        z.object({ rule: z.string(), message: z.string(), source_line: z.number().nullable() }),
      ),
    }),
    timeoutMs: 1_200_000,
    attempts: 3,
    inputFiles: () => null,
  },
} as const satisfies Record<string, TaskDefinition>;
