import type { Fingerprint, StyleReport } from '#contracts/style.js';
import { fingerprintOf, type StyleText } from '#writing/style/fingerprint.js';
import { styleLanguageOf, type StyleLanguage } from '#writing/style/lexicon/languages.js';
import { reviewStyle } from '#writing/style/review.js';

export interface StyleWork {
  texts: StyleText[];
  language: StyleLanguage | undefined;
  /** Text to compare; without it, only the fingerprint is computed. */
  text?: string;
}

export interface StyleAnswer {
  corpus: Fingerprint;
  report: StyleReport | null;
}

/** Runs in a thread: computes the fingerprint of a corpus, and the deviations of a text from it. */
export default function style({ texts, language, text }: StyleWork): StyleAnswer {
  const corpus = fingerprintOf(texts, language ?? (text === undefined ? undefined : styleLanguageOf(text)));
  return { corpus, report: text === undefined ? null : reviewStyle(text, corpus) };
}
