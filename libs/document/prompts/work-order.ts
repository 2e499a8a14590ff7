import type { OutlineEntry, ValidationIssue } from '#contracts/manuscript.js';
import type { UserDecisions } from '#contracts/references.js';
import type { FileSizes } from '../contract/tasks.js';
import { callsWithoutProgress, type Progress } from '../graph/progress.js';
import { wordsOf } from '#verbatim/own-lines/names.js';
import { ZONE_HEADINGS } from '#verbatim/own-lines/vocabulary.js';
import { mostUseful, renderIssues } from './issues.js';
import { listSources, type SourceList } from './source-list.js';

/**
 * The work order (D16, D17): the input of the model in each step, as one text. Names and texts are JSON strings, one
 * entry per line, so that no file name can break the format. The end of the manuscript comes last and is the only free
 * text.
 */
export interface WorkOrder extends SourceList {
  session_id: string;
  /** Title of the document, and whether a person chose it. */
  title: { text: string; given: boolean } | null;
  /** Whether a summary may open the document. */
  has_summary: boolean;
  /** The chapter being written, counted from 1. */
  chapter: number;
  /** Inputs that are not text, such as images, and their total number. */
  assets: string[];
  asset_count: number;
  open_references: string[];
  decisions: UserDecisions;
  /** `due`: the manuscript has changed since the last validation, or was never validated. */
  validation: 'due' | 'passed' | 'failed';
  fix_attempts: number;
  /** The most useful issues of a failed validation, and how many more there are. */
  issues: ValidationIssue[];
  more_issues: number;
  error: { type: string; message: string } | null;
  conversion_attempts: number;
  /** Model calls since the last progress, if they are many; otherwise 0. */
  idle_calls: number;
  last_checkpoint: string | null;
  /** The last headings, and the number of those before them. */
  outline: OutlineEntry[];
  earlier_headings: number;
  /** The last lines of the manuscript, long lines cut. */
  tail: string;
}

/** The keys of `DocumentState` (D1) that the work order is made from. */
export interface WorkOrderState {
  session_id: string;
  /** Names in processing order. */
  input_files: string[];
  /** Those of them that are text; the others are assets. */
  text_files: string[];
  title: string | null;
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
  progress: Pick<Progress, 'calls' | 'seen'>;
  file_sizes: FileSizes;
}

