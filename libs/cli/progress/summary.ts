import { modelName } from './model-name.js';
import { phrase, type Phrase } from '#contracts/phrases/phrase.js';
import { carriedShare, remarksOf } from '#verbatim/report/coverage.js';
import { relative } from 'node:path';
import type { Results } from '../commands/results.js';
import { formatNumber, renderText, translate } from '../language.js';
import { percent } from './run-view.js';

/** Maximum number of listed files. */
const MAX_FILES = 20;

/** Returns a summary of the document, of missing source lines and of the written files. */
export function renderSummary(results: Results, seconds: number): string {
  const { chapters, lines, files, model, session_id, used_fallback: byRules } = results;
  return [
    translate(
      phrase('cli.summary', {
        chapters: phrase('cli.chapters', { count: chapters.length }),
        lines: phrase('cli.lines', { count: lines }),
        carried: carriedOf(results),
        model: model === null ? phrase('cli.unnamed_model') : modelName(model),
        rules: byRules ? phrase('cli.and_by_rules') : '',
        seconds: formatNumber(seconds, 1),
      }),
    ),
    ...takenOver(results),
    ...shortfall(results),
    ...pieces(results),
    ...ownLines(results),
    ...remarks(results),
    ...(results.coverage === null ? [`  ${translate(phrase('cli.nothing_to_trace'))}`] : []),
    ...Object.entries(files).map(([kind, file]) => `  ${kind.padEnd(7)} ${short(file)}`),
    // Further commands, such as `export` and `share`, need it.
    `  session ${session_id}`,
  ].join('\n');
}

/** Returns how many files were kept and written again, and the names of the files that differ. */
function takenOver({ taken_over: taken }: Results): string[] {
  if (!taken) return [];
  const { kept, written, renamed, ...lists } = taken;
  const names = [
    ...(['added', 'changed', 'removed'] as const).map((how) => [how, lists[how]] as const),
    ['renamed', renamed.map(({ from, to }) => `${from} → ${to}`)] as const,
  ];
  return [
    `  ${translate(phrase('cli.taken_over', { kept, written }))}`,
    ...names
      .filter(([, { length }]) => length > 0)
      .map(
        ([how, all]) =>
          `    ${translate(phrase(`cli.${how}`, { names: all.slice(0, MAX_FILES).join(', ') }))}`,
      ),
  ];
}

function carriedOf({ coverage, coverage_report: report }: Results): Phrase | '' {
  if (coverage === null) return '';
  const bytes =
    report && report.files_short > 0
      ? phrase('cli.carried_bytes', { share: percent(carriedShare(report.bytes)) })
      : '';
  const hasLoss = report?.pieces !== undefined && report.pieces !== null && report.pieces.lost > 0;
  return phrase(hasLoss ? 'cli.carried_sources' : 'cli.carried_lines', { share: percent(coverage), bytes });
}

function shortfall({ coverage_report: report, acceptances }: Results): string[] {
  if (!report || report.files_short === 0) return [];
  const named = report.files.slice(0, MAX_FILES).map(({ name, lines, bytes }) => {
    const code = lines.missing === lines.total ? 'cli.carried_nothing' : 'cli.carried_parts';
    const counts = { missingLines: lines.missing, lines: lines.total };
    return `  ${translate(phrase(code, { name, ...counts, missingBytes: bytes.missing, bytes: bytes.total }))}`;
  });
  const left = report.files_short - named.length;
  return [
    ...named,
    ...(left > 0 ? [`  ${translate(phrase('cli.more_files', { count: left }))}`] : []),
    ...acceptances.map(
      ({ by, at, decision_id }) =>
        `  ${translate(phrase('cli.accepted_by', { by, at, decision: decision_id }))}`,
    ),
  ];
}

/** Returns the outcome of the pieces of files, such as footnotes and cells, from which text was extracted. */
function pieces({ coverage_report: report }: Results): string[] {
  if (!report?.pieces) return [];
  const { lost, left_out, lost_pieces, uncounted } = report.pieces;
  const more = lost - lost_pieces.length;
  return [
    ...(left_out > 0 ? [`  ${translate(phrase('cli.pieces_left_out', { count: left_out }))}`] : []),
    ...(lost > 0 ? [`  ${translate(phrase('cli.pieces_lost', { count: lost }))}`] : []),
    ...lost_pieces.map(
      ({ name, place, place_phrase, words, reason, reason_phrase }) =>
        `    ${translate(
          phrase('cli.lost_piece', {
            ...{ name, words },
            place: renderText(place_phrase, place),
            reason: renderText(reason_phrase, reason),
          }),
        )}`,
    ),
    ...(lost > 0 && more > 0 ? [`    ${translate(phrase('cli.more_in_ledger', { count: more }))}`] : []),
    ...uncounted.map(
      ({ name, problem, problem_phrase }) =>
        `  ${translate(phrase('cli.not_counted', { name, problem: problem_phrase ?? problem }))}`,
    ),
  ];
}

/** Returns the lines of the document that come from no source: unsupported text, and headings and introductions. */
function ownLines({ coverage_report: report }: Results): string[] {
  return (['added_text', 'own_lines'] as const).flatMap((key) => {
    const entry = report?.[key];
    if (!entry) return [];
    const more = entry.lines - entry.texts.length;
    return [
      `  ${translate(phrase(`cli.${key}`, { count: entry.lines }))}`,
      ...entry.texts.map((text) => `    "${text}"`),
      ...(more > 0 ? [`    ${translate(phrase('cli.more_in_ledger', { count: more }))}`] : []),
    ];
  });
}

/** Returns how many lines OCR read in pictures, and how many people changed. */
const remarks = ({ coverage_report: report }: Results): string[] =>
  report ? remarksOf(report).map((remark) => `  ${translate(remark)}`) : [];

/** Returns a path relative to the working directory; unchanged if it is outside. */
function short(file: string): string {
  const near = relative(process.cwd(), file);
  return near.startsWith('..') ? file : near;
}
