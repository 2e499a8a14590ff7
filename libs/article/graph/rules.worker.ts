import type { Finding } from '#contracts/findings.js';
import type { Piece, Platform } from '../contract/repurpose.js';
import type { Heading } from '../contract/values.js';
import type { Fingerprint, StyleReport } from '#contracts/style.js';
import { checkCitations } from '#writing/citations.js';
import { type Verdict, withVerdicts } from '#writing/proofs/proofs.js';
import { composePiece } from '../repurpose/compose.js';
import { fingerprintOf, type StyleText } from '#writing/style/fingerprint.js';
import { styleLanguageOf } from '#writing/style/lexicon/languages.js';
import { reviewGenerally, reviewStyle } from '#writing/style/review.js';
import { compileArticle, compileReport } from '../offline/report.js';
import type { ResearchPassage, Section } from './state.js';

export type RulesWork =
  | { op: 'report'; topic: string; headings: Heading[]; passages: ResearchPassage[] }
  | { op: 'article'; title: string; sections: Section[]; passages: ResearchPassage[] }
  | { op: 'citations'; text: string; passages: ResearchPassage[]; known: string }
  | { op: 'settle'; text: string; findings: Finding[]; verdicts: Verdict[]; passages: ResearchPassage[] }
  | { op: 'piece'; article: string; platform: Platform }
  | { op: 'general'; text: string }
  | { op: 'style'; text: string; corpus: StyleText[] };

/** Result of comparing a text with a corpus; null without a corpus. */
export type StyleResult = { report: StyleReport; fingerprint: Fingerprint } | null;

/** Runs in a thread, because the time that the rules take depends on the texts and sources. */
export default function applyRules(
  work: RulesWork,
): string | Finding[] | StyleReport | StyleResult | Omit<Piece, 'findings'> {
  switch (work.op) {
    case 'report':
      return compileReport(work.topic, work.headings, work.passages);
    case 'article':
      return compileArticle(work.title, work.sections, work.passages);
    case 'citations':
      return checkCitations(work.text, work.passages, { known: work.known }).findings;
    case 'settle':
      return withVerdicts(work.text, work.findings, work.verdicts, work.passages);
    case 'piece':
      return composePiece(work.article, work.platform);
    case 'general':
      return reviewGenerally(work.text);
    case 'style': {
      if (work.corpus.length === 0) return null;
      // If the corpus has texts in the language of the given text, use only these.
      const same = fingerprintOf(work.corpus, styleLanguageOf(work.text));
      const fingerprint = same.texts > 0 ? same : fingerprintOf(work.corpus);
      return { report: reviewStyle(work.text, fingerprint), fingerprint };
    }
  }
}
