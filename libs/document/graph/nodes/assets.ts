import { detailOf } from '#contracts/phrases/detail.js';
import { failureState } from '#kit/graph/failure-state.js';
import { questionOf } from '#contracts/decision-request.js';
import { phrase, type Phrase } from '#contracts/phrases/phrase.js';
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
    return { status: 'failed', ...failureState(outcome.error.code, detailOf(outcome.error)) };
  }
  const { missing_references, user_decisions, references, undecoded = [], unreadable = [] } = outcome.output;
  const { file_sizes = {}, order: input_files = state.input_files } = outcome.output;
  if (undecoded.length > 0) return { undecoded, status: 'awaiting_human' };
  if (unreadable.length > 0) return { unreadable, status: 'awaiting_human' };
  const missing_reference_details = references
    .filter(({ asset }) => asset === null)
    .map(({ ref, source, line, hint }) => ({ ref, source, line, hint }));
  const text_files = input_files.filter((name) => state.text_files.includes(name));
  const found = {
    input_files,
    text_files,
    missing_references,
    missing_reference_details,
    user_decisions,
    file_sizes,
  };
  const open = openReferences({ missing_references, user_decisions });
  if (open.length === 0) return { ...found, status: 'processing' };
  return {
    ...found,
    status: 'awaiting_human',
    pending_question: {
      ...questionOf(questionAbout(open, references)),
      refs: open,
      asked_by: 'scan_assets',
    },
  };
}

/** Returns a question about references that match no input, or several. */
function questionAbout(open: string[], references: ReferenceFinding[]): Phrase {
  const unclear = references.filter((found) => (found.candidates ?? []).length > 0);
  const candidates = new Map(unclear.map((found) => [found.ref, found.candidates ?? []]));
  const isAmbiguous = (ref: string) => candidates.has(ref);
  const ambiguous = open.filter(isAmbiguous);
  const missing = open.filter((ref) => !isAmbiguous(ref));
  const fitting = ambiguous.map((ref) => {
    const names = candidates.get(ref) ?? [];
    return `${ref} (${names.slice(0, 3).join(', ')}${names.length > 3 ? ', …' : ''})`;
  });
  const lacking = phrase('question.references.missing', {
    count: missing.length,
    names: shorten(missing, 10),
  });
  const unsure = phrase('question.references.ambiguous', {
    count: ambiguous.length,
    names: shorten(fitting, 10),
  });
  if (missing.length === 0) return unsure;
  return ambiguous.length === 0 ? lacking : phrase('sentences', { first: lacking, rest: unsure });
}

function shorten(names: string[], most: number): Phrase | string {
  const shown = names.slice(0, most).join(', ');
  if (names.length <= most) return shown;
  return phrase('list.more', { names: shown, count: names.length - most });
}
