import type { RunEvent } from '#contracts/events.js';

/** Returns a note on the stages that rules executed instead of a model; may be empty. */
const byRules = (stages: unknown): string =>
  Array.isArray(stages) && stages.length > 0 ? `  (by rules: ${stages.join(', ')})` : '';

/** Returns the progress line of an event of a book run; undefined for events that are not shown. */
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
      return `${String(data['stage'])}: done by rules, because the model failed`;
    default:
      return undefined;
  }
}
