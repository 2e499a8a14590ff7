import type { Phrase } from '#contracts/phrases/phrase.js';
import type { BudgetShortfall } from '#contracts/budgets.js';
import type { Acceptance, CoverageReport } from '#contracts/coverage.js';
import type { DecidedEncodings, FileSizes, Undecoded, Unreadable } from '../contract/tasks.js';
import { userDecisionsSchema, type UserDecisions } from '#contracts/references.js';
import type { OutlineEntry, ValidationIssue } from '#contracts/manuscript.js';
import type { DecisionReference } from '#contracts/references.js';
import { AIMessage, type BaseMessage } from '@langchain/core/messages';
import type { KeptChapters } from './kept-chapters.worker.js';
import { NO_PROGRESS_YET, type Progress } from './progress.js';
import { NO_RECOVERY, type ModelRecovery } from '#kit/graph/model-recovery.js';
import { kept } from '#kit/graph/run-state.js';
import { Annotation, messagesStateReducer } from '@langchain/langgraph';

/** What a run takes over from the document that was written before (X6). */
export interface TakenOver extends KeptChapters {
  /** Pointer of the earlier manuscript. */
  manuscript: string;
  /** Number of chapters that are appended, and how many of them are in the version that passed validation last. */
  appended?: number;
  proven?: number;
}

type DocumentStatus =
  'scanning_assets' | 'awaiting_human' | 'processing' | 'converting' | 'completed' | 'failed';

/** An open question to a person (D18); set by `scan_assets` or by the tool `request_human_input`. */
export interface PendingQuestion {
  question: string;
  /** Code and parameters of the question; missing if a model asks. */
  phrase?: Phrase | null;
  refs: string[];
  asked_by: 'scan_assets' | 'agent';
}

const union = (left: string[], right: string[]): string[] => [...new Set([...left, ...right])];

/**
 * State of a document run (D1). Keys are snake_case, as in the API. Each key's comment names the nodes that
 * set it; `entry` is `buildInitialState`. libs/document/README.md is generated from these comments.
 */
