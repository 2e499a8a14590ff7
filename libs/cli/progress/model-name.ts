import { OFFLINE_WRITER } from '#contracts/offline-writer.js';
import { phrase } from '#contracts/phrases/phrase.js';
import { translate } from '../language.js';

/** Returns the name of a run's model, and of rules that wrote in its place, for the terminal. */
export const modelName = (label: string): string =>
  label.replace(OFFLINE_WRITER, translate(phrase('cli.offline_writer')));
