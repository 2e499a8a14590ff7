import { cutAt } from '#contracts/text.js';
import type { OutlineEntry, ValidationIssue } from '#contracts/manuscript.js';
import type { UserDecisions } from '#contracts/references.js';
import type { FileSizes } from '../contract/tasks.js';
import { callsWithoutProgress, type Progress, unplacedLines } from '../graph/progress.js';
import { wordsOf } from '#verbatim/own-lines/names.js';
import { ZONE_HEADINGS } from '#verbatim/own-lines/vocabulary.js';
import { sourceForm } from '#verbatim/source/form.js';
import { folderOf } from '#contracts/source-name.js';
import { languageByName } from '../offline/sources/languages.js';
import { openFiles } from '../graph/state.js';

/** A text input or a folder in a work order, with its kind and size for the model. */
interface ListedFile {
  name: string;
  written: boolean;
  /** Such as `log, 812 lines, 78 KB; not placed: 641-812`. */
  about: string;
}
interface ListedFolder {
  name: string;
  /** Such as `120 files (14 open), 3400 lines, 120 KB: 100 ts, 20 markdown`. */
  about: string;
}

/** Text inputs in a work order: all of them while they are few, otherwise the next open ones, and all by folder. */
interface SourceList {
  file_count: number;
  current_file: string | null;
  files: ListedFile[];
  files_complete: boolean;
  /** Empty if all files are listed. */
  folders: ListedFolder[];
}

interface Listed {
  text_files: string[];
  files_read: string[];
  files_written: string[] | null;
  file_sizes: FileSizes;
  progress: Pick<Progress, 'seen'>;
}

const LIST_LIMITS = { files: 60, folders: 40, ranges: 20, kinds: 6 };

/** Returns the text inputs for a work order; its length does not depend on their number. */
function listSources(state: Listed): SourceList {
  const open = new Set(openFiles(state));
  const names = state.text_files;
  const complete = names.length <= LIST_LIMITS.files;
  const shown = complete ? names : names.filter((name) => open.has(name)).slice(0, LIST_LIMITS.files);
  return {
    file_count: names.length,
    current_file: names.find((name) => open.has(name)) ?? null,
    files: shown.map((name) => ({
      name,
      written: !open.has(name),
      about: aboutFile(name, open.has(name), state),
    })),
    files_complete: complete,
    folders: complete ? [] : listFolders(names, open, state.file_sizes),
  };
}

/** Kind of a file by its name: its language, or the form in which it is placed. */
const kindByName = (name: string): string =>
  sourceForm(name) === 'markdown' ? 'markdown' : (languageByName(name)?.language ?? sourceForm(name));

function aboutFile(name: string, isOpen: boolean, { file_sizes, progress }: Listed): string {
  const size = file_sizes[name];
  const about = [kindByName(name), ...(size ? [sizeText(size)] : [])].join(', ');
  const left = isOpen ? unplacedLines(progress, name, size?.lines) : [];
  if (left.length === 0) return about;
  const ranges = left.slice(0, LIST_LIMITS.ranges).map(([first, last]) => `${first}-${last}`);
  const more = left.length > ranges.length ? ` and ${left.length - ranges.length} more ranges` : '';
  return `${about}; not placed: lines ${ranges.join(', ')}${more}`;
}

const sizeText = ({ bytes, lines }: FileSizes[string]): string =>
  `${lines} ${lines === 1 ? 'line' : 'lines'}, ${bytes < 1024 ? `${bytes} bytes` : `${Math.round(bytes / 1024)} KB`}`;

/** Groups all files by folder; while there are too many folders, the deepest are counted with their parents. */
function listFolders(names: string[], open: ReadonlySet<string>, sizes: FileSizes): ListedFolder[] {
  const depthOf = (folder: string) => (folder === '' ? 0 : folder.split('/').length);
  const foldersOf = (depth: number) =>
    groupsOf(names, (name) => folderOf(name).split('/').slice(0, depth).join('/'));
  let depth = Math.max(...names.map((name) => depthOf(folderOf(name))));
  let folders = foldersOf(depth);
  while (folders.size > LIST_LIMITS.folders && depth > 0) folders = foldersOf(--depth);
  return [...folders].map(([folder, files]) => ({
    name: folder === '' ? '.' : folder,
    about: aboutFolder(files, open, sizes),
  }));
}

function groupsOf(names: readonly string[], keyOf: (name: string) => string): Map<string, string[]> {
  const groups = new Map<string, string[]>();
  for (const name of names) {
    const group = groups.get(keyOf(name));
    if (group) group.push(name);
    else groups.set(keyOf(name), [name]);
  }
  return groups;
}

function aboutFolder(files: string[], open: ReadonlySet<string>, sizes: FileSizes): string {
  const total = { bytes: 0, lines: 0 };
  for (const name of files) {
    total.bytes += sizes[name]?.bytes ?? 0;
    total.lines += sizes[name]?.lines ?? 0;
  }
  const kinds = [...groupsOf(files, kindByName)].sort(([, a], [, b]) => b.length - a.length);
  const rest = kinds.slice(LIST_LIMITS.kinds).reduce((sum, [, { length }]) => sum + length, 0);
  const counts = [
    ...kinds.slice(0, LIST_LIMITS.kinds).map(([kind, { length }]) => `${length} ${kind}`),
    ...(rest === 0 ? [] : [`${rest} others`]),
  ];
  const left = files.filter((name) => open.has(name)).length;
  const size = total.lines === 0 ? '' : `, ${sizeText(total)}`;
  return `${files.length} files (${left} open)${size}: ${counts.join(', ')}`;
}

