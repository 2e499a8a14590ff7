import { wordsIn } from '#contracts/text.js';
import { revisionChanges } from '#writing/paragraph-decisions.js';
import { splitParagraphs } from '#writing/paragraphs.js';
import type { Decided } from '../versions/kept-paragraphs.js';
import type { PresentText } from './ports.js';
import type { LabelledPassage, Rejection, Steering } from './state.js';

/** Returns the changes that a person rejected. */
export function rejectionsOf({ decisions, base, revised }: Decided): Rejection[] {
  const changes = new Map(revisionChanges(base, revised).map((change) => [change.id, change]));
  return decisions
    .filter(({ accepted }) => !accepted)
    .map(({ change_id: id, reason }) => {
      const change = changes.get(id);
      return { before: change?.before ?? '', after: change?.after ?? '', reason };
    });
}

/**
 * Returns the steering of a run; null if nothing asks for a revision of the present text, so that a new draft replaces
 * it.
 */
export function steeringOf(present: PresentText | null, feedback: string | undefined): Steering | null {
  if (!present || present.content.trim() === '') return null;
  const { content, byPerson, rejections, kept } = present;
  if (feedback === undefined && rejections.length === 0 && kept.length === 0 && !byPerson) return null;
  return { present: content, feedback: feedback ?? '', rejections, kept };
}

/** Words of a quotation by which feedback names a paragraph. */
const QUOTED_WORDS = 4;

/** Returns the IDs of the paragraphs that a revision may change: all except kept paragraphs that the feedback does not name. */
export function changeable({ present, feedback, kept }: Steering): Set<string> {
  const asked = wordsOf(feedback).join(' ');
  const isNamed = (id: string, text: string) => {
    const words = wordsOf(text);
    const runs = words
      .slice(0, words.length - QUOTED_WORDS + 1)
      .map((_, i) => words.slice(i, i + QUOTED_WORDS).join(' '));
    // A paragraph of fewer words is named by all of its text.
    const isQuoted = feedback.includes(id) || feedback.includes(text.trim());
    return isQuoted || runs.some((run) => ` ${asked} `.includes(` ${run} `));
  };
  const fixed = new Set(kept);
  return new Set(
    splitParagraphs(present).flatMap(({ id, text }) => (!fixed.has(id) || isNamed(id, text) ? [id] : [])),
  );
}

const wordsOf = (text: string): string[] => wordsIn(text.toLowerCase());

/**
 * Labels the passages found for a chapter. Passages that the text already cites come first and keep their labels, so that
 * its notes stay valid.
 */
export function labelled(
  present: PresentText | null,
  found: Omit<LabelledPassage, 'label'>[],
): LabelledPassage[] {
  const place = (passage: { source_id: string; span: { start: number } }) =>
    `${passage.source_id}/${passage.span.start}`;
  const kept = (present?.citations ?? []).map((citation) => ({
    ...citation,
    id: place(citation),
    weight: 1,
  }));
  const places = new Set(kept.map(place));
  const used = new Set(kept.map(({ label }) => label));
  let number = 0;
  const nextLabel = () => {
    do number++;
    while (used.has(`s${number}`));
    return `s${number}`;
  };
  return [
    ...kept,
    ...found
      .filter((passage) => !places.has(place(passage)))
      .map((passage) => ({ ...passage, label: nextLabel() })),
  ];
}
