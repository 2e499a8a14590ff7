import { runRemotely } from '#agent/remote.js';
import { openReferences, type DocumentState, type DocumentUpdate } from '../state.js';

/** D4: the scanner finds references in the inputs and copies the assets that are there. */
export function scanAssets(state: DocumentState): DocumentUpdate {
  const outcome = runRemotely('scan_assets', {
    session_id: state.session_id,
    input_files: state.input_files,
    encodings: state.encodings,
  });
  if (!outcome.ok) {
    return { status: 'failed', last_error: outcome.error.message, error_type: outcome.error.code };
  }
  const { missing_references, user_decisions, references, undecoded = [] } = outcome.output;
  if (undecoded.length > 0) return { undecoded, status: 'awaiting_human' };
  const missing_reference_details = references
    .filter(({ asset }) => asset === null)
    .map(({ ref, source, line, hint }) => ({ ref, source, line, hint }));
  const found = { missing_references, missing_reference_details, user_decisions };
  const open = openReferences({ missing_references, user_decisions });
  if (open.length === 0) return { ...found, status: 'processing' };
  const names = open.slice(0, 10).join(', ') + (open.length > 10 ? ` and ${open.length - 10} more` : '');
  return {
    ...found,
    status: 'awaiting_human',
    pending_question: {
      question: `The sources refer to ${open.length} file(s) that are not among the inputs: ${names}.`,
      refs: open,
      asked_by: 'scan_assets',
    },
  };
}
