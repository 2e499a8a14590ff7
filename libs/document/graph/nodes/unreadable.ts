import { questionOf } from '#contracts/decision-request.js';
import { phrase } from '#contracts/phrases/phrase.js';
import { runRemotely } from '#kit/graph/remote.js';
import type { DocumentPorts } from '../ports.js';
import type { DocumentState, DocumentUpdate } from '../state.js';

const MAX_FACTS = 50;

/**
 * D4: if other inputs can be read, asks whether to omit the unreadable inputs, which is the default and noted in the
 * document, or to end the run.
 */
export function unreadableDecision(settings: DocumentPorts['settings']) {
  return (state: DocumentState): DocumentUpdate => {
    const files = state.unreadable;
    const outcome = runRemotely('human_input', {
      session_id: state.session_id,
      decision_type: 'unreadable_files',
      ...questionOf(phrase('question.unreadable_files', { count: files.length })),
      context: files.slice(0, MAX_FACTS).map(({ reason }) => reason),
      details: { files },
      deadline_seconds: settings.decisionDeadlineSeconds,
      default_answer: { action: 'leave_out' },
    });
    if (outcome.ok && outcome.output.action === 'abort') {
      const last_error = `${files[0]?.reason}. Replace or remove the file and start a new run.`;
      return { unreadable: [], status: 'failed', last_error, error_type: 'extraction_failed' };
    }
    return { unreadable: [], left_out: [...state.left_out, ...files], status: 'scanning_assets' };
  };
}
