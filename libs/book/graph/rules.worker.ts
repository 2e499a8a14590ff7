import type { BookOutline } from '../contract/outline.js';
import type { BookProfile } from '../contract/profile.js';
import type { ChapterCitation } from '../contract/review.js';
import type { Fact } from '#contracts/facts.js';
import { compilePassages } from '#writing/compile-passages.js';
import { factsIn } from '#writing/facts/facts.js';
import type { Verdict } from '#writing/proofs/proofs.js';
import { citationsOf, reviewByRules, withReviewer, type Asked, type RuleReview } from './checks.js';
import { outlineFromSources } from '../offline/outline.js';
import { summaryOf } from '#writing/sentences.js';
import type { ChapterText, Passage } from './texts.js';
import type { LabelledPassage } from './state.js';

/** Data derived from a chapter's text. */
export interface DerivedChapter {
  summary: string;
  facts: Fact[];
  citations: ChapterCitation[];
}

export type RulesWork =
  | {
      op: 'review';
      content: string;
      passages: LabelledPassage[];
      others: ChapterText[];
      asked: Asked;
    }
  | { op: 'settle'; content: string; review: RuleReview; verdicts: Verdict[]; passages: LabelledPassage[] }
  | { op: 'derive'; content: string; passages: LabelledPassage[] }
  | { op: 'compile'; passages: LabelledPassage[] }
  | { op: 'outline'; passages: Passage[]; profile: BookProfile };

/** Runs in a thread, because the time that the rules take depends on the texts and sources. */
export default function applyRules(work: RulesWork): RuleReview | DerivedChapter | string | BookOutline {
  switch (work.op) {
    case 'review':
      return reviewByRules(work.content, work.passages, work.others, work.asked);
    case 'settle':
      return withReviewer(work.content, work.review, work.verdicts, work.passages);
    case 'derive':
      return {
        summary: summaryOf(work.content),
        facts: factsIn(work.content),
        citations: citationsOf(work.content, work.passages),
      };
    case 'compile':
      return compilePassages(work.passages);
    case 'outline':
      return outlineFromSources(work.passages, work.profile);
  }
}
