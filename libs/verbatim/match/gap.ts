import { fillCode } from './gap-code.js';
import { fillProse } from './gap-prose.js';
import { type Gap, openLines, openTargets } from './open.js';
import { fenceInfo } from '../source/keys.js';
import { tableCells, type ScannedLine } from '#markdown/scan/scan.js';
import type { ManuscriptState, SourceState } from './state.js';
import { characterDiff } from './text-diff.js';

/**
 * Explains the lines between two matches: re-wrapped prose, code fences that gained a language, padded table
 * rows, and nearly equal lines (alterations). Lines that remain are unaccounted, or were added by the
 * manuscript.
 */
export function fillGap(
  state: SourceState,
  gap: Gap,
  targets: Int32Array,
  manuscript: ManuscriptState,
): void {
  if (state.reading.form === 'structured') {
    fillFences(state, gap, targets, manuscript);
    if (manuscript.policy === 'verbatim') fillProse(state, gap, targets, manuscript);
  }
  fillRows(state, gap, targets, manuscript);
  fillCode(state, gap, targets, manuscript);
}

/**
 * Pairs opening fences in order, and closing ones likewise. The manuscript may add a missing language.
 */
function fillFences(state: SourceState, gap: Gap, targets: Int32Array, manuscript: ManuscriptState): void {
  for (const kind of ['fence_open', 'fence_close'] as const) {
    const open = openTargets(targets, manuscript, (line) => line.kind === kind);
    let next = 0;
    for (const line of openLines(state, gap)) {
      const own = state.reading.scanned?.[line];
      if (own?.kind !== kind || next >= open.length) continue;
      const unit = open[next++] as number;
      const target = manuscript.lineOf(unit);
      const text = (manuscript.text.scanned[target] as ScannedLine).text;
      manuscript.claimed[unit] = 1;
      if (kind === 'fence_close' || fenceInfo(own.text) === '') {
        state.carry(line, line, target, 'exact');
        manuscript.markup.add(target);
      } else state.alter(line, target, 'the language of the fence differs', characterDiff(own.text, text));
    }
  }
}

/**
 * Pairs table rows that differ only in empty cells, so that ragged tables can be fixed; different cell text
 * is an alteration.
 */
function fillRows(state: SourceState, gap: Gap, targets: Int32Array, manuscript: ManuscriptState): void {
  const rows = openTargets(targets, manuscript, (line) => line.kind === 'table' || line.kind === 'delimiter');
  if (rows.length === 0) return;
  const byCells = new Map<string, number[]>();
  for (const unit of rows) {
    const key = trimmedCells((manuscript.text.scanned[manuscript.lineOf(unit)] as ScannedLine).text);
    byCells.set(key, [...(byCells.get(key) ?? []), unit]);
  }
  let last = -1;
  for (const line of openLines(state, gap)) {
    const own = state.reading.scanned?.[line];
    if (own?.kind !== 'table' && own?.kind !== 'prose' && own?.kind !== 'delimiter') continue;
    const unit = byCells
      .get(trimmedCells(own.text))
      ?.find((candidate) => candidate > last && !manuscript.claimed[candidate]);
    if (unit === undefined) continue;
    last = unit;
    manuscript.claimed[unit] = 1;
    manuscript.markup.add(manuscript.lineOf(unit));
    state.carry(line, line, manuscript.lineOf(unit), 'table');
  }
}

function trimmedCells(row: string): string {
  const cells = tableCells(row) ?? [row];
  while (
    cells.length > 0 &&
    (cells[cells.length - 1] === '' || /^:?-+:?$/.test(cells[cells.length - 1] as string))
  )
    cells.pop();
  return cells.join('\u001f') || (/-/.test(row) ? '\u001e' : '');
}
