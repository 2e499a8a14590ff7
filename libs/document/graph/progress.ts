import { phrase } from '#contracts/phrases/phrase.js';
import { moneyPhrase } from '#contracts/phrases/parts.js';
import { issueFingerprint, type ValidationIssue } from '#contracts/manuscript.js';
import { ModelFailure, type RunModel } from '#kit/graph/ports.js';
import type { FileSizes } from '../contract/tasks.js';
import type { SourceLines } from './tools/source-lines.js';

const MOST_CALLS = 8;
const FEWEST_CALLS = 2;
/** Bytes of a source that allow one more call. */
const BYTES_PER_CALL = 4_096;

/** What the sources need, and how often the manuscript was repaired since it last passed. */
interface Sources {
  file_sizes: FileSizes;
  fix_attempts: number;
}

/**
 * Returns the number of model calls without progress after which the work order says so; after twice as many, a person
 * decides. Small sources allow fewer, so that a careless model costs at most five times what they need; repairs allow two
 * more, so that a person sees the issues after three of them (D23).
 */
export function callsWithoutProgress({ file_sizes: sizes, fix_attempts: repairs }: Sources): number {
  const files = Object.values(sizes);
  if (files.length === 0) return MOST_CALLS;
  const more = files.reduce((sum, { bytes }) => sum + Math.max(1, Math.ceil(bytes / BYTES_PER_CALL)), 0);
  return Math.min(MOST_CALLS, FEWEST_CALLS + more + (repairs > 0 ? 2 : 0));
}

type Range = [first: number, last: number];

/** A part of a source that a tool placed or read. `what` names the way and the file. */
export interface SeenPart {
  what: string;
  first: number;
  last: number;
}

/** Achievements of a run, and the number of model calls since the last one. Repeating what was undone does not count as progress. */
export interface Progress {
  /** Model calls since the last progress. */
  calls: number;
  /** Parts of sources that were placed or read, by `SeenPart.what`, in order and apart. */
  seen: Record<string, Range[]>;
  /** Source lines in the manuscript when they were last counted; of a retelling, all lines that differ. */
  carried: number;
  /** Fingerprints of issues that were repaired. */
  repaired: string[];
}

export const NO_PROGRESS_YET: Progress = { calls: 0, seen: {}, carried: 0, repaired: [] };

/** Resets the count of calls, after progress or a person's decision. */
export const restarted = (progress: Progress): Progress => ({ ...progress, calls: 0 });

/** Returns the progress after tools placed or read parts of sources; a new part is progress. */
export function afterTools(progress: Progress, parts: readonly SeenPart[]): Progress {
  return parts.reduce((before, { what, first, last }) => {
    const ranges = before.seen[what] ?? [];
    if (ranges.some(([from, to]) => from <= first && last <= to)) return before;
    const seen = { ...before.seen, [what]: withRange(ranges, [first, last]) };
    return restarted({ ...before, seen });
  }, progress);
}

/** Returns the lines of a file that no tool placed, if a tool placed others; none if the number of lines is unknown. */
export function unplacedLines({ seen }: Pick<Progress, 'seen'>, file: string, lines = 0): Range[] {
  const placed = seen[`placed ${file}`] ?? [];
  if (placed.length === 0) return [];
  const borders: Range[] = [[0, 0], ...placed, [lines + 1, lines + 1]];
  return borders.slice(1).flatMap(([first], index): Range[] => {
    const from = borders[index]![1] + 1;
    return from < first ? [[from, first - 1]] : [];
  });
}

/** Adds a range; ranges that touch become one. */
function withRange(ranges: readonly Range[], added: Range): Range[] {
  const sorted = [...ranges, added].sort(([a], [b]) => a - b);
  const joined: Range[] = [];
  for (const [first, last] of sorted) {
    const before = joined.at(-1);
    if (before && first <= before[1] + 1) before[1] = Math.max(before[1], last);
    else joined.push([first, last]);
  }
  return joined;
}

/**
 * Returns the progress after a validation. An issue that is gone for the first time is progress; a validation that
 * passes is none by itself, because each part of the manuscript can pass again and again.
 */
export function afterValidation(
  progress: Progress,
  before: readonly ValidationIssue[],
  now: readonly ValidationIssue[],
): Progress {
  const left = new Set([...now.map(issueFingerprint), ...progress.repaired]);
  const repaired = before.map(issueFingerprint).filter((issue) => !left.has(issue));
  if (repaired.length === 0) return progress;
  return restarted({ ...progress, repaired: [...progress.repaired, ...repaired] });
}

/**
 * Returns the progress after the model changed the manuscript without placing or reading something new: more source lines
 * in it are progress. A retelling carries few of them; there, more lines that differ are.
 */
export async function afterTyping(
  progress: Progress,
  manuscript: readonly string[],
  files: readonly string[],
  sources: SourceLines,
  policy: 'verbatim' | 'narrative',
): Promise<Progress> {
  const written = new Set(manuscript.map((line) => line.trim()).filter((line) => line !== ''));
  const isRetold = policy === 'narrative';
  let carried = isRetold ? written.size : 0;
  for (const name of isRetold ? [] : files) {
    const lines = await sources.read(name);
    carried += lines.filter((line) => written.has(line.trim())).length;
  }
  if (carried <= progress.carried) return progress;
  // The first count includes the lines that a tool placed, which were progress already.
  const isFirst =
    progress.carried === 0 && Object.keys(progress.seen).some((what) => what.startsWith('placed '));
  return isFirst ? { ...progress, carried } : restarted({ ...progress, carried });
}

/** @throws ModelFailure `no_progress`, with the cost so far, if a person has to decide */
export async function checkProgress(state: Sources & { progress: Progress }, model: RunModel): Promise<void> {
  const { calls } = state.progress;
  if (calls < 2 * callsWithoutProgress(state)) return;
  const { tokens, cost } = await model.spent();
  const detail =
    cost > 0
      ? phrase('model_failure.no_progress.cost', { calls, tokens, cost: moneyPhrase(cost) })
      : phrase('model_failure.no_progress', { calls, tokens });
  throw new ModelFailure('no_progress', detail);
}