/** Maximum number of findings in a work order (D17), and of places of each. */
const ISSUE_LIMITS = { findings: 10, places: 20, text: 300 };

/** Rules whose violation makes the other findings doubtful. */
const FIRST = new Set(['SCR-validation', 'SCR-fence']);

/** Issues of one rule with the same message and source file; the message of an issue with its own lines is unique. */
type Finding = [ValidationIssue, ...ValidationIssue[]];

/** Returns the issues of the most useful findings, those of the most lines first, and the number of others. */
export function mostUseful(all: readonly ValidationIssue[]): {
  issues: ValidationIssue[];
  more_issues: number;
} {
  const ranked = findingsOf(all)
    .map((finding) => ({
      finding,
      weight: FIRST.has(finding[0].rule) ? Infinity : sum(finding.map(linesOf)),
    }))
    .sort((a, b) => (a.weight === b.weight ? 0 : b.weight - a.weight));
  const issues = ranked
    .slice(0, ISSUE_LIMITS.findings)
    .flatMap(({ finding }) => finding.slice(0, ISSUE_LIMITS.places))
    .map(shorten);
  return { issues, more_issues: all.length - issues.length };
}

/** Returns one line for each finding. */
export const renderIssues = (issues: readonly ValidationIssue[]): string[] =>
  findingsOf(issues).map(renderFinding);

function findingsOf(issues: readonly ValidationIssue[]): Finding[] {
  const findings = new Map<string, Finding>();
  for (const issue of issues) {
    const key = JSON.stringify([
      issue.rule,
      issue.rule_description,
      issue.message,
      issue.error_detail,
      issue.source_file,
    ]);
    const found = findings.get(key);
    if (found) found.push(issue);
    else findings.set(key, [issue]);
  }
  return [...findings.values()];
}

const sum = (numbers: number[]): number => numbers.reduce((total, number) => total + number, 0);

function linesOf({ line_number, last_line_number, source_line, last_source_line }: ValidationIssue): number {
  const count = (first = 0, last = first) => last - first + 1;
  return Math.max(count(line_number, last_line_number), count(source_line, last_source_line));
}

const cut = (text: string): string =>
  text.length <= ISSUE_LIMITS.text ? text : `${cutAt(text, ISSUE_LIMITS.text - 1)}…`;

const shorten = (issue: ValidationIssue): ValidationIssue => ({
  ...issue,
  message: cut(issue.message),
  rule_description: cut(issue.rule_description),
  error_detail: issue.error_detail === null ? null : cut(issue.error_detail),
});

/** `- lines 3-5,9 | MD010 | "description" | "message" | "detail" | "source file" lines 7-9,12 | call tool {…}` */
function renderFinding(finding: Finding): string {
  const [issue] = finding;
  const quote = (text: string | null): string => JSON.stringify(text);
  const parts = [
    `- lines ${finding.map(({ line_number, last_line_number }) => span(line_number, last_line_number)).join(',')}`,
    issue.rule,
    quote(issue.rule_description),
    quote(issue.message),
    quote(issue.error_detail),
  ];
  if (issue.source_file !== undefined) {
    const lines = finding.map(({ source_line, last_source_line }) =>
      span(source_line ?? 0, last_source_line),
    );
    parts.push(`${quote(issue.source_file)} lines ${lines.join(',')}`);
  }
  const calls = finding.length === 1 ? repairCalls(issue) : [];
  return [...parts, ...calls.map(([tool, args]) => `call ${tool} ${JSON.stringify(args)}`)].join(' | ');
}

const span = (first: number, last = first): string => (first === last ? `${first}` : `${first}-${last}`);

/** Returns the tool calls that mend an issue; none if the model has to decide how. */
export function repairCalls(issue: ValidationIssue): [tool: string, args: Record<string, unknown>][] {
  const {
    rule,
    line_number: from_line,
    last_line_number: to_line,
    after_line,
    source_file: filename,
  } = issue;
  const remove: ReturnType<typeof repairCalls>[number] = [
    'replace_lines',
    { from_line, to_line, new_content: '' },
  ];
  if (rule === 'SCR-added' && to_line !== undefined) return [remove];
  if (filename === undefined || issue.last_source_line === undefined) return [];
  const lines = { filename, from_line: issue.source_line, to_line: issue.last_source_line };
  const form = sourceForm(filename);
  if (rule === 'SCR-verbatim')
    return form === 'code'
      ? [remove, ['place_source', { ...lines, as: 'fence', after_line: from_line - 1 }]]
      : [];
  if (rule !== 'SCR-missing') return [];
  if (to_line !== undefined)
    return after_line === undefined ? [] : [['move_lines', { from_line, to_line, after_line }]];
  // A row of a table cannot be a separate block.
  if (form === 'table' && after_line !== undefined) return [];
  const as = form === 'code' || form === 'table' ? 'fence' : 'prose';
  return [['place_source', { ...lines, as, after_line }]];
}

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
