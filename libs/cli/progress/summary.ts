import { carriedShare } from '#verbatim/report/coverage.js';
import { relative } from 'node:path';
import type { Results } from '../commands/results.js';
import { percent } from './run-view.js';

/** Maximum number of listed files. */
const MAX_FILES = 20;

/** Returns a summary of the document, of missing source lines and of the written files. */
export function renderSummary(results: Results, seconds: number): string {
  const { chapters, lines, files, model, used_fallback: byRules } = results;
  return [
    `${chapters.length} chapter(s), ${lines} lines${carriedOf(results)}, written by ${model ?? 'an unnamed model'}${byRules ? ' and, after it failed, by rules' : ''} in ${seconds.toFixed(1)} s`,
    ...shortfall(results),
    ...pieces(results),
    ...addedText(results),
    ...Object.entries(files).map(([kind, file]) => `  ${kind.padEnd(6)} ${short(file)}`),
  ].join('\n');
}

function carriedOf({ coverage, coverage_report: report }: Results): string {
  if (coverage === null) return '';
  const bytes =
    report && report.files_short > 0 ? ` and ${percent(carriedShare(report.bytes))} of their bytes` : '';
  const what = report?.pieces && report.pieces.lost > 0 ? 'the sources' : 'the source lines';
  return `, ${percent(coverage)} of ${what}${bytes} carried`;
}

function shortfall({ coverage_report: report, acceptances }: Results): string[] {
  if (!report || report.files_short === 0) return [];
  const named = report.files.slice(0, MAX_FILES).map(({ name, lines, bytes }) => {
    const what = lines.missing === lines.total ? 'nothing of' : 'only parts of';
    return `  carried ${what} ${name}: ${lines.missing} of ${lines.total} line(s), ${bytes.missing} of ${bytes.total} bytes missing`;
  });
  const left = report.files_short - named.length;
  return [
    ...named,
    ...(left > 0 ? [`  and ${left} more file(s), listed in the ledger`] : []),
    ...acceptances.map(({ by, at, decision_id }) => `  accepted by ${by} on ${at} (decision ${decision_id})`),
  ];
}

/** Returns the outcome of the pieces of files, such as footnotes and cells, from which text was extracted. */
function pieces({ coverage_report: report }: Results): string[] {
  if (!report?.pieces) return [];
  const { lost, left_out, lost_pieces, uncounted } = report.pieces;
  const more = lost - lost_pieces.length;
  return [
    ...(left_out > 0
      ? [`  left out ${left_out} piece(s) of the files, each with its reason in the ledger`]
      : []),
    ...(lost > 0 ? [`  lost ${lost} piece(s) of the files on reading them:`] : []),
    ...lost_pieces.map(({ name, place, words, reason }) => `    ${name}, ${place}: "${words}" (${reason})`),
    ...(lost > 0 && more > 0 ? [`    and ${more} more; the ledger names them`] : []),
    ...uncounted.map(({ name, problem }) => `  the pieces of ${name} were not counted: ${problem}`),
  ];
}

/** Returns the prose of the document that states something no source supports. */
function addedText({ coverage_report: report }: Results): string[] {
  if (!report?.added_text) return [];
  const { lines, texts } = report.added_text;
  const more = lines - texts.length;
  return [
    `  added ${lines} line(s) of text that no source supports:`,
    ...texts.map((text) => `    "${text}"`),
    ...(more > 0 ? [`    and ${more} more; the ledger names them`] : []),
  ];
}

/** Returns a path relative to the working directory; unchanged if it is outside. */
function short(file: string): string {
  const near = relative(process.cwd(), file);
  return near.startsWith('..') ? file : near;
}
