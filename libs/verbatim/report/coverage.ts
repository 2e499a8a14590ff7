import { MAX_LISTED_PIECES, REMARKABLE_LINES, remarkable, type CoverageReport } from '#contracts/coverage.js';
import { withoutEnding } from '#contracts/text.js';
import { phrase, type Phrase } from '#contracts/phrases/phrase.js';
import { isAddedText, isOwnLine } from './added.js';
import type { Ledger, LedgerFile } from '../schema.js';

const MAX_FILES = 50;

type Amounts = Pick<CoverageReport, 'lines' | 'bytes'>;

/**
 * Reports how much of all sources the manuscript carries, in lines and bytes, and the files that are
 * incomplete.
 */
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
  return {
    ...{ ...sum, files, files_short: short.length },
    ...{ ...piecesOf(ledger.files), ...addedTextOf(ledger) },
    ...remarkable(
      'read_by_ocr',
      sumOf(ledger.files.flatMap(({ inventory }) => inventory?.read_by_ocr?.map(({ lines }) => lines) ?? [])),
    ),
    ...remarkable('left_by_people', sumOf(ledger.files.flatMap(({ omissions }) => leftByPeople(omissions)))),
  };
}

const leftByPeople = (omissions: LedgerFile['omissions']): number[] =>
  omissions.flatMap(({ by, first_line: first, last_line: last }) =>
    by === 'person' ? last - first + 1 : [],
  );

const sumOf = (numbers: readonly number[]): number => numbers.reduce((sum, each) => sum + each, 0);

/** Says which lines a reader may doubt although they count as carried. */
export const remarksOf = (report: CoverageReport): Phrase[] =>
  REMARKABLE_LINES.flatMap((kind) => {
    const count = report[kind];
    return count === undefined ? [] : [phrase(`appendix.${kind}`, { count })];
  });

/** Maximum number of characters of a listed text. */
const MAX_TEXT = 200;

function addedTextOf({ manuscript, added }: Ledger): Pick<CoverageReport, 'added_text' | 'own_lines'> {
  const own = added.filter(isOwnLine);
  return {
    ...listed('added_text', manuscript.added_text ?? 0, added.filter(isAddedText)),
    ...listed('own_lines', own.length, own),
  };
}

function listed(key: 'added_text' | 'own_lines', lines: number, entries: Ledger['added']) {
  const texts = entries.slice(0, MAX_LISTED_PIECES).map(({ text }) => text.slice(0, MAX_TEXT));
  return lines === 0 ? {} : { [key]: { lines, texts } };
}

function piecesOf(files: readonly LedgerFile[]): Pick<CoverageReport, 'pieces'> {
  const listed = files.flatMap(({ name, inventory }) => (inventory ? [{ name, inventory }] : []));
  if (listed.length === 0) return {};
  const sum = { total: 0, left_out: 0, lost: 0 };
  for (const { inventory } of listed) {
    sum.total += inventory.pieces;
    sum.left_out += inventory.left_out;
    sum.lost += inventory.lost;
  }
  const lost = listed.flatMap(({ name, inventory }) =>
    inventory.entries.filter(({ outcome }) => outcome === 'lost').map((entry) => ({ name, ...entry })),
  );
  const uncounted = listed.flatMap(({ name, inventory: { problem, problem_phrase } }) =>
    problem === undefined ? [] : [{ name, problem, ...(problem_phrase && { problem_phrase }) }],
  );
  return {
    pieces: {
      ...sum,
      lost_pieces: lost.slice(0, MAX_LISTED_PIECES),
      uncounted: uncounted.slice(0, MAX_LISTED_PIECES),
    },
  };
}

/** Returns the coverage of a report: the share of carried lines, or of pieces that are not lost if that is less. */
export const coverageOfReport = ({ lines, pieces }: CoverageReport): number =>
  Math.min(carriedShare(lines), pieces ? carriedShare({ total: pieces.total, missing: pieces.lost }) : 1);

/** Sorts files that are completely missing first, then by missing bytes; complete files keep their order. */
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

/** Returns the share that is not missing, 0…1; exactly 1 only if nothing is missing. */
export function carriedShare({ total, missing }: { total: number; missing: number }): number {
  if (missing === 0) return 1;
  return Math.min((total - missing) / total, 1 - Number.EPSILON);
}

/** Formats a share in percent, rounded down, so that 100 % means all. */
export function formatPercent(share: number): string {
  return `${withoutEnding((Math.floor(share * 10_000) / 100).toFixed(2), '.00')} %`;
}

/** Like `formatPercent`, with the decimal mark of the reader's language. */
export function percentPhrase(share: number): Phrase {
  const [whole = '', hundredths] = formatPercent(share).replace(' %', '').split('.');
  return hundredths === undefined
    ? phrase('percent.whole', { whole })
    : phrase('percent.hundredths', { whole, hundredths });
}
