import { align } from './align.js';
import { fillGap } from './gap.js';
import { stripBlanks } from './marks.js';
import type { ScannedLine } from './scan.js';
import type { ManuscriptState, SourceState } from './state.js';

/**
 * Matches one source with the manuscript units it owns (given in rising order): equal units in order first, then what is left between
 * two of them on both sides. Writes the outcome into both states.
 */
export function matchSource(state: SourceState, owned: Int32Array, manuscript: ManuscriptState): void {
  const { units } = state.reading;
  const { ids } = manuscript.text.units;
  const matched = align(
    units.ids,
    owned.map((unit) => ids[unit] as number),
  );
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

function claim(state: SourceState, unit: number, manuscriptUnit: number, manuscript: ManuscriptState): void {
  const { units, form, scanned } = state.reading;
  const first = units.line[unit] as number;
  const line = manuscript.lineOf(manuscriptUnit);
  manuscript.claimed[manuscriptUnit] = 1;
  state.carry(first, units.last[unit] as number, line, form === 'table' ? 'table' : 'exact');
  const target = manuscript.text.scanned[line] as ScannedLine;
  if (form === 'table') return checkRow(manuscript, line);
  const own = scanned?.[first];
  if (own && own.kind !== 'code') checkMarks(state, first, own, target, manuscript, line);
}

/** A table row that the agent wrote must have its outer borders, or a changed one would go unseen. */
function checkRow(manuscript: ManuscriptState, line: number): void {
  const row = (manuscript.text.lines[line] as string).trim();
  if (!row.startsWith('|') || !row.endsWith('|')) manuscript.markup.add(line);
}

/** Equal words may still differ in their marks: list nesting is an alteration, other marks are listed as markup. */
function checkMarks(
  state: SourceState,
  first: number,
  own: ScannedLine,
  target: ScannedLine,
  manuscript: ManuscriptState,
  line: number,
): void {
  if (own.marker && own.lists !== target.lists) {
    state.alter(first, line, `list item on level ${target.lists} instead of ${own.lists}`, []);
    return;
  }
  const before = state.source.lines[first] as string;
  const after = manuscript.text.lines[line] as string;
  if (before === after || own.kind === 'heading' || own.kind === 'setext') return;
  if (stripBlanks(before) !== stripBlanks(after)) manuscript.markup.add(line);
}
