import { detailOf } from '#contracts/phrases/detail.js';
import { failureState } from '#kit/graph/failure-state.js';
import { joinReports } from '#contracts/coverage.js';
import { syntheticIssue } from '#contracts/manuscript.js';
import type { TaskInput, TaskOutput } from '#catalogue/tasks.js';
import { coverageOfReport } from '#verbatim/report/coverage.js';
import { RemoveMessage } from '@langchain/core/messages';
import type { RunnableConfig } from '@langchain/core/runnables';
import { REMOVE_ALL_MESSAGES } from '@langchain/langgraph';
import { runRemotely } from '#kit/graph/remote.js';
import { stepKey } from '#kit/graph/node.js';
import type { DocumentPorts } from '../ports.js';
import { afterValidation, unplacedLines } from '../progress.js';
import { saveCheckpoint } from '../save-checkpoint.js';
import { settledIn, takeOver } from '../take-over.js';
import type { DocumentState, DocumentUpdate } from '../state.js';

/** D23: attempts of the agent to fix a chapter. After one more failed validation, a person decides. */
export const MAX_FIX_ATTEMPTS = 3;

/**
 * Task errors that mean the text was not validated: they end the run instead of becoming issues of a chapter.
 */
const NOT_VALIDATED = new Set(['task_failed', 'task_timeout', 'unknown_task']);

/**
 * Returns the sources to trace: those read or placed so far, of which some may not be written yet, or all once the
 * agent is done.
 */
export function sourcesToValidate(state: DocumentState): string[] {
  if (state.generation_complete) return state.text_files;
  return state.text_files.filter((name) => state.files_read.includes(name));
}

/**
 * Returns the earlier validation that the validator may rely on, so that validating a chapter costs only that
 * chapter. Undefined if something failed or was accepted since, or if every source is read: the last
 * validation covers the whole manuscript.
 */
function provenBefore(state: DocumentState, sources: string[]): TaskInput<'validate_md'>['since'] {
  const { validated_md_path: manuscript, validated_files: proven } = state;
  const isWhole = sources.length === state.text_files.length;
  const isDoubtful = state.fix_attempts > 0 || state.accepted_issues.length > 0;
  if (manuscript === null || proven.length === 0 || isWhole || isDoubtful) return undefined;
  return { manuscript, sources: proven };
}

/** Returns the lines of sources that the agent has not placed yet, of sources of which it placed others. */
function unplacedIn(sources: string[], { progress, file_sizes }: DocumentState) {
  const all = sources.map((name) => [name, unplacedLines(progress, name, file_sizes[name]?.lines)] as const);
  return Object.fromEntries(all.filter(([, lines]) => lines.length > 0));
}

/**
 * D26–D29: the validator lints the manuscript and proves its fidelity. A failed validation is a result, never
 * an exception; if the validation itself could not run, the run ends with its error code.
 */
