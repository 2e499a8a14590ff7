import type { CoverageReport } from '#contracts/kinds/document/coverage.js';
import type { Ledger, LedgerFile } from '../schema.js';

const MAX_FILES = 50;

type Amounts = Pick<CoverageReport, 'lines' | 'bytes'>;

/** What the manuscript carries of all sources, in lines and bytes, and the files that are not carried whole. */
export function coverageReport(ledger: Ledger): CoverageReport {
  const short = worstFirst(ledger.files).filter((file) => amountsOf(file).lines.missing > 0);
  const sum = { lines: { total: 0, missing: 0 }, bytes: { total: 0, missing: 0 } };
  for (const { lines, bytes } of ledger.files.map(amountsOf)) {
    sum.lines.total += lines.total;
    sum.lines.missing += lines.missing;
    sum.bytes.total += bytes.total;
    sum.bytes.missing += bytes.missing;
  }
  const files = short.slice(0, MAX_FILES).map((file) => ({ name: file.name, ...amountsOf(file) }));
  return { ...sum, files, files_short: short.length };
}

/** Files of which nothing is carried come first, then the one that lacks most bytes; whole ones stay in their order. */
export function worstFirst(files: readonly LedgerFile[]): LedgerFile[] {
  const rank = (file: LedgerFile): [number, number] => {
    const { lines, bytes } = amountsOf(file);
    return [Number(lines.missing > 0 && lines.missing === lines.total), bytes.missing || lines.missing];
  };
  return [...files].sort((a, b) => {
    const [absentA, missingA] = rank(a);
    const [absentB, missingB] = rank(b);
    return absentB - absentA || missingB - missingA;
  });
}

function amountsOf({ lines, altered, unaccounted, bytes }: LedgerFile): Amounts {
  const missing = altered + unaccounted;
  return { lines: { total: lines, missing }, bytes: bytes ?? { total: 0, missing: 0 } };
}

/** Who said what the bytes of a file mean. */
export function conversionText({ from, by }: { from: string; by: string }): string {
  return `converted from ${from}, as decided by ${by}`;
}

/** A share that is missing in none of it, as 0…1; 1 only when nothing is missing. */
export function carriedShare({ total, missing }: { total: number; missing: number }): number {
  if (missing === 0) return 1;
  return Math.min((total - missing) / total, 1 - Number.EPSILON);
}

/** Rounded down, so that 100 % means all. */
export function percent(share: number): string {
  return `${(Math.floor(share * 10_000) / 100).toFixed(2).replace(/\.00$/, '')} %`;
}