export const DocumentStateAnnotation = Annotation.Root({
  /** entry */
  session_id: kept(() => ''),
  /** entry, scan_assets: names of the inputs in processing order */
  input_files: kept<string[]>(() => []),
  /** entry, scan_assets: the inputs that are text, and so have to be carried by the manuscript */
  text_files: kept<string[]>(() => []),
  /** checkpoint: index of the first input that is not processed yet */
  current_file_index: kept(() => 0),
  /** tools: inputs that were read to their end, or placed in part or whole. model_decision removes inputs that rules write again. */
  files_read: Annotation<string[], string[] | { only: string[] }>({
    reducer: (left, right) => (Array.isArray(right) ? union(left, right) : right.only),
    default: () => [],
  }),
  /** tools, validate_md, fix_decision: inputs in the manuscript. Null in runs of older releases. */
  files_written: kept<string[] | null>(() => null),
  /** tools, validate_md, error_handler: pointer to the current version of the manuscript */
  temp_md_path: kept<string | null>(() => null),
  /** checkpoint: pointer of the last version that passed validation */
  validated_md_path: kept<string | null>(() => null),
  /** checkpoint: the sources that it was validated against */
  validated_files: kept<string[]>(() => []),
  /** checkpoint: whether that validation covered every text input. error_handler resets it (D33). */
  validated_all: kept(() => false),
  /** parse_to_json */
  structure_json_path: kept<string | null>(() => null),
  /** tools: title that the agent chose; a title of the run or session replaces it */
  title: kept<string | null>(() => null),
  /** convert; cleared when conversion or quality check fails */
  output_docx_path: kept<string | null>(() => null),
  /** convert; cleared when conversion or quality check fails */
  export_id: kept<string | null>(() => null),
  /** checkpoint: the last *validated* checkpoint, the target of a rollback (D22) */
  last_checkpoint_id: kept<string | null>(() => null),
  /** tools: set when create_checkpoint ran. validate_md clears it (D22). */
  chapter_checkpoint_pending: kept(() => false),
  /** agent, checkpoint: 1-based number of the chapter being written */
  current_chapter: kept(() => 1),
  /** tools: headings of the manuscript */
  document_outline: kept<OutlineEntry[]>(() => []),
  /** error_handler */
  conversion_attempts: kept(() => 0),
  /** any node that fails; kept for audit after a recovery (D34) */
  last_error: kept<string | null>(() => null),
  /** with last_error: a stable code */
  error_type: kept<string | null>(() => null),
  /** with last_error: its code and parameters; null for texts from elsewhere, and in runs of older releases */
  error_phrase: kept<Phrase | null>(() => null),
  /** error_handler: number of times the run returned to the agent after an error */
  retry_count: kept(() => 0),
  /** scan_assets, tools: set union (D2). A reference is open while user_decisions does not contain it. */
  missing_references: Annotation<string[]>({ reducer: union, default: () => [] }),
  /** scan_assets: locations of the missing references, for the questionnaire (X2) */
  missing_reference_details: kept<DecisionReference[]>(() => []),
  /** scan_assets: sizes of the text inputs, by name; empty in runs of older releases */
  file_sizes: kept<FileSizes>(() => ({})),
  /** entry: SHA-256 of each input, by name; empty in runs of older releases */
  input_hashes: kept<Record<string, string>>(() => ({})),
  /** entry, checkpoint, agent, tools, model_decision: the chapters that are kept because their sources are unchanged (X6) */
  taken_over: kept<TakenOver | null>(() => null),
  /** scan_assets: inputs with an encoding that a person must name. Cleared by encoding_decision. */
  undecoded: kept<Undecoded[]>(() => []),
  /** scan_assets: inputs that cannot be read. Cleared by unreadable_decision. */
  unreadable: kept<Unreadable[]>(() => []),
  /** unreadable_decision: inputs that a person left out */
  left_out: kept<Unreadable[]>(() => []),
  /** encoding_decision: input → the encoding decided on, and by whom */
  encodings: Annotation<DecidedEncodings>({
    reducer: (left, right) => ({ ...left, ...right }),
    default: () => ({}),
  }),
  /** scan_assets, human_input: reference → "skip" or the name of an asset (D20) */
  user_decisions: Annotation<UserDecisions>({
    reducer: (left, right) => userDecisionsSchema.parse({ ...left, ...right }),
    default: () => ({}),
  }),
  /** scan_assets, tools; cleared by human_input */
  pending_question: kept<PendingQuestion | null>(() => null),
  /** every node that changes the phase */
  status: kept<DocumentStatus>(() => 'scanning_assets'),
  /** agent, tools, human_input append; checkpoint clears a finished chapter (D17) */
  messages: Annotation<BaseMessage[]>({ reducer: messagesStateReducer, default: () => [] }),
  /** nodes that want the agent to get a new work order; the agent clears it */
  work_order_due: kept(() => true),
  /** validate_md; null before the first validation of a chapter */
  validation_passed: kept<boolean | null>(() => null),
  /** validate_md */
  validation_issues: kept<ValidationIssue[]>(() => []),
  /** fix_decision: fingerprints of issues a person accepted */
  accepted_issues: Annotation<string[]>({ reducer: union, default: () => [] }),
  /** validate_md: share of source lines carried, 0…1 (X1) */
  coverage: kept<number | null>(() => null),
  /** validate_md: what is carried in lines and bytes, and the files that are not carried whole (X1) */
  coverage_report: kept<CoverageReport | null>(() => null),
  /** fix_decision: what a person accepted although the validation failed */
  acceptances: kept<Acceptance[]>(() => []),
  /** validate_md, quality_check: the latter adds where the Word file shows each line */
  ledger_path: kept<string | null>(() => null),
  /** agent: the model answered without a tool call */
  generation_complete: kept(() => false),
  /** entry: whether the run only validates and converts the manuscript that an earlier run wrote */
  export_only: kept(() => false),
  /** validate_md: number of times the agent was sent to fix the chapter. Reset to 0 by a pass (D23). */
  fix_attempts: kept(() => 0),
  /** validate_md: failed once more after `fix_attempts` reached its cap, so a person decides (D23) */
  fix_exhausted: kept(() => false),
  /** agent: malformed answers in a row */
  malformed_calls: kept(() => 0),
  /** agent: answers without a tool call since the last work order, while work is left */
  idle_answers: kept(() => 0),
  /** agent: model calls so far, for the step cap (D25) */
  agent_steps: kept(() => 0),
  /** agent, tools, validate_md: what was achieved, and the calls since then. model_decision resets the calls. */
  progress: kept<Progress>(() => NO_PROGRESS_YET),
  /** tools: questions the agent asked so far */
  questions_asked: kept(() => 0),
  /** agent: the budget that its next call would exceed (X7). Cleared by budget_decision. */
  budget_shortfall: kept<BudgetShortfall | null>(() => null),
  /** agent: the failed model (X13). model_decision adds what a person decided about the failure. */
  model_recovery: kept<ModelRecovery>(() => NO_RECOVERY),
});

