import { isPhraseCode, phrase } from '#contracts/phrases/phrase.js';
import { translate } from '#cli/language.js';
import type { RunEvent } from '#contracts/events.js';

/** Returns the name of a stage; of one of a newer release, its code. */
function stageName(stage: unknown): string {
  const code = `stage.${String(stage)}`;
  return isPhraseCode(code) ? translate({ code, params: {} }) : String(stage);
}

/** Returns a note on the stages that rules executed instead of a model; may be empty. */
const byRules = (stages: unknown): string =>
  Array.isArray(stages) && stages.length > 0
    ? `  ${translate(phrase('out.by_rules', { stages: stages.map(stageName).join(', ') }))}`
    : '';

const keptWords = ({ score, new_score, version }: RunEvent['data']) =>
  typeof score === 'number'
    ? phrase('out.chapter_kept', { score, new_score: Number(new_score), version: Number(version) })
    : phrase('out.chapter_kept.edited', { version: Number(version) });

/** Returns the progress line of an event of a book run; undefined for events that are not shown. */
export function bookLine({ type, data }: RunEvent): string | undefined {
  const number = String(data['number']);
  switch (type) {
    case 'outline_saved':
      return translate(phrase('out.outline_saved', { count: Number(data['chapters']) }));
    case 'chapter_reviewed':
      return translate(
        phrase(data['revise'] === true ? 'out.chapter_revised' : 'out.chapter_scored', {
          number,
          score: String(data['score']),
        }),
      );
    case 'chapter_persisted':
      return `${translate(
        phrase('out.chapter_written', { number, words: String(data['words']), title: String(data['title']) }),
      )}${byRules(data['fallback_stages'])}`;
    case 'chapter_kept':
      return translate(keptWords(data));
    case 'fallback_used':
      return translate(phrase('out.stage_by_rules', { stage: stageName(data['stage']) }));
    default:
      return undefined;
  }
}
