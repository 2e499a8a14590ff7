import { z } from 'zod';

const amountSchema = z.object({ total: z.number().int().min(0), missing: z.number().int().min(0) });

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
  };
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