export type DocumentState = typeof DocumentStateAnnotation.State;
export type DocumentUpdate = typeof DocumentStateAnnotation.Update;

/**
 * Returns the initial state of a document run (D3), with every key.
 *
 * @param inputFiles names of the inputs in processing order
 * @param textFiles the text files among them
 */
export function buildInitialState(
  sessionId: string,
  inputFiles: string[],
  textFiles: string[],
): DocumentState {
  return {
    session_id: sessionId,
    input_files: inputFiles,
    text_files: textFiles,
    current_file_index: 0,
    files_read: [],
    files_written: [],
    temp_md_path: null,
    validated_md_path: null,
    validated_files: [],
    validated_all: false,
    structure_json_path: null,
    title: null,
    output_docx_path: null,
    export_id: null,
    last_checkpoint_id: null,
    chapter_checkpoint_pending: false,
    current_chapter: 1,
    document_outline: [],
    conversion_attempts: 0,
    last_error: null,
    error_type: null,
    error_phrase: null,
    retry_count: 0,
    missing_references: [],
    missing_reference_details: [],
    file_sizes: {},
    input_hashes: {},
    taken_over: null,
    undecoded: [],
    unreadable: [],
    left_out: [],
    encodings: {},
    user_decisions: {},
    pending_question: null,
    status: 'scanning_assets',
    messages: [],
    work_order_due: true,
    validation_passed: null,
    validation_issues: [],
    accepted_issues: [],
    coverage: null,
    coverage_report: null,
    acceptances: [],
    ledger_path: null,
    generation_complete: false,
    export_only: false,
    fix_attempts: 0,
    fix_exhausted: false,
    malformed_calls: 0,
    idle_answers: 0,
    agent_steps: 0,
    progress: NO_PROGRESS_YET,
    questions_asked: 0,
    budget_shortfall: null,
    model_recovery: NO_RECOVERY,
  };
}

/** Returns the open references: missing and undecided (D2). */
export function openReferences(
  state: Pick<DocumentState, 'missing_references' | 'user_decisions'>,
): string[] {
  return state.missing_references.filter((ref) => !Object.hasOwn(state.user_decisions, ref));
}

/** Returns the kept chapters that are not appended yet (X6). */
export const dueChapters = (taken: TakenOver | null | undefined) =>
  taken?.chapters.slice(taken.appended ?? 0) ?? [];

/** Returns what is taken over when the writing goes on behind the version that passed validation last. */
export const backToProven = (taken: TakenOver | null): TakenOver | null =>
  taken && { ...taken, appended: taken.proven ?? 0 };

/** Returns the text inputs that the manuscript does not carry yet, up to the next kept chapter. */
export function openFiles({
  text_files,
  files_read,
  files_written,
  taken_over,
}: Pick<DocumentState, 'text_files' | 'files_read' | 'files_written'> &
  Partial<Pick<DocumentState, 'taken_over'>>): string[] {
  const written = new Set(files_written ?? files_read);
  const due = dueChapters(taken_over)[0]?.due ?? text_files;
  return text_files.filter((name) => !written.has(name) && due.includes(name));
}

/** Maximum number of characters of an answer that a person reads. */
const MAX_WORDS = 300;

/** Returns what the model answered instead of calling a tool; null if its last answer called one, or was empty. */
export function wordsWithoutCall(messages: readonly BaseMessage[]): string | null {
  const answer = messages.findLast((message) => message instanceof AIMessage);
  const words = answer?.text.trim() ?? '';
  if (words === '' || (answer?.tool_calls ?? []).length > 0) return null;
  return words.length > MAX_WORDS ? `${words.slice(0, MAX_WORDS).toWellFormed()}…` : words;
}

/** Returns whether every text input was written and its chapter passed validation. */
export function allFilesProcessed(state: DocumentState): boolean {
  return state.current_file_index >= state.input_files.length;
}

/**
 * Returns whether the current manuscript passed a validation against every text input, which export requires
 * (X1). A later failed validation must be fixed first, even if a rollback restored the validated text,
 * because `coverage` and `ledger_path` belong to the failed text.
 */
export function isFullyValidated(state: DocumentState): boolean {
  const isCurrent = state.temp_md_path !== null && state.temp_md_path === state.validated_md_path;
  return isCurrent && state.validated_all && state.validation_passed !== false;
}
