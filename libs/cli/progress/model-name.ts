import { OFFLINE_WRITER, OFFLINE_WRITER_LABEL } from '#contracts/model-facts.js';
import { phrase } from '#contracts/phrases/phrase.js';
import { translate } from '../language.js';

/** Returns the name of a run's model, and of rules that wrote in its place, for the terminal. */
export function modelName(label: string): string {
  return label
    .replace(OFFLINE_WRITER, translate(phrase('cli.offline_writer')))
    .replace(OFFLINE_WRITER_LABEL, translate(phrase('cli.offline_rules')));
}
