import {
  keepsSurroundings,
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

/** The changed text; null if blocks around the selection would change. */
export type ReplacedText = { content: string } | null;

/** Runs in a thread: finds a selection in a text, or replaces it. */
export default function selection(work: SelectionWork): Selection | SelectionProblem | ReplacedText {
  if (work.op === 'locate') return locateSelection(work.text, work.request);
  const { text, span, replacement } = work;
  return keepsSurroundings(text, span, replacement)
    ? { content: replaceSpan(text, span, replacement) }
    : null;
}
