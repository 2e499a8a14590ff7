import { REMARKABLE_LINES } from '#contracts/coverage.js';
import { detailOf } from '#contracts/phrases/detail.js';
import { joinDetails, phrase } from '#contracts/phrases/phrase.js';
import type { TaskError } from '#contracts/task-error.js';
import { failureState } from '#kit/graph/failure-state.js';
import type { RunnableConfig } from '@langchain/core/runnables';
import { runRemotely } from '#kit/graph/remote.js';
import { stepKey } from '#kit/graph/node.js';
import { OFFLINE_WRITER } from '#contracts/model-facts.js';
import type { DocumentPorts } from '../ports.js';
import type { DocumentState, DocumentUpdate } from '../state.js';

/** D33: conversion attempts before the run fails. */
const MAX_CONVERSION_ATTEMPTS = 3;

/** Error codes that no change of the text can fix. */
const NOT_ABOUT_TEXT = new Set<string | null>(['unknown_task', 'conversion_not_installed']);

const failure = (error: TaskError): DocumentUpdate => failureState(error.code, detailOf(error));

/** Clears the export: a missing or faulty file is not a result of the run. */
const NO_EXPORT = { output_docx_path: null, export_id: null };

/** D24: manuscript → structure.json. */
export function parseToJson(state: DocumentState): DocumentUpdate {
  const outcome = runRemotely('parse_to_json', {
    session_id: state.session_id,
    manuscript: state.temp_md_path!,
    ledger_path: state.ledger_path,
  });
  if (!outcome.ok) return { ...failure(outcome.error), structure_json_path: null, status: 'converting' };
  return { structure_json_path: outcome.output.structure_json_path, status: 'converting' };
}

/** Names the writers: the model, and the rules that a person chose instead when it failed (X13). */
const authorOf = ({ model_recovery: { rules } }: DocumentState, model: string): string =>
  rules ? `${model}, ${OFFLINE_WRITER}` : model;

/** D24: structure.json → DOCX. */
export function convert({ settings }: DocumentPorts) {
  return (state: DocumentState): DocumentUpdate => {
    const outcome = runRemotely('convert', {
      session_id: state.session_id,
      structure_json_path: state.structure_json_path!,
      manuscript: state.temp_md_path!,
      user_decisions: state.user_decisions,
      title: settings.title ?? state.title,
      language: settings.language,
      author: authorOf(state, settings.author),
      coverage: state.coverage,
      ledger_path: state.ledger_path,
      // The document says which of its lines OCR has read, and which people have changed.
      source_appendix:
        settings.sourceAppendix ||
        REMARKABLE_LINES.some((kind) => state.coverage_report?.[kind] !== undefined),
      code_colors: settings.codeColors,
      line_numbers: settings.lineNumbers,
      ...(settings.listOfFigures !== undefined && { list_of_figures: settings.listOfFigures }),
      ...(settings.proposals && { proposals: settings.proposals }),
      acceptances: state.acceptances,
    });
    if (!outcome.ok) return { ...failure(outcome.error), ...NO_EXPORT };
    return { output_docx_path: outcome.output.output_docx_path, export_id: outcome.output.export_id };
  };
}

/**
 * D24, D33, X1: reads the DOCX back, compares it with structure.json and traces the sources to its content.
 */
export function qualityCheck(state: DocumentState): DocumentUpdate {
  const outcome = runRemotely('quality_check', {
    session_id: state.session_id,
    structure_json_path: state.structure_json_path!,
    output_docx_path: state.output_docx_path!,
    ledger_path: state.ledger_path,
    sources: state.text_files,
    manuscript: state.temp_md_path!,
  });
  if (!outcome.ok) return { ...failure(outcome.error), ...NO_EXPORT };
  const { ledger_path = state.ledger_path } = outcome.output;
  if (outcome.output.passed) return { ledger_path, status: 'completed' };
  const first = outcome.output.issues
    .slice(0, 5)
    .map(({ source_line: line, message }) =>
      line === null ? message : phrase('run_error.issue_at_line', { line, message }),
    );
  const detail = phrase('run_error.quality_check_failed', { issues: joinDetails('semicolons', first) });
  return {
    ...failureState('quality_check_failed', detail),
    ledger_path,
    ...NO_EXPORT,
  };
}

/**
 * D33, D34: handles a failed conversion or quality check. Unless the attempts are used up, it restores the
 * last validated checkpoint (by moving a pointer; skipped without a checkpoint) and gives the agent the
 * error. The agent's changes are validated before the next conversion. A run that only converts has no agent.
 */
export function errorHandler(ports: DocumentPorts) {
  return async (state: DocumentState, config: RunnableConfig): Promise<DocumentUpdate> => {
    const conversion_attempts = state.conversion_attempts + 1;
    const isFinal =
      state.export_only ||
      conversion_attempts >= MAX_CONVERSION_ATTEMPTS ||
      NOT_ABOUT_TEXT.has(state.error_type);
    if (isFinal) return { conversion_attempts, status: 'failed' };
    const checkpointId = state.last_checkpoint_id;
    const pointer = checkpointId === null ? null : await ports.checkpoints.restore(checkpointId);
    const effectKey = stepKey(config);
    if (pointer === null) {
      const reason = checkpointId === null ? 'no checkpoint yet' : 'checkpoint not found';
      ports.emit({ type: 'rollback_skipped', data: { checkpoint_id: checkpointId, reason }, effectKey });
    } else {
      ports.emit({ type: 'rollback_performed', data: { checkpoint_id: checkpointId }, effectKey });
    }
    const restored = pointer === null ? null : await ports.manuscripts.describe(pointer);
    return {
      conversion_attempts,
      retry_count: state.retry_count + 1,
      generation_complete: false,
      // Require a fix first; otherwise the agent's next look at the manuscript would convert it again.
      validated_all: false,
      work_order_due: true,
      status: 'processing',
      ...(restored ? { temp_md_path: restored.pointer, document_outline: restored.outline } : {}),
    };
  };
}