export function validateMd(ports: DocumentPorts) {
  return async (state: DocumentState, config: RunnableConfig): Promise<DocumentUpdate> => {
    const sources = sourcesToValidate(state);
    const since = provenBefore(state, sources);
    const { firstPage, hasSummary, language } = ports.settings;
    const hasPage = firstPage.length > 0;
    // A manuscript that is only converted keeps the page that people may have changed.
    const writesPage = hasPage && sources.length === state.text_files.length && !state.export_only;
    const outcome = runRemotely('validate_md', {
      session_id: state.session_id,
      manuscript: state.temp_md_path,
      sources,
      user_decisions: state.user_decisions,
      missing_references: state.missing_references,
      policy: ports.settings.policy,
      has_summary: hasSummary || hasPage,
      ...(writesPage ? { first_page: { parts: firstPage, language } } : {}),
      accepted_issues: state.accepted_issues,
      ...(since ? { since } : {}),
      ...(state.taken_over ? { settled: await settledIn(ports, state) } : {}),
      ...(state.generation_complete
        ? {}
        : { written: state.validated_files, unplaced: unplacedIn(sources, state) }),
    });
    if (!outcome.ok && NOT_VALIDATED.has(outcome.error.code)) {
      return { status: 'failed', ...failureState(outcome.error.code, detailOf(outcome.error)) };
    }
    const result = outcome.ok
      ? outcome.output
      : {
          validation_passed: false,
          validation_issues: [syntheticIssue(detailOf(outcome.error))],
          coverage: null,
          coverage_report: null,
          ledger_path: null,
          fixed_manuscript: null,
        };
    const { validation_passed, validation_issues, open_sources = [] } = result;
    const isPart = since !== undefined && validation_passed && result.ledger_path === null;
    const { coverage, coverage_report, ledger_path } = isPart ? withEarlier(state, result) : result;
    const fixed =
      result.fixed_manuscript === null ? null : await ports.manuscripts.describe(result.fixed_manuscript);
    ports.emit({
      type: 'validation_ran',
      data: {
        passed: validation_passed,
        issue_count: validation_issues.length,
        coverage,
        coverage_report: coverage_report ?? null,
        issues: validation_issues.slice(0, 20),
      },
      effectKey: `${stepKey(config)}/validation_ran`,
    });
    return {
      validation_passed,
      validation_issues,
      progress: afterValidation(state.progress, state.validation_issues, validation_issues),
      files_written: sources.filter((name) => !open_sources.includes(name)),
      coverage,
      coverage_report: coverage_report ?? null,
      ledger_path,
      ...(fixed ? { temp_md_path: fixed.pointer, document_outline: fixed.outline } : {}),
      chapter_checkpoint_pending: false,
      work_order_due: true,
      fix_attempts: validation_passed ? 0 : Math.min(state.fix_attempts + 1, MAX_FIX_ATTEMPTS),
      fix_exhausted: !validation_passed && state.fix_attempts >= MAX_FIX_ATTEMPTS,
    };
  };
}

/**
 * Combines the figures of a valid part with the earlier ones; the full validation creates the ledger again.
 */
function withEarlier(
  { coverage_report: earlier, ledger_path }: DocumentState,
  { coverage, coverage_report: part = null }: TaskOutput<'validate_md'>,
): Pick<DocumentState, 'coverage' | 'coverage_report' | 'ledger_path'> {
  if (earlier === null || part === null) return { coverage, coverage_report: part, ledger_path };
  const report = joinReports(earlier, part);
  return { coverage: coverageOfReport(report), coverage_report: report, ledger_path };
}

/**
 * D30: runs only after a successful validation, creates exactly one
 * `{timestamp}_chapter_{current_chapter}.md`, and calls no model. Drops the chapter's messages (D17); the
 * next chapter begins.
 */
export function checkpoint(ports: DocumentPorts) {
  return async (state: DocumentState, config: RunnableConfig): Promise<DocumentUpdate> => {
    const label = `chapter_${state.current_chapter}`;
    const manuscript = state.temp_md_path!;
    const saved = { label, manuscript, validated: true, effectKey: stepKey(config) };
    const id = await saveCheckpoint(ports, saved);

    const sources = sourcesToValidate(state).filter((name) => state.files_written?.includes(name) ?? true);
    const validated = { validated_md_path: manuscript, validated_files: sources };
    const kept = await takeOver(ports, { ...state, ...validated }, { isProven: true });
    const { validated_files, document_outline = state.document_outline } = { ...validated, ...kept };
    const isDone = (name: string) => !state.text_files.includes(name) || validated_files.includes(name);
    const firstOpen = state.input_files.findIndex((name) => !isDone(name));
    return {
      ...validated,
      ...kept,
      last_checkpoint_id: id,
      validated_all: sources.length === state.text_files.length,
      current_chapter: document_outline.filter((entry) => entry.level === 1).length + 1,
      current_file_index: firstOpen < 0 ? state.input_files.length : firstOpen,
      validation_passed: null,
      validation_issues: [],
      fix_attempts: 0,
      generation_complete: false,
      work_order_due: true,
      messages: [new RemoveMessage({ id: REMOVE_ALL_MESSAGES })],
    };
  };
}
