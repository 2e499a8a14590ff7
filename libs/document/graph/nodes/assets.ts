import { runRemotely } from '#kit/graph/remote.js';
import type { ReferenceFinding } from '../../contract/tasks.js';
import { openReferences, type DocumentState, type DocumentUpdate } from '../state.js';

/** D4: the scanner finds references in the inputs and copies the existing assets. */
export function scanAssets(state: DocumentState): DocumentUpdate {
  const outcome = runRemotely('scan_assets', {
    session_id: state.session_id,
    input_files: state.input_files,
    encodings: state.encodings,
    left_out: state.left_out,
  });
  if (!outcome.ok) {
    return { status: 'failed', last_error: outcome.error.message, error_type: outcome.error.code };
  }
  const { missing_references, user_decisions, references, undecoded = [], unreadable = [] } = outcome.output;
  if (undecoded.length > 0) return { undecoded, status: 'awaiting_human' };
  if (unreadable.length > 0) return { unreadable, status: 'awaiting_human' };
  const missing_reference_details = references
    .filter(({ asset }) => asset === null)
    .map(({ ref, source, line, hint }) => ({ ref, source, line, hint }));
  const found = { missing_references, missing_reference_details, user_decisions };
  const open = openReferences({ missing_references, user_decisions });
  if (open.length === 0) return { ...found, status: 'processing' };
  return {
    ...found,
    status: 'awaiting_human',
    pending_question: {
      question: questionAbout(open, references),
      refs: open,
      asked_by: 'scan_assets',
    },
  };
}

/** Returns a question about references that match no input, or several. */
function questionAbout(open: string[], references: ReferenceFinding[]): string {
  const unclear = references.filter((found) => (found.candidates ?? []).length > 0);
  const candidates = new Map(unclear.map((found) => [found.ref, found.candidates ?? []]));
  const isAmbiguous = (ref: string) => candidates.has(ref);
  const ambiguous = open.filter(isAmbiguous);
  const missing = open.filter((ref) => !isAmbiguous(ref));
  const fitting = ambiguous.map((ref) => `${ref} (${shorten(candidates.get(ref) ?? [], 3)})`);
  return [
    missing.length > 0 &&
      `The sources refer to ${missing.length} file(s) that are not among the inputs: ${shorten(missing, 10)}.`,
    ambiguous.length > 0 &&
      `The sources refer to ${ambiguous.length} file(s) by a name that several inputs have: ${shorten(fitting, 10)}. Choose the right input for each.`,
  ]
    .filter((sentence) => sentence !== false)
    .join(' ');
}

function shorten(names: string[], most: number): string {
  return names.slice(0, most).join(', ') + (names.length > most ? ` and ${names.length - most} more` : '');
}
