import { type EqualRun, equalRuns } from './equal-runs.js';
import { sourceForm } from '../source/form.js';
import { LineMap, type Placeholder } from './line-map.js';
import { scanMarkdown, splitLines } from '#markdown/scan/scan.js';
import type { LedgerOptions, LedgerSource } from '../schema.js';

/**
 * Shortened texts of both sides, in which a placeholder line replaces each long equal stretch of code, with
 * maps back to the original lines.
 */
export interface Reduced {
  manuscript: string;
  sources: LedgerSource[];
  manuscriptMap: LineMap;
  sourceMaps: LineMap[];
}

/** Minimum sizes of a source and a stretch, in characters; shortening smaller ones is not worthwhile. */
const MIN_SOURCE = 64 * 1024;
const MIN_RUN = 8 * 1024;
/**
 * Number of lines at both ends of a stretch that stay, so that a duplicated line next to it is still
 * detected.
 */
const MARGIN = 2;
/** Delimiter of placeholders; a private-use character. Texts that contain it are not shortened. */
export const MARK = '\uE000';

interface Cut extends EqualRun {
  index: number;
  lines: number;
  placeholder: string;
}

/**
 * Removes long equal stretches from large code sources and the manuscript before anything is split into
 * lines: they are carried, and comparing them as text is many times faster. Returns null if it gains nothing
 * or would be unsafe.
 */
export function reduce(manuscript: string, sources: LedgerSource[], options: LedgerOptions): Reduced | null {
  if (options.omissions?.length || manuscript.includes(MARK)) return null;
  const cuts = findCuts(manuscript, sources);
  if (cuts.length === 0) return null;
  const side = cutOut(
    manuscript,
    cuts.map(({ manuscript: at, ...cut }) => ({ ...cut, at })),
  );
  if (!insideFences(side.text)) return null;
  const sourceMaps: LineMap[] = [];
  const shorter = sources.map((source, index) => {
    const own = cuts.filter((cut) => cut.index === index).map(({ source: at, ...cut }) => ({ ...cut, at }));
    const { text, map } = cutOut(
      source.text,
      own.sort((a, b) => a.at - b.at),
    );
    sourceMaps.push(map);
    return { name: source.name, text };
  });
  return { manuscript: side.text, sources: shorter, manuscriptMap: side.map, sourceMaps };
}

function findCuts(manuscript: string, sources: LedgerSource[]): Cut[] {
  const cuts: Cut[] = [];
  sources.forEach(({ name, text }, index) => {
    if (text.length < MIN_SOURCE || sourceForm(name) !== 'code' || text.includes(MARK)) return;
    for (const run of equalRuns(text, manuscript)) {
      const inner = withoutMargins(text, run);
      if (inner.length < MIN_RUN) continue;
      const part = text.slice(inner.source, inner.source + inner.length);
      // A line that looks like a fence could close the surrounding code fence.
      if (part.includes('```') || part.includes('~~~')) continue;
      cuts.push({
        ...inner,
        index,
        lines: countLines(part),
        placeholder: `${MARK}${index}.${cuts.length}${MARK}`,
      });
    }
  });
  cuts.sort((a, b) => a.manuscript - b.manuscript);
  let end = 0;
  return cuts.filter((cut) => {
    const free = cut.manuscript >= end;
    if (free) end = cut.manuscript + cut.length;
    return free;
  });
}

function withoutMargins(text: string, run: EqualRun): EqualRun {
  let from = run.source;
  let to = run.source + run.length;
  for (let i = 0; i < MARGIN; i++) {
    const next = text.indexOf('\n', from) + 1;
    from = next > 0 ? next : to;
    to = text.lastIndexOf('\n', to - 2) + 1;
  }
  return { source: from, manuscript: run.manuscript + (from - run.source), length: Math.max(0, to - from) };
}

interface OwnCut {
  at: number;
  length: number;
  lines: number;
  placeholder: string;
}

/** Replaces the cuts, which are in ascending order. */
function cutOut(text: string, cuts: OwnCut[]): { text: string; map: LineMap } {
  const parts: string[] = [];
  const placeholders: Placeholder[] = [];
  let from = 0;
  let line = 1;
  for (const { at, length, lines, placeholder } of cuts) {
    const part = text.slice(from, at);
    parts.push(part, `${placeholder}\n`);
    line += countLines(part);
    placeholders.push({ line, lines });
    line++;
    from = at + length;
  }
  parts.push(text.slice(from));
  return { text: parts.join(''), map: new LineMap(placeholders) };
}

function countLines(text: string): number {
  let count = 0;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) count++;
  return count;
}

/**
 * Returns whether every placeholder is in a code fence that starts at the margin: only there are the lines of
 * a stretch code exactly as written.
 */
function insideFences(manuscript: string): boolean {
  const lines = splitLines(manuscript);
  const { lines: scanned, fences } = scanMarkdown(lines);
  const plain = new Uint8Array(lines.length);
  for (const fence of fences) {
    if (lines[fence.line - 1]?.startsWith(fence.marker)) plain.fill(1, fence.line, fence.lastLine);
  }
  return lines.every(
    (line, at) => !line.startsWith(MARK) || (plain[at] === 1 && scanned[at]?.kind === 'code'),
  );
}
