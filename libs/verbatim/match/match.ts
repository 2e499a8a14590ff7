import { align } from './align.js';
import { stripBlanks } from './structure.js';
import { isText, type ScannedLine, tableCells } from '#markdown/scan/scan.js';
import { isDelimiterCell } from '#markdown/scan/scan-text.js';
import { type ManuscriptState, type SourceState, type Gap, openLines, openTargets } from './state.js';
import { fillCode } from './gap-code.js';
import { fillProse } from './gap-prose.js';
import { fenceInfo } from '../source/keys.js';
import { characterDiff } from './text-diff.js';

/**
 * Explains the lines between two matches: re-wrapped prose, code fences that gained a language, padded table
 * rows, and nearly equal lines (alterations). Lines that remain are unaccounted, or were added by the
 * manuscript.
 */
function fillGap(state: SourceState, gap: Gap, targets: Int32Array, manuscript: ManuscriptState): void {
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
  while (cells.length > 0 && (cells.at(-1) === '' || isDelimiterCell(cells.at(-1)!))) cells.pop();
  return cells.join('\u001f') || (row.includes('-') ? '\u001e' : '');
}

/**
 * Matches one source with the manuscript units that it owns (in ascending order): first equal units in order,
 * then the gaps between them. Updates both states.
 */
export function matchSource(state: SourceState, owned: Int32Array, manuscript: ManuscriptState): void {
  const ids = idsToMatch(state, owned, manuscript);
  const matched = align(ids.source, ids.manuscript);
  matched.forEach((at, unit) => {
    if (at >= 0) claim(state, unit, owned[at] as number, manuscript);
  });
  let sourceFrom = 0;
  let ownedFrom = 0;
  for (let unit = 0; unit <= matched.length; unit++) {
    const end = unit === matched.length;
    const at = end ? owned.length : (matched[unit] as number);
    if (at < 0) continue;
    if (unit > sourceFrom && at > ownedFrom) {
      fillGap(state, { from: sourceFrom, to: unit }, owned.subarray(ownedFrom, at), manuscript);
    }
    sourceFrom = unit + 1;
    ownedFrom = at + 1;
  }
}

/**
 * Returns the IDs by which a source's units are matched with the units that it owns. Plain text may be partly
 * prose and partly inside code fences, so a line that appears exactly as written is matched by its exact
 * text, in either form.
 */
function idsToMatch(
  { source, reading }: SourceState,
  owned: Int32Array,
  { text }: ManuscriptState,
): { source: Int32Array; manuscript: Int32Array } {
  const ids = owned.map((unit) => text.units.ids[unit] as number);
  const fenced = source.readings[1];
  if (source.form !== 'text' || reading.form !== 'structured' || !fenced)
    return { source: reading.units.ids, manuscript: ids };
  // The fenced reading has one unit per line. Its ID stands for the exact text of the line.
  const asWritten = new Map(source.lines.map((line, at) => [line, fenced.units.ids[at] as number]));
  const found = ids.map((id, at) => {
    const line = text.units.line[owned[at] as number] as number;
    return mayBeAsWritten(text.scanned[line] as ScannedLine)
      ? (asWritten.get(text.lines[line] as string) ?? id)
      : id;
  });
  const present = new Set(found);
  const wanted = reading.units.ids.map((id, unit) => {
    const exact = fenced.units.ids[reading.units.line[unit] as number] as number;
    return present.has(exact) ? exact : id;
  });
  return { source: wanted, manuscript: found };
}

/**
 * Returns whether a line may match plain text exactly. Fence lines of markdown saved as text remain fences,
 * or become text inside another one.
 */
function mayBeAsWritten(line: ScannedLine): boolean {
  return isText(line) || line.kind === 'fence_open' || line.kind === 'fence_close';
}

function claim(state: SourceState, unit: number, manuscriptUnit: number, manuscript: ManuscriptState): void {
  const { units, form, scanned } = state.reading;
  const first = units.line[unit] as number;
  const line = manuscript.lineOf(manuscriptUnit);
  manuscript.claimed[manuscriptUnit] = 1;
  state.carry(first, units.last[unit] as number, line, form === 'table' ? 'table' : 'exact');
  const target = manuscript.text.scanned[line] as ScannedLine;
  if (form === 'table') return checkRow(manuscript, line);
  const own = scanned?.[first];
  if (own && own.kind !== 'code' && target.kind !== 'code')
    checkMarks(state, first, own, target, manuscript, line);
}

/**
 * Marks a table row without outer borders as markup, because changed borders would otherwise go unnoticed.
 */
function checkRow(manuscript: ManuscriptState, line: number): void {
  const row = (manuscript.text.lines[line] as string).trim();
  if (!row.startsWith('|') || !row.endsWith('|')) manuscript.markup.add(line);
}

/**
 * Compares the markup of lines with equal words: different list nesting is an alteration, other differences
 * are listed as markup.
 */
function checkMarks(
  state: SourceState,
  first: number,
  own: ScannedLine,
  target: ScannedLine,
  manuscript: ManuscriptState,
  line: number,
): void {
  const before = state.source.lines[first] as string;
  const after = manuscript.text.lines[line] as string;
  // Markdown determines the levels; a line of plain text that is exactly as written is on its original level.
  const isAsWritten = state.source.form === 'text' && before === after;
  if (own.marker && own.lists !== target.lists && !isAsWritten) {
    state.alter(first, line, `list item on level ${target.lists} instead of ${own.lists}`, []);
    return;
  }
  if (before === after || own.kind === 'heading' || own.kind === 'setext') return;
  if (stripBlanks(before) !== stripBlanks(after)) manuscript.markup.add(line);
}
