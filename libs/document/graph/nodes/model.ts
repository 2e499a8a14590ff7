import { failureState } from '#kit/graph/failure-state.js';
import { askAboutModel } from '#kit/graph/ask-about-model.js';
import { phrase } from '#contracts/phrases/phrase.js';
import { askForBudget } from '#kit/graph/decision-nodes.js';
import { RemoveMessage } from '@langchain/core/messages';
import { REMOVE_ALL_MESSAGES } from '@langchain/langgraph';
import { restarted } from '../progress.js';
import type { DocumentPorts } from '../ports.js';
import { backToProven, type DocumentState, type DocumentUpdate } from '../state.js';

/**
 * X13: asks a person what to do about a failed model. If rules continue, they begin at the last validated
 * manuscript, because only the model knows what it has written since.
 */
export function modelDecision(ports: DocumentPorts) {
  return async (state: DocumentState): Promise<DocumentUpdate> => {
    const { action, recovery, error } = askAboutModel(ports, state.session_id, state.model_recovery);
    const update = {
      model_recovery: recovery,
      malformed_calls: 0,
      idle_answers: 0,
      progress: restarted(state.progress),
    };
    if (error) return { ...update, status: 'failed', ...failureState(error.code, error.detail) };
    if (action !== 'rules') return update;
    const pointer = state.validated_md_path;
    return {
      ...update,
      model_recovery: { ...recovery, rules: true },
      temp_md_path: pointer,
      document_outline: pointer === null ? [] : (await ports.manuscripts.describe(pointer)).outline,
      files_read: { only: state.validated_files },
      taken_over: backToProven(state.taken_over),
      messages: [new RemoveMessage({ id: REMOVE_ALL_MESSAGES })],
      work_order_due: true,
      generation_complete: false,
      chapter_checkpoint_pending: false,
      validation_passed: null,
      validation_issues: [],
      fix_attempts: 0,
      fix_exhausted: false,
    };
  };
}

/** X7: asks a person to raise the budget, try again or stop, because the next model call might exceed it. */
export function budgetDecision(ports: DocumentPorts) {
  return async (state: DocumentState): Promise<DocumentUpdate> => {
    const shortfall = state.budget_shortfall!;
    if (await askForBudget(ports, state.session_id, shortfall))
      return { budget_shortfall: null, status: 'processing' };
    const { spent, limit, unit } = shortfall;
    const detail = phrase(`run_error.budget_exceeded.${unit}`, { spent, limit });
    return { budget_shortfall: null, status: 'failed', ...failureState('budget_exceeded', detail) };
  };
}