/** The bounds that keep the prompt flat (D17). */
const LIMITS = {
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
export const isWorkOrder = (text: string): boolean => text.startsWith(`${TITLE}\n`);

const clip = (text: string, length: number): string =>
  text.length <= length ? text : `${text.slice(0, length - 1)}…`;

/**
 * The user prompt of one visit of the agent (D16, D17): current file, chapter, open files, answers, every validation
 * issue with its line number, the last error, and the manuscript's tail.
 *
 * @param settings title that a person chose, and whether a summary may open the document
 * @param manuscriptTail the last lines of the manuscript (100 are used), "" when there is none
 */
export function buildWorkOrder(
  state: WorkOrderState,
  manuscriptTail: string,
  { title, hasSummary }: { title: string | null; hasSummary: boolean } = { title: null, hasSummary: false },
): string {
  const titleText = title ?? state.title;
  const text = new Set(state.text_files);
  const assets = state.input_files.filter((name) => !text.has(name));
  const files = listSources(state);
  const isFinished =
    files.current_file === null &&
    assets.length === 0 &&
    state.validation_passed !== false &&
    state.last_error === null;
  return renderWorkOrder({
    session_id: state.session_id,
    title: titleText === null ? null : { text: titleText, given: title !== null },
    has_summary: hasSummary,
    chapter: state.current_chapter,
    ...files,
    assets: assets.slice(0, LIMITS.assets),
    asset_count: assets.length,
    open_references: state.missing_references.filter((ref) => !Object.hasOwn(state.user_decisions, ref)),
    decisions: state.user_decisions,
    validation: state.validation_passed === null ? 'due' : state.validation_passed ? 'passed' : 'failed',
    fix_attempts: state.fix_attempts,
    ...mostUseful(state.validation_passed === false ? state.validation_issues : []),
    error:
      state.last_error === null
        ? null
        : { type: state.error_type ?? 'error', message: clip(state.last_error, LIMITS.errorChars) },
    conversion_attempts: state.conversion_attempts,
    idle_calls: state.progress.calls >= callsWithoutProgress(state) ? state.progress.calls : 0,
    last_checkpoint: state.last_checkpoint_id,
    outline: state.document_outline
      .slice(-LIMITS.outline)
      .map((entry) => ({ ...entry, title: clip(entry.title, LIMITS.headingChars) })),
    earlier_headings: Math.max(0, state.document_outline.length - LIMITS.outline),
    tail: boundTail(manuscriptTail, isFinished ? LIMITS.finishedTailChars : LIMITS.tailChars),
  });
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

export const TITLE = 'WORK ORDER';
export const TAIL = '## End of the manuscript (verbatim, up to the end of this message)';
const ISSUES = 'Validation issues to mend';
const quote = (text: string): string => JSON.stringify(text);

const section = (heading: string, lines: string[]): string[] =>
  lines.length === 0 ? [] : ['', `## ${heading}`, ...lines];

/** Renders a work order; texts of issues may be cut and grouped. */
export function renderWorkOrder(order: WorkOrder): string {
  const open = order.files.filter((file) => !file.written).length;
  const files = order.files.map(
    ({ name, written, about }) => `- [${written ? 'x' : ' '}] ${quote(name)} ${about}`,
  );
  const error = order.error === null ? [] : [`- ${order.error.type}: ${quote(order.error.message)}`];
  return [
    TITLE,
    `session: ${order.session_id}`,
    `title: ${order.title === null ? 'none' : `${quote(order.title.text)} (${order.title.given ? 'given by a person' : 'yours'})`}`,
    `summary: ${order.has_summary ? 'allowed' : 'no'}`,
    `chapter: ${order.chapter}`,
    `current file: ${order.current_file === null ? 'none' : quote(order.current_file)}`,
    `input files: ${order.file_count} (${order.files_complete ? `all listed, ${open} open` : `the next ${open} open ones listed`})`,
    `validation: ${order.validation} (fix attempts ${order.fix_attempts})`,
    `conversion attempts: ${order.conversion_attempts}`,
    `last checkpoint: ${order.last_checkpoint === null ? 'none' : quote(order.last_checkpoint)}`,
    `assets: ${order.asset_count}`,
    ...section('Files ([x] written, [ ] open)', files),
    ...section(
      'Folders (every file is counted; list_files returns the names)',
      order.folders.map(({ name, about }) => `- ${quote(name)} ${about}`),
    ),
    ...section(
      'Images and other assets (not to be read)',
      order.assets.map((name) => `- ${quote(name)}`),
    ),
    ...section(
      'Missing references without an answer',
      order.open_references.map((ref) => `- ${quote(ref)}`),
    ),
    ...section(
      'Answers about missing references',
      Object.entries(order.decisions).map(([ref, answer]) => `- ${quote(ref)}: ${quote(answer)}`),
    ),
    ...section('No progress', order.idle_calls === 0 ? [] : [idleNote(order)]),
    ...section('Error to recover from', error),
    ...section(ISSUES, renderIssues(order.issues)),
    ...section('More issues', order.more_issues === 0 ? [] : [moreNote(order)]),
    ...section(
      'Outline (level, manuscript line, heading)',
      order.outline.map((entry) => `- ${entry.level} ${entry.line} ${quote(entry.title)}`),
    ),
    ...section(
      'Earlier headings',
      order.earlier_headings === 0 ? [] : [`${order.earlier_headings}, not shown`],
    ),
    ...section('Task', [taskOf(order)]),
    '',
    TAIL,
    order.tail,
  ].join('\n');
}

/** Says that the last calls achieved nothing, and what counts. */
const idleNote = ({ idle_calls: calls }: WorkOrder): string =>
  `Your last ${calls} calls placed no further line of a source, read nothing new and repaired no issue. Do not repeat ` +
  'them. Do what the task below says with other calls. If you cannot, call request_human_input and say why.';

const moreNote = ({ more_issues: more }: WorkOrder): string =>
  `${more} more ${more === 1 ? 'issue is' : 'issues are'} not shown; the next validation shows what is left.`;

/** Returns the agent's next task, in one line. */
function taskOf(order: WorkOrder): string {
  const { validation, issues, error, current_file, file_count, asset_count } = order;
  if (validation === 'failed' || issues.length > 0)
    return 'Repair the issues above from the last line of the manuscript to the first, so that the lines keep their numbers, then call create_checkpoint.';
  if (error !== null)
    return 'Change what caused the error above, if the manuscript can, then call create_checkpoint.';
  if (current_file === null && file_count === 0) return 'Place the images, then call create_checkpoint.';
  if (current_file === null) {
    const images = asset_count === 0 ? '' : 'place images that no text shows, or ';
    const summary = isSummaryDue(order) ? 'write the summary and call create_checkpoint, or ' : '';
    return `Every file is in the manuscript: ${images}${summary}end with one short sentence and no tool call.`;
  }
  return `Place ${quote(current_file)}, then the other open files, and call create_checkpoint after each chapter.`;
}

const isSummaryDue = ({ has_summary, outline }: WorkOrder): boolean =>
  has_summary && !outline.some(({ title }) => ZONE_HEADINGS.has(wordsOf(title).join(' ')));

/** Returns a rendered work order with half of its issues and the last characters of its end of the manuscript. */
export function shortenWorkOrder(text: string, tailLength: number): string {
  const at = text.indexOf(`\n${TAIL}\n`);
  if (at < 0) return text;
  const tailAt = at + TAIL.length + 2;
  const lines = text.slice(0, tailAt).split('\n');
  const from = lines.indexOf(`## ${ISSUES}`) + 1;
  const count = from === 0 ? 0 : lines.indexOf('', from) - from;
  lines.splice(from + Math.ceil(count / 2), Math.floor(count / 2));
  return lines.join('\n') + text.slice(tailAt).slice(-tailLength).toWellFormed();
}
