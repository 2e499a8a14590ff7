/**
 * A stretch of whole lines that source and manuscript have in common: offsets of its first character, and its
 * length.
 */
export interface EqualRun {
  source: number;
  manuscript: number;
  length: number;
}

const BLOCK = 240;
const WINDOW = 64 * 1024;
const CHUNK = 16 * 1024;
/** Number of consecutive source lines that are tried to find the next common place. */
const TRIES = 48;

/**
 * Finds long equal stretches by comparing text, without splitting it into lines. Stretches are in order and
 * found once. The search ends at a text that occurs more than once in the manuscript, or at a difference that
 * extends beyond 64 KB.
 */
export function equalRuns(source: string, manuscript: string): EqualRun[] {
  const runs: EqualRun[] = [];
  let at = 0;
  let target = firstPlace(source, manuscript);
  while (target >= 0 && at < source.length) {
    const length = wholeLines(source, at, commonLength(source, at, manuscript, target));
    if (length > 0) runs.push({ source: at, manuscript: target, length });
    const next = resume(source, at + length, manuscript, target + length);
    if (!next) break;
    [at, target] = next;
  }
  return runs;
}

/** Returns the position of the source's beginning in the manuscript; -1 unless it occurs exactly once. */
function firstPlace(source: string, manuscript: string): number {
  const head = blockAt(source, 0);
  const place = manuscript.indexOf(`\n${head}`);
  return place >= 0 && manuscript.indexOf(`\n${head}`, place + 1) < 0 ? place + 1 : -1;
}

/** Returns whole lines from an offset on, at least 240 characters if the text has them. */
function blockAt(text: string, at: number): string {
  const end = text.indexOf('\n', Math.min(text.length, at + BLOCK));
  return end < 0 ? text.slice(at) : text.slice(at, end + 1);
}

function commonLength(a: string, at: number, b: string, bt: number): number {
  const limit = Math.min(a.length - at, b.length - bt);
  let length = 0;
  while (
    length + CHUNK <= limit &&
    a.slice(at + length, at + length + CHUNK) === b.slice(bt + length, bt + length + CHUNK)
  ) {
    length += CHUNK;
  }
  const end = Math.min(limit, length + CHUNK);
  while (length < end && a.charCodeAt(at + length) === b.charCodeAt(bt + length)) length++;
  return length;
}

function wholeLines(text: string, at: number, length: number): number {
  return length === 0 ? 0 : Math.max(0, text.lastIndexOf('\n', at + length - 1) + 1 - at);
}

/**
 * Finds the next common place, within a window and by a block that occurs there only once. Returns null if
 * it finds nothing.
 */
function resume(source: string, at: number, manuscript: string, target: number): [number, number] | null {
  const window = manuscript.slice(Math.max(0, target - 1), target + WINDOW);
  const base = Math.max(0, target - 1);
  let line = at;
  for (let tried = 0; tried < TRIES && line < source.length; tried++) {
    const block = `\n${blockAt(source, line)}`;
    const place = window.indexOf(block);
    if (block.length > BLOCK && place >= 0 && window.indexOf(block, place + 1) < 0)
      return [line, base + place + 1];
    const end = source.indexOf('\n', line);
    if (end < 0) return null;
    line = end + 1;
  }
  return null;
}
