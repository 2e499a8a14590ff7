import { messageOf, type Detail } from '#contracts/phrases/detail.js';
import type { Phrase } from '#contracts/phrases/phrase.js';
import type { Evidence, Finding, Span } from '#contracts/findings.js';
import type { Fingerprint } from '#contracts/style.js';
import type { StyleLanguage } from '../lexicon/languages.js';
import type { Prose } from '../prose.js';

/** A text under review and the corpus that it is compared with. */
export interface Review {
  prose: Prose;
  language: StyleLanguage;
  corpus: Fingerprint;
}

/** Finding of a rule at one place. */
export interface Remark {
  rule: string;
  severity: Finding['severity'];
  span: Span;
  message: Phrase;
  suggestion?: string;
  evidence?: Evidence[];
  /** True if replacing the span with the suggestion is mechanical and loses nothing. */
  isSafe?: boolean;
}

export type StyleRule = (review: Review) => Remark[];

/** Creates evidence from the corpus: a form and its frequency. */
export function fromCorpus(detail: Detail): Evidence {
  const { message: text, phrase } = messageOf(detail);
  return { text, ...(phrase && { phrase }), of: 'corpus', span: null };
}
