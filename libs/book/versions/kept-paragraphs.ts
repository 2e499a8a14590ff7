import { revisionChanges, type ParagraphDecision } from '#writing/paragraph-decisions.js';
import { splitParagraphs } from '#writing/paragraphs.js';

/** Decisions on the changes from `base` to `revised`. */
export interface Decided {
  decisions: ParagraphDecision[];
  base: string;
  revised: string;
}

/** Returns the IDs of the paragraphs that the text before lacks. */
export function newParagraphs(before: string, text: string): string[] {
  const old = new Set(splitParagraphs(before).map(({ id }) => id));
  return splitParagraphs(text).flatMap(({ id }) => (old.has(id) ? [] : [id]));
}

/** Returns the IDs of the paragraphs of a text that are in a list. */
export function remainingParagraphs(text: string, ids: Iterable<string>): string[] {
  const listed = new Set(ids);
  return listed.size === 0 ? [] : splitParagraphs(text).flatMap(({ id }) => (listed.has(id) ? [id] : []));
}

/** Returns the IDs of the paragraphs of a text that were accepted as a change. */
export function acceptedParagraphs(text: string, { decisions, base, revised }: Decided): string[] {
  const accepted = new Set(decisions.filter((one) => one.accepted).map(({ change_id: id }) => id));
  const changes = revisionChanges(base, revised).filter(({ id }) => accepted.has(id));
  const paragraphs = changes.flatMap(({ after }) => splitParagraphs(after));
  return remainingParagraphs(
    text,
    paragraphs.map(({ id }) => id),
  );
}
