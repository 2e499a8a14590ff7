import { z } from 'zod';
import { messageOf, type Detail } from './phrases/detail.js';
import { phraseSchema } from './phrases/schema.js';

/**
 * Issue in the validation of a manuscript (D27). `line_number` counts the lines of the manuscript from 1; 0
 * means the whole manuscript. `source_*` is the position in a source file, if there is one. Issues of several lines name
 * the last ones. `after_line` is the manuscript line behind which missing or moved text belongs. Issues of older
 * releases lack these three.
 */
export const validationIssueSchema = z.object({
  line_number: z.number().int().min(0),
  last_line_number: z.number().int().min(1).optional(),
  rule: z.string(),
  rule_description: z.string(),
  message: z.string(),
  /** Code and parameters of the message; absent in issues of older releases. */
  phrase: phraseSchema.optional(),
  error_detail: z.string().nullable(),
  source_file: z.string().optional(),
  source_line: z.number().int().min(1).optional(),
  last_source_line: z.number().int().min(1).optional(),
  after_line: z.number().int().min(0).optional(),
});
export type ValidationIssue = z.infer<typeof validationIssueSchema>;

/** Returns the single issue of a validation that could not run (D26, D28), such as "Validation timeout". */
export function syntheticIssue(message: Detail, detail: string | null = null): ValidationIssue {
  return {
    line_number: 0,
    rule: 'SCR-validation',
    rule_description: 'The manuscript must exist and its validation must finish',
    ...messageOf(message),
    error_detail: detail,
  };
}

/** Entry of the outline: a heading of the manuscript. */
export const outlineEntrySchema = z.object({
  level: z.number().int(),
  title: z.string(),
  line: z.number().int(),
});
export type OutlineEntry = z.infer<typeof outlineEntrySchema>;

/**
 * Returns a key that identifies an issue after a person has accepted it (D23). Line numbers of finished
 * chapters do not change, because later chapters are appended.
 */
export function issueFingerprint(issue: ValidationIssue): string {
  return [issue.rule, issue.source_file ?? '', issue.source_line ?? '', issue.line_number].join('|');
}

/** Returns the source in the key of an issue; '' if the issue has none. */
export const sourceOfFingerprint = (key: string): string => key.split('|').slice(1, -2).join('|');

/** Parts of a first page that rules make from lines of the sources, in their order (65.6). */
export const FIRST_PAGE_PARTS = ['timeline', 'people', 'decisions', 'actions', 'figures'] as const;
export type FirstPagePart = (typeof FIRST_PAGE_PARTS)[number];
