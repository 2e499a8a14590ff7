import type { ScannedLine } from '#markdown/scan/scan.js';
import { STATUS, type ManuscriptState, type SourceState } from './state.js';

/** Source units between two matches: `from` (included) to `to` (excluded). */
export interface Gap {
  from: number;
  to: number;
}

/** Returns the first lines of the gap's units that are still unaccounted. */
export function openLines(state: SourceState, gap: Gap): number[] {
  const open: number[] = [];
  for (let unit = gap.from; unit < gap.to; unit++) {
    const line = state.reading.units.line[unit] as number;
    if (state.status[line] === STATUS.unaccounted) open.push(line);
  }
  return open;
}

/** Returns the unclaimed manuscript units of the gap that satisfy a condition. */
export function openTargets(
  targets: Int32Array,
  manuscript: ManuscriptState,
  isWanted: (line: ScannedLine) => boolean,
): number[] {
  const open: number[] = [];
  for (const unit of targets) {
    if (
      !manuscript.claimed[unit] &&
      isWanted(manuscript.text.scanned[manuscript.lineOf(unit)] as ScannedLine)
    )
      open.push(unit);
  }
  return open;
}
