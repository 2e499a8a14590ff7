import type { Finding } from '#contracts/findings.js';
import type { Fingerprint, StyleReport } from '#contracts/style.js';
import { rulesInThread } from '#kit/graph/rules-by-name.js';
import { checkCitations } from '#writing/citations.js';
import { withVerdicts } from '#writing/proofs/proofs.js';
import { composePiece } from '../repurpose/compose.js';
import { fingerprintOf, type StyleText } from '#writing/style/fingerprint.js';
import { styleLanguageOf } from '#writing/style/lexicon/languages.js';
import { reviewGenerally, reviewStyle } from '#writing/style/review.js';
import { compileArticle, compileReport } from '../offline/report.js';
import type { ResearchPassage } from './state.js';

/** Rules that write and check articles. */
const rules = {
  /** Compiles a report that quotes the passages under the headings that they were found for. */
  report: compileReport,
  /** Compiles an article from quoted and cited passages. */
  article: compileArticle,
  /** Returns the issues with the citations of a text (A6). @param known the person's words; names in them need no citation */
  citations: (text: string, passages: ResearchPassage[], known: string): Finding[] =>
    checkCitations(text, passages, { known }).findings,
  /** Settles the disputed findings of a text by the verdicts of its reviewer (X15). */
  settle: withVerdicts,
  /** Rewrites the article for a platform with the article's own sentences (A14). */
  piece: composePiece,
  /** Reviews a text by the rules that need no corpus (A7). */
  general: reviewGenerally,
  /** Compares a text with the corpus (A7); null without a corpus. */
  style(text: string, corpus: StyleText[]): { report: StyleReport; fingerprint: Fingerprint } | null {
    if (corpus.length === 0) return null;
    // If the corpus has texts in the language of the given text, use only these.
    const same = fingerprintOf(corpus, styleLanguageOf(text));
    const fingerprint = same.texts > 0 ? same : fingerprintOf(corpus);
    return { report: reviewStyle(text, fingerprint), fingerprint };
  },
};
export type Rules = typeof rules;

export default rulesInThread(rules);
