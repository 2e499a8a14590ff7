import { align } from './align.js';
import { type ManuscriptState, type SourceState, type Gap, openLines, openTargets } from './state.js';
import { proseText, words } from '../source/keys.js';
import { isText, type ScannedLine } from '#markdown/scan/scan.js';
import { characterDiff } from './text-diff.js';

/** Below this share of common words, lines of prose count as different instead of altered. */
const ALTERED_SHARE = 0.4;

interface Stream {
  /** ID of each word, and the index of its line. */
  ids: Int32Array;
  piece: Int32Array;
  lengths: Int32Array;
}

/**
 * Matches the prose and headings of a gap word by word, so that text may be wrapped differently. A source
 * line is carried if all its words are found without other words between them. Lines with enough common words
 * are alterations.
 */
export function fillProse(
  state: SourceState,
  gap: Gap,
  targets: Int32Array,
  manuscript: ManuscriptState,
): void {
  const scanned = state.reading.scanned as ScannedLine[];
  const lines = openLines(state, gap).filter((line) => isText(scanned[line] as ScannedLine));
  const units = openTargets(targets, manuscript, isText);
  if (lines.length === 0 || units.length === 0) return;
  const plain = state.source.form === 'text';
  const ids = new Map<string, number>();
  const own = stream(
    lines.map((line) => (plain ? asWritten(scanned[line] as ScannedLine) : (scanned[line] as ScannedLine))),
    plain,
    ids,
  );
  const other = stream(
    units.map((unit) => manuscript.text.scanned[manuscript.lineOf(unit)] as ScannedLine),
    plain,
    ids,
  );
  const outcome = compare(own, other, align(own.ids, other.ids));
  lines.forEach((line, piece) => settle(state, line, piece, outcome, units, manuscript));
}

/** Returns a heading of a plain text with its `#` marks: there they are characters that must be carried. */
function asWritten(line: ScannedLine): ScannedLine {
  return line.kind === 'heading' ? { ...line, text: `${'#'.repeat(line.level)} ${line.text}` } : line;
}

function stream(pieces: ScannedLine[], plain: boolean, ids: Map<string, number>): Stream {
  const found: number[] = [];
  const piece: number[] = [];
  const lengths = new Int32Array(pieces.length);
  pieces.forEach((line, index) => {
    for (const token of tokens(line, plain)) {
      const id = ids.get(token) ?? ids.size;
      ids.set(token, id);
      found.push(id);
      piece.push(index);
      lengths[index] = (lengths[index] as number) + 1;
    }
  });
  return { ids: Int32Array.from(found), piece: Int32Array.from(piece), lengths };
}

/**
 * Returns words with their context: words in a heading or quote differ from plain ones, and a list marker
 * differs from a dash. In plain text, a line may become a heading.
 */
function tokens(line: ScannedLine, plain: boolean): string[] {
  const heading = line.kind !== 'prose';
  const prefix = `${heading && !plain ? '\u0002' : ''}${line.quotes > 0 ? `\u0003${line.quotes}` : ''}`;
  const marker = line.marker ? line.marker.split(' ').map((mark) => (plain ? mark : `\u0004${mark}`)) : [];
  const text = line.marker ? proseText(line).slice(line.marker.length + 1) : line.text;
  return [...marker, ...words(text).map((word) => prefix + word)];
}

interface Outcome {
  lengths: Int32Array;
  matched: Int32Array;
  /** First and last target line with words of each source line; -1 for none. */
  first: Int32Array;
  last: Int32Array;
  /** 1 if foreign words interrupt the words of this line. */
  disturbed: Uint8Array;
  targetShare: Float64Array;
}

function compare(own: Stream, other: Stream, match: Int32Array): Outcome {
  const count = own.lengths.length;
  const outcome: Outcome = {
    lengths: own.lengths,
    matched: new Int32Array(count),
    first: new Int32Array(count).fill(-1),
    last: new Int32Array(count).fill(-1),
    disturbed: new Uint8Array(count),
    targetShare: new Float64Array(other.lengths.length),
  };
  const ownerOf = new Int32Array(other.ids.length).fill(-1);
  match.forEach((at, word) => {
    if (at < 0) return;
    const piece = own.piece[word] as number;
    const target = other.piece[at] as number;
    ownerOf[at] = piece;
    outcome.matched[piece] = (outcome.matched[piece] as number) + 1;
    if (outcome.first[piece] === -1) outcome.first[piece] = target;
    outcome.last[piece] = target;
    outcome.targetShare[target] =
      (outcome.targetShare[target] as number) + 1 / (other.lengths[target] as number);
  });
  disturb(outcome, other, ownerOf);
  return outcome;
}

/**
 * Marks source lines that foreign words interrupt: the one before them in the same manuscript line, otherwise
 * the one after them.
 */
function disturb(outcome: Outcome, other: Stream, ownerOf: Int32Array): void {
  let before = -1;
  for (let at = 0; at < ownerOf.length; at++) {
    if ((ownerOf[at] as number) >= 0) {
      before = at;
      continue;
    }
    let after = at + 1;
    while (after < ownerOf.length && (ownerOf[after] as number) < 0) after++;
    const piece = other.piece[at] as number;
    const last = other.piece[after - 1] as number;
    if (before >= 0 && other.piece[before] === piece) outcome.disturbed[ownerOf[before] as number] = 1;
    else if (after < ownerOf.length && other.piece[after] === last)
      outcome.disturbed[ownerOf[after] as number] = 1;
    // Added lines in the middle of a source line also interrupt it.
    const spans = before >= 0 && after < ownerOf.length && ownerOf[before] === ownerOf[after];
    if (spans) outcome.disturbed[ownerOf[before] as number] = 1;
    at = after - 1;
  }
}

function settle(
  state: SourceState,
  line: number,
  piece: number,
  outcome: Outcome,
  units: number[],
  manuscript: ManuscriptState,
): void {
  const first = outcome.first[piece] as number;
  if (first < 0) return;
  const last = outcome.last[piece] as number;
  const complete = outcome.matched[piece] === outcome.lengths[piece] && !outcome.disturbed[piece];
  const target = manuscript.lineOf(units[first] as number);
  if (complete) {
    for (let i = first; i <= last; i++) manuscript.claimed[units[i] as number] = 1;
    const end = manuscript.lineOf(units[last] as number);
    state.carry(line, line, target, 'wrapped');
    if (end > target) state.wrappedTo.set(line, end);
    return;
  }
  const share = (outcome.matched[piece] as number) / (outcome.lengths[piece] as number);
  if (share < ALTERED_SHARE && (outcome.targetShare[first] as number) < ALTERED_SHARE) return;
  const parts: string[] = [];
  for (let i = first; i <= last; i++) {
    manuscript.claimed[units[i] as number] = 1;
    parts.push(proseText(manuscript.text.scanned[manuscript.lineOf(units[i] as number)] as ScannedLine));
  }
  const before = proseText((state.reading.scanned as ScannedLine[])[line] as ScannedLine);
  state.alter(line, target, 'the words differ', characterDiff(before, parts.join(' ')));
}
