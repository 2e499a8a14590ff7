import type { Reduced } from './reduce.js';
import { MARK } from './reduce.js';
import { coverageOf } from '../report/report.js';
import type { Ledger, LedgerFile } from '../schema.js';

/**
 * Converts the ledger of shortened texts to the ledger of the complete texts. Returns null if a placeholder was
 * not carried correctly; then the complete texts must be compared.
 */
export function expand(ledger: Ledger, { manuscriptMap, sourceMaps }: Reduced): Ledger | null {
  const indexOf = new Map(ledger.files.map((file, index) => [file.name, index]));
  const mapOf = (source: string) => sourceMaps[indexOf.get(source) as number] as Reduced['manuscriptMap'];
  const broken =
    ledger.unaccounted.some(({ text }) => text.includes(MARK)) ||
    ledger.added.some(({ text }) => text.includes(MARK)) ||
    ledger.altered.some(({ source, line }) => mapOf(source).isPlaceholder(line)) ||
    Object.values(ledger.left_out).some((count) => count > 0) ||
    indexOf.size < ledger.files.length;
  if (broken) return null;
  const at = (line: number) => manuscriptMap.first(line);
  const files = ledger.files.map((file, index) =>
    expandFile(file, sourceMaps[index] as Reduced['manuscriptMap']),
  );
  const total = { lines: 0, carried: 0, omitted: 0, altered: 0, unaccounted: 0 };
  for (const file of files)
    for (const key of Object.keys(total) as (keyof typeof total)[]) total[key] += file[key];
  return {
    ...ledger,
    coverage: coverageOf(
      total,
      files.map(({ inventory }) => inventory),
    ),
    manuscript: {
      ...ledger.manuscript,
      lines: ledger.manuscript.lines + manuscriptMap.hidden,
      carried: ledger.manuscript.carried + manuscriptMap.hidden,
    },
    files,
    unaccounted: ledger.unaccounted.map((entry) => ({
      ...entry,
      line: mapOf(entry.source).first(entry.line),
      last_line: mapOf(entry.source).last(entry.last_line),
      found_at: entry.found_at === null ? null : at(entry.found_at),
    })),
    altered: ledger.altered.map((entry) => ({
      ...entry,
      line: mapOf(entry.source).first(entry.line),
      manuscript_line: at(entry.manuscript_line),
    })),
    added: ledger.added.map((entry) => ({
      ...entry,
      manuscript_line: at(entry.manuscript_line),
      last_line: manuscriptMap.last(entry.last_line),
    })),
    headings: ledger.headings.map((entry) => ({
      ...entry,
      line: mapOf(entry.source).first(entry.line),
      manuscript_line: at(entry.manuscript_line),
    })),
    runs: ledger.runs.map((run) => {
      const map = sourceMaps[run.source] as Reduced['manuscriptMap'];
      const line = map.first(run.line);
      const count = map.last(run.line + run.count - 1) - line + 1;
      return { ...run, line, manuscript_line: at(run.manuscript_line), count };
    }),
  };
}

function expandFile(file: LedgerFile, map: Reduced['manuscriptMap']): LedgerFile {
  if (map.hidden === 0) return file;
  const code = file.kinds.code;
  const counts = { ...file, lines: file.lines + map.hidden, carried: file.carried + map.hidden };
  return {
    ...counts,
    coverage: coverageOf(counts, [file.inventory]),
    kinds: code
      ? {
          ...file.kinds,
          code: { ...code, lines: code.lines + map.hidden, carried: code.carried + map.hidden },
        }
      : file.kinds,
    omissions: file.omissions.map((range) => ({
      ...range,
      first_line: map.first(range.first_line),
      last_line: map.last(range.last_line),
    })),
  };
}
