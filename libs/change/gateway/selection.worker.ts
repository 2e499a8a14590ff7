import {
  locateSelection,
  replaceSpan,
  type Selection,
  type SelectionProblem,
  type SelectionRequest,
} from '#writing/selection.js';
import type { Span } from '#contracts/findings.js';

export type SelectionWork =
  | { op: 'locate'; text: string; request: SelectionRequest }
  | { op: 'replace'; text: string; span: Span; replacement: string };

/** Runs in a thread: finds a selection in a text, or replaces it. */
export default function selection(work: SelectionWork): Selection | SelectionProblem | string {
  if (work.op === 'locate') return locateSelection(work.text, work.request);
  return replaceSpan(work.text, work.span, work.replacement);
}
