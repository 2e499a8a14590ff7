import type { RunEvent } from '#contracts/events.js';

/** Names what rules did in place of a model. */
const byRules = (stages: unknown): string =>
  Array.isArray(stages) && stages.length > 0 ? `  (by rules: ${stages.join(', ')})` : '';

/** The progress of a book: one line for its outline, for each review of a chapter, and for each chapter that is written. */
export function bookLine({ type, data }: RunEvent): string | undefined {
  const chapter = `chapter ${String(data['number'])}`;
  switch (type) {
    case 'outline_saved':
      return `outline: ${String(data['chapters'])} chapters`;
    case 'chapter_reviewed':
      return `${chapter}: scored ${String(data['score'])}${data['revise'] === true ? ', revised' : ''}`;
    case 'chapter_persisted':
      return `${chapter}: written, ${String(data['words'])} words  ${String(data['title'])}${byRules(data['fallback_stages'])}`;
    case 'fallback_used':
      return `${String(data['stage'])}: the model's answers could not be used, rules answered`;
    default:
      return undefined;
  }
}
