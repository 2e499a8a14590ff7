import { z } from 'zod';

/**
 * One finding of the validation of a manuscript (D27). `line_number` is 1-based and counts the lines of the manuscript; 0 means the
 * whole of it. `source_*` name the place in a source file, when it has one.
 */
export const validationIssueSchema = z.object({
  line_number: z.number().int().min(0),
  rule: z.string(),
  rule_description: z.string(),
  message: z.string(),
  error_detail: z.string().nullable(),
  source_file: z.string().optional(),
  source_line: z.number().int().min(1).optional(),
});
export type ValidationIssue = z.infer<typeof validationIssueSchema>;

/** The single issue that stands for a validation that could not run at all (D26, D28), such as "Validation timeout". */
export function syntheticIssue(message: string, detail: string | null = null): ValidationIssue {
  return {
    line_number: 0,
    rule: 'SCR-validation',
    rule_description: 'The manuscript must be there and the validation must finish',
    message,
    error_detail: detail,
  };
}

/** One entry of the structured outline: a heading of the manuscript. */
export const outlineEntrySchema = z.object({
  level: z.number().int(),
  title: z.string(),
  line: z.number().int(),
});
export type OutlineEntry = z.infer<typeof outlineEntrySchema>;

/**
 * Names an issue, so that one a person accepted is known again (D23). Line numbers of finished chapters do not move,
 * because later chapters are appended.
 */
export function issueFingerprint(issue: ValidationIssue): string {
  return [issue.rule, issue.source_file ?? '', issue.source_line ?? '', issue.line_number].join('|');
}
