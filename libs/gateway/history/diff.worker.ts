import { FILE_HEADERS_ONLY, formatPatch, structuredPatch } from 'diff';

export interface DiffWork {
  before: string;
  after: string;
  /** Milliseconds after which the comparison is aborted. */
  limitMs: number;
}

export interface LineDiff {
  added: number;
  removed: number;
  hunks: { old_start: number; old_lines: number; new_start: number; new_lines: number; lines: string[] }[];
  unified: string;
}

/** Lines of context around a change, as in `diff -u`. */
const CONTEXT = 3;
/** Maximum number of differing lines; bounds time and memory, which grow with its square. */
const MAX_EDITS = 20_000;

/** Runs in a thread: compares two texts line by line. @returns null if they differ too much */
export default function compare({ before, after, limitMs }: DiffWork): LineDiff | null {
  const patch = structuredPatch('a/temp_output.md', 'b/temp_output.md', before, after, '', '', {
    context: CONTEXT,
    timeout: limitMs,
    maxEditLength: MAX_EDITS,
  });
  if (!patch) return null;
  const lines = patch.hunks.flatMap((hunk) => hunk.lines);
  return {
    added: lines.filter((line) => line.startsWith('+')).length,
    removed: lines.filter((line) => line.startsWith('-')).length,
    hunks: patch.hunks.map((hunk) => ({
      old_start: hunk.oldStart,
      old_lines: hunk.oldLines,
      new_start: hunk.newStart,
      new_lines: hunk.newLines,
      lines: hunk.lines,
    })),
    unified: patch.hunks.length === 0 ? '' : formatPatch(patch, FILE_HEADERS_ONLY),
  };
}
