import { contextOf, questionOf } from '#contracts/decision-request.js';
import { detailOf, type Detail } from '#contracts/phrases/detail.js';
import { phrase, type PhraseCode } from '#contracts/phrases/phrase.js';
import { failureState } from '#kit/graph/failure-state.js';
import type { Unreadable } from '../../contract/tasks.js';
import { runRemotely } from '#kit/graph/remote.js';
import type { DocumentPorts } from '../ports.js';
import type { DocumentState, DocumentUpdate } from '../state.js';

const MAX_FACTS = 50;
const NOT_INSTALLED: PhraseCode = 'unreadable.needs_libre_office';

const reasonOf = ({ reason: message, phrase }: Unreadable): Detail => detailOf({ message, phrase });

/**
 * D4: if other inputs can be read, asks whether to omit the unreadable inputs, which is the default and noted in the
 * document, or to end the run. Inputs of a format that this installation does not read are omitted without a question.
 */
export function unreadableDecision(settings: DocumentPorts['settings']) {
  return (state: DocumentState): DocumentUpdate => {
    const files = state.unreadable;
    const leftOut = {
      unreadable: [],
      left_out: [...state.left_out, ...files],
      status: 'scanning_assets' as const,
    };
    const damaged = files.filter(({ phrase: known }) => known?.code !== NOT_INSTALLED);
    if (damaged.length === 0) return leftOut;
    const outcome = runRemotely('human_input', {
      session_id: state.session_id,
      decision_type: 'unreadable_files',
      ...questionOf(phrase('question.unreadable_files', { count: damaged.length })),
      ...contextOf(damaged.slice(0, MAX_FACTS).map(reasonOf)),
      details: { files: damaged },
      deadline_seconds: settings.decisionDeadlineSeconds,
      default_answer: { action: 'leave_out' },
    });
    if (outcome.ok && outcome.output.action === 'abort') {
      const detail = phrase('run_error.extraction_failed', { reason: reasonOf(damaged[0]!) });
      return { unreadable: [], status: 'failed', ...failureState('extraction_failed', detail) };
    }
    return leftOut;
  };
}
