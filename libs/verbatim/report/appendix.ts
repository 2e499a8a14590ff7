import type { Acceptance } from '#contracts/coverage.js';
import type { Ledger, LedgerFile } from '../schema.js';
import { pieceNotes } from './pieces.js';
import { carriedShare, conversionText, coverageReport, formatPercent, worstFirst } from './coverage.js';

export const APPENDIX_TITLE = 'Sources and coverage';

const MAX_OMISSIONS = 500;

/** Acceptance with the name of the person, if known. */
type NamedAcceptance = Acceptance & { name?: string | null };

/**
 * Returns the appendix as markdown without its heading: the outcome of each source according to the ledger
 * (X1), and acceptances below 100 % (D23).
 */
export function coverageAppendix(ledger: Ledger, acceptances: readonly NamedAcceptance[] = []): string {
  const { lines, bytes } = coverageReport(ledger);
  const shares = `${formatPercent(carriedShare(lines))} of the lines and ${formatPercent(carriedShare(bytes))} of the bytes`;
  const files = worstFirst(ledger.files);
  const parts = [
    `Of the sources, ${shares} are in this document or were left out for a reason given here.`,
    ...accepted(acceptances),
    [
      '| Source | Lines | Carried | Left out | Missing or altered | Lines carried | Bytes carried |',
      '| --- | ---: | ---: | ---: | ---: | ---: | ---: |',
      ...files.map((file) => `| ${rowOf(file).map(String).map(plain).join(' | ')} |`),
    ].join('\n'),
    ...piecesOf(ledger),
    ...addedTextOf(ledger),
    ...notesOf(ledger),
  ];
  return `${parts.join('\n\n')}\n`;
}

/** Escapes characters that are markup in markdown. */
const plain = (text: string) => text.replace(/[\\`*_{}[\]<>#|~!&$]/g, '\\$&').replace(/\s+/g, ' ');

function rowOf(file: LedgerFile): (string | number)[] {
  const { name, lines, carried, omitted, altered, unaccounted, coverage, bytes } = file;
  const share = bytes ? formatPercent(carriedShare(bytes)) : '';
  return [name, lines, carried, omitted, altered + unaccounted, formatPercent(coverage), share];
}

function accepted(acceptances: readonly NamedAcceptance[]): string[] {
  return acceptances.flatMap(({ decision_id, by, name, at, issue_count, issues }) => {
    const who = name ? `${plain(name)} (${plain(by)})` : plain(by);
    const left = issue_count - issues.length;
    const items = [...issues.map(plain), ...(left > 0 ? [`and ${left} more`] : [])];
    return [
      `**Accepted below 100 %** by ${who} on ${at}, decision ${plain(decision_id)}. The validation had found:`,
      items.map((item) => `- ${item}`).join('\n'),
    ];
  });
}

/** Lists the pieces of the files, such as notes and headers, that their texts do not carry. */
function piecesOf(ledger: Ledger): string[] {
  const items = ledger.files.flatMap(({ name, inventory }) =>
    pieceNotes(inventory).map((note) => `- ${plain(name)}: ${plain(note)}`),
  );
  if (items.length === 0) return [];
  const left = items.length - MAX_OMISSIONS;
  const list = [...items.slice(0, MAX_OMISSIONS), ...(left > 0 ? [`- and ${left} more`] : [])];
  return ['Pieces of the files from which the texts were read:', list.join('\n')];
}

/** Lists the document's prose that makes statements without support in a source. */
function addedTextOf({ added }: Ledger): string[] {
  const items = added
    .filter(({ kind }) => kind === 'added_text')
    .map(({ manuscript_line, text }) => `- line ${manuscript_line}: ${plain(text)}`);
  if (items.length === 0) return [];
  return ['Added text, which no source supports:', items.slice(0, MAX_OMISSIONS).join('\n')];
}

function notesOf(ledger: Ledger): string[] {
  const omissions = ledger.files.flatMap((file) =>
    file.omissions.map(
      ({ first_line, last_line, reason, by }) =>
        `- ${plain(file.name)}, lines ${first_line}–${last_line}: ${plain(reason)} (by ${by})`,
    ),
  );
  const converted = ledger.files.flatMap((file) =>
    file.converted ? [`- ${plain(file.name)}: ${plain(conversionText(file.converted))}`] : [],
  );
  return [
    ...(converted.length > 0 ? ['Converted to UTF-8:', converted.join('\n')] : []),
    ...(omissions.length > 0 ? ['Left out:', omissions.slice(0, MAX_OMISSIONS).join('\n')] : []),
  ];
}
