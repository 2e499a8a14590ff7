import type { Evidence, Finding, Span } from '#contracts/findings.js';
import type { Fingerprint } from '#contracts/style.js';
import type { StyleLanguage } from '../lexicon/languages.js';
import type { Prose } from '../prose.js';

/** A text under review and what it is compared with. */
export interface Review {
  prose: Prose;
  language: StyleLanguage;
  corpus: Fingerprint;
}

/** What a rule says of one place. */
export interface Remark {
  rule: string;
  severity: Finding['severity'];
  span: Span;
  message: string;
  suggestion?: string;
  evidence?: Evidence[];
  /** Replacing the span by the suggestion is mechanical and loses nothing. */
  isSafe?: boolean;
}

export type StyleRule = (review: Review) => Remark[];

/** Evidence from the corpus: what stands there, and how often. */
export const fromCorpus = (text: string): Evidence => ({ text, of: 'corpus', span: null });
