import { align } from './align.js';
import { trimAsciiWhitespace } from '#markdown/trim.js';
import { STATUS, type ManuscriptState, type SourceState, type Gap, openLines, openTargets } from './state.js';
import { isText, type ScannedLine } from '#markdown/scan/scan.js';
import { characterDiff, similarity } from './text-diff.js';

/** Number of manuscript lines ahead in which a line's counterpart is searched. */
const WINDOW = 6;
const NEAR = 0.5;
/** Maximum number of alterations per source with a diff; further ones are listed without. */
const MAX_DIFFS = 500;

/**
 * Pairs the remaining lines of a gap: lines with the same text in another form (code outside a fence, prose
 * inside one), then nearly equal lines, in order. Both are alterations, except plain text that is exactly
 * repeated inside a code fence.
 */
export function fillCode(
  state: SourceState,
  gap: Gap,
  targets: Int32Array,
  manuscript: ManuscriptState,
): void {
  // The narrative policy matches prose by sentences instead.
  const isCandidate = (line: ScannedLine | undefined) =>
    manuscript.policy === 'verbatim' || !line || !isText(line);
  const lines = openLines(state, gap).filter((line) => isCandidate(state.reading.scanned?.[line]));
  const open = openTargets(targets, manuscript, isCandidate);
  if (lines.length === 0 || open.length === 0) return;
  sameText(state, lines, open, manuscript);
  const left = lines.filter(
    (line) => state.status[line] === STATUS.unaccounted && textOf(state, line).trim() !== '',
  );
  const free = open.filter((unit) => !manuscript.claimed[unit] && targetText(manuscript, unit).trim() !== '');
  let from = 0;
  for (const line of left) {
    if (from >= free.length) return;
    const best = nearest(textOf(state, line), free, from, manuscript, left.length === free.length);
    if (best < 0) continue;
    const unit = free[best] as number;
    from = best + 1;
    alter(state, line, unit, 'the line differs', manuscript);
  }
}

function sameText(state: SourceState, lines: number[], open: number[], manuscript: ManuscriptState): void {
  const ids = new Map<string, number>();
  const idOf = (line: string) => {
    const text = trimAsciiWhitespace(line);
    if (text === '') return -1;
    const id = ids.get(text) ?? ids.size;
    ids.set(text, id);
    return id;
  };
  const own = Int32Array.from(lines, (line) => idOf(state.source.lines[line] as string));
  const other = Int32Array.from(open, (unit) =>
    idOf(manuscript.text.lines[manuscript.lineOf(unit)] as string),
  );
  align(own, other).forEach((at, index) => {
    if (at >= 0) dress(state, lines[index] as number, open[at] as number, manuscript);
  });
}

function dress(state: SourceState, line: number, unit: number, manuscript: ManuscriptState): void {
  const target = manuscript.text.scanned[manuscript.lineOf(unit)] as ScannedLine;
  const source = state.source.lines[line];
  const exact = source === target.text || source === manuscript.text.lines[manuscript.lineOf(unit)];
  if (
    state.source.form === 'text' &&
    state.reading.form === 'structured' &&
    target.kind === 'code' &&
    exact
  ) {
    manuscript.claimed[unit] = 1;
    return state.carry(line, line, manuscript.lineOf(unit), 'exact');
  }
  const own = state.reading.classes[line];
  const reason =
    own === 'code' && target.kind !== 'code'
      ? 'code is outside a code fence'
      : own !== 'code' && target.kind === 'code'
        ? 'text is inside a code fence'
        : 'only the white space or the marks differ';
  alter(state, line, unit, reason, manuscript);
}

function nearest(
  text: string,
  free: number[],
  from: number,
  manuscript: ManuscriptState,
  paired: boolean,
): number {
  let best = -1;
  let score = NEAR;
  const end = Math.min(free.length, from + (paired ? 1 : WINDOW));
  for (let at = from; at < end && manuscript.comparisons > 0; at++) {
    manuscript.comparisons--;
    const value = similarity(text, targetText(manuscript, free[at] as number));
    if (value > score || (paired && value === score)) {
      best = at;
      score = value;
    }
  }
  return best;
}

function alter(
  state: SourceState,
  line: number,
  unit: number,
  reason: string,
  manuscript: ManuscriptState,
): void {
  manuscript.claimed[unit] = 1;
  const detail = state.alterations.length < MAX_DIFFS;
  const diff = detail ? characterDiff(textOf(state, line), targetText(manuscript, unit)) : [];
  state.alter(line, manuscript.lineOf(unit), reason, diff);
}

function textOf(state: SourceState, line: number): string {
  return (
    state.reading.scanned?.[line]?.text ?? state.reading.rowAt?.(line) ?? (state.source.lines[line] as string)
  );
}

function targetText(manuscript: ManuscriptState, unit: number): string {
  const line = manuscript.text.scanned[manuscript.lineOf(unit)] as ScannedLine;
  return line.kind === 'code' ? line.text : (manuscript.text.lines[manuscript.lineOf(unit)] as string);
}
