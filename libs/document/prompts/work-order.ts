import type { OutlineEntry, ValidationIssue } from '#contracts/manuscript.js';
import type { UserDecisions } from '#contracts/references.js';
import { openFiles } from '../graph/state.js';
import { renderWorkOrder, type WorkOrder } from '../contract/work-order.js';

/** The keys of `DocumentState` (D1) that the work order is made from. */
export interface WorkOrderState {
  session_id: string;
  /** Names in processing order. */
  input_files: string[];
  /** Those of them that are text; the others are assets. */
  text_files: string[];
  current_chapter: number;
  document_outline: OutlineEntry[];
  missing_references: string[];
  user_decisions: UserDecisions;
  validation_passed: boolean | null;
  validation_issues: ValidationIssue[];
  last_error: string | null;
  error_type: string | null;
  files_read: string[];
  /** Files that the manuscript carries; null in runs of older releases, for which `files_read` applies. */
  files_written: string[] | null;
  last_checkpoint_id: string | null;
  fix_attempts: number;
  conversion_attempts: number;
}

/** The bounds that keep the prompt flat (D17). */
const LIMITS = {
  allFiles: 60,
  openFiles: 60,
  assets: 100,
  outline: 12,
  headingChars: 120,
  errorChars: 2_000,
  tailLines: 100,
  tailLineChars: 400,
  tailChars: 3_000,
  /** Nothing is added to a finished manuscript. */
  finishedTailChars: 400,
};

/** Tells a work order from a person's answer and from a correction. */
export const isWorkOrder = (text: string): boolean => text.startsWith('WORK ORDER\n');

const clip = (text: string, length: number): string =>
  text.length <= length ? text : `${text.slice(0, length - 1)}…`;

/**
 * The user prompt of one visit of the agent (D16, D17): current file, chapter, open files, answers, every validation
 * issue with its line number, the last error, and the manuscript's tail.
 *
 * @param manuscriptTail the last lines of the manuscript (100 are used), "" when there is none
 */
export function buildWorkOrder(state: WorkOrderState, manuscriptTail: string): string {
  const files = listFiles(state);
  const isFinished =
    files.current_file === null &&
    files.asset_count === 0 &&
    state.validation_passed !== false &&
    state.last_error === null;
  return renderWorkOrder({
    session_id: state.session_id,
    chapter: state.current_chapter,
    ...files,
    open_references: state.missing_references.filter((ref) => !Object.hasOwn(state.user_decisions, ref)),
    decisions: state.user_decisions,
    validation: state.validation_passed === null ? 'none' : state.validation_passed ? 'passed' : 'failed',
    fix_attempts: state.fix_attempts,
    issues: state.validation_passed === false ? state.validation_issues : [],
    error:
      state.last_error === null
        ? null
        : { type: state.error_type ?? 'error', message: clip(state.last_error, LIMITS.errorChars) },
    conversion_attempts: state.conversion_attempts,
    last_checkpoint: state.last_checkpoint_id,
    outline: state.document_outline
      .slice(-LIMITS.outline)
      .map((entry) => ({ ...entry, title: clip(entry.title, LIMITS.headingChars) })),
    tail: boundTail(manuscriptTail, isFinished ? LIMITS.finishedTailChars : LIMITS.tailChars),
  });
}

/** All text files while they are few; past that only open ones. */
function listFiles(
  state: WorkOrderState,
): Pick<WorkOrder, 'file_count' | 'files' | 'files_complete' | 'current_file' | 'assets' | 'asset_count'> {
  const notWritten = new Set(openFiles(state));
  const text = new Set(state.text_files);
  const all = state.text_files.map((name) => ({ name, written: !notWritten.has(name) }));
  const open = all.filter((file) => !file.written);
  const assets = state.input_files.filter((name) => !text.has(name));
  const complete = all.length <= LIMITS.allFiles;
  return {
    file_count: all.length,
    files: complete ? all : open.slice(0, LIMITS.openFiles),
    files_complete: complete,
    current_file: open[0]?.name ?? null,
    assets: assets.slice(0, LIMITS.assets),
    asset_count: assets.length,
  };
}

function boundTail(tail: string, length: number): string {
  const body = tail.endsWith('\n') ? tail.slice(0, -1) : tail;
  const lines = body
    .split('\n')
    .slice(-LIMITS.tailLines)
    .map((line) => clip(line, LIMITS.tailLineChars));
  let size = 0;
  let from = lines.length;
  while (from > 0 && size + (lines[from - 1]?.length ?? 0) + 1 <= length) {
    from -= 1;
    size += (lines[from]?.length ?? 0) + 1;
  }
  return lines.slice(from).join('\n');
}
