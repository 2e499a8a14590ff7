import { z } from 'zod';

const amountSchema = z.object({ total: z.number().int().min(0), missing: z.number().int().min(0) });

/** What a manuscript carries of its sources, in lines and in UTF-8 bytes (line ends included); `missing` is altered or carried nowhere. */
export const coverageReportSchema = z.object({
  lines: amountSchema,
  bytes: amountSchema,
  /** Files that are not carried whole: those of which nothing is there first, then the one that lacks most; at most 50. */
  files: z.array(z.object({ name: z.string(), lines: amountSchema, bytes: amountSchema })),
  /** How many such files there are. */
  files_short: z.number().int().min(0),
});
export type CoverageReport = z.infer<typeof coverageReportSchema>;

/** Two reports, of different files, as one. */
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

/** What a person accepted although the validation failed (D23): who, when, and what there was to see. */
export const acceptanceSchema = z.object({
  decision_id: z.string(),
  /** The id of the API key that answered. */
  by: z.string(),
  at: z.iso.datetime(),
  coverage: z.number().nullable(),
  issue_count: z.number().int(),
  /** The first issues, each in a sentence. */
  issues: z.array(z.string()),
});
export type Acceptance = z.infer<typeof acceptanceSchema>;
