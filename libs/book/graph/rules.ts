import { ThreadRules } from '#kit/graph/thread-rules.js';
import type { BookOutline } from '../contract/outline.js';
import type { BookProfile } from '../contract/profile.js';
import type { Asked, RuleReview } from './checks.js';
import type { ChapterText, Passage } from './texts.js';
import type { DerivedChapter, RulesWork } from './rules.worker.js';
import type { Verdict } from '#writing/proofs/proofs.js';
import type { LabelledPassage } from './state.js';

/**
 * Rules that write and check books, in a thread with limits. Every method throws RunFailure `text_too_hard`
 * beyond the limits.
 */
export class BookRules extends ThreadRules<RulesWork> {
  protected readonly worker = new URL('./rules.worker.js', import.meta.url);
  protected readonly subject = 'chapter';

  /** Reviews a draft (B26). */
  review(
    content: string,
    passages: LabelledPassage[],
    others: ChapterText[],
    asked: Asked,
  ): Promise<RuleReview> {
    return this.apply<RuleReview>({ op: 'review', content, passages, others, asked });
  }

  /** Settles the disputed findings of a review by the verdicts of its reviewer (X15). */
  settle(
    content: string,
    review: RuleReview,
    verdicts: Verdict[],
    passages: LabelledPassage[],
  ): Promise<RuleReview> {
    return this.apply<RuleReview>({ op: 'settle', content, review, verdicts, passages });
  }

  derive(content: string, passages: LabelledPassage[]): Promise<DerivedChapter> {
    return this.apply<DerivedChapter>({ op: 'derive', content, passages });
  }

  /** Compiles a chapter from source passages, without a model. */
  compile(passages: LabelledPassage[]): Promise<string> {
    return this.apply<string>({ op: 'compile', passages });
  }

  /** Derives an outline from the sources, without a model. */
  outline(passages: Passage[], profile: BookProfile): Promise<BookOutline> {
    return this.apply<BookOutline>({ op: 'outline', passages, profile });
  }
}
