import type { ChapterCitation } from '../contract/review.js';
import type { Fact } from '#contracts/facts.js';
import { rulesInThread } from '#kit/graph/rules-by-name.js';
import { compilePassages } from '#writing/compile-passages.js';
import { factsIn } from '#writing/facts/facts.js';
import { citationsOf, reviewByRules, withReviewer } from './checks.js';
import { outlineFromSources } from '../offline/outline.js';
import { summaryOf } from '#writing/sentences.js';
import type { LabelledPassage } from './state.js';

/** Data derived from a chapter's text. */
interface DerivedChapter {
  summary: string;
  facts: Fact[];
  citations: ChapterCitation[];
}

/** Rules that write and check books. */
const rules = {
  /** Reviews a draft (B26). */
  review: reviewByRules,
  /** Settles the disputed findings of a review by the verdicts of its reviewer (X15). */
  settle: withReviewer,
  derive: (content: string, passages: LabelledPassage[]): DerivedChapter => ({
    summary: summaryOf(content),
    facts: factsIn(content),
    citations: citationsOf(content, passages),
  }),
  /** Compiles a chapter from source passages, without a model. */
  compile: compilePassages,
  /** Derives an outline from the sources, without a model. */
  outline: outlineFromSources,
};
export type Rules = typeof rules;

export default rulesInThread(rules);
