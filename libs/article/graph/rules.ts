import { ThreadRules } from '#kit/graph/thread-rules.js';
import type { Finding } from '#contracts/findings.js';
import type { Piece, Platform } from '../contract/repurpose.js';
import type { Heading } from '../contract/values.js';
import type { StyleReport } from '#contracts/style.js';
import type { StyleText } from '#writing/style/fingerprint.js';
import type { Verdict } from '#writing/proofs/proofs.js';
import type { RulesWork, StyleResult } from './rules.worker.js';
import type { ResearchPassage, Section } from './state.js';

/**
 * Rules that write and check articles, in a thread with limits. Every method throws RunFailure
 * `text_too_hard` beyond the limits.
 */
export class ArticleRules extends ThreadRules<RulesWork> {
  protected readonly worker = new URL('./rules.worker.js', import.meta.url);
  protected readonly subject = 'article';

  /** Compiles a report that quotes the passages under the headings that they were found for. */
  report(topic: string, headings: Heading[], passages: ResearchPassage[]): Promise<string> {
    return this.apply<string>({ op: 'report', topic, headings, passages });
  }

  /** Compiles an article from quoted and cited passages. */
  article(title: string, sections: Section[], passages: ResearchPassage[]): Promise<string> {
    return this.apply<string>({ op: 'article', title, sections, passages });
  }

  /** Returns the issues with the citations of a text (A6). @param known the person's words; names in them need no citation */
  citations(text: string, passages: ResearchPassage[], known: string): Promise<Finding[]> {
    return this.apply<Finding[]>({ op: 'citations', text, passages, known });
  }

  /** Settles the disputed findings of a text by the verdicts of its reviewer (X15). */
  settle(
    text: string,
    findings: Finding[],
    verdicts: Verdict[],
    passages: ResearchPassage[],
  ): Promise<Finding[]> {
    return this.apply<Finding[]>({ op: 'settle', text, findings, verdicts, passages });
  }

  /** Compares a text with the corpus (A7); null without a corpus. */
  style(text: string, corpus: StyleText[]): Promise<StyleResult> {
    return this.apply<StyleResult>({ op: 'style', text, corpus });
  }

  /** Reviews a text by the rules that need no corpus (A7). */
  general(text: string): Promise<StyleReport> {
    return this.apply<StyleReport>({ op: 'general', text });
  }

  /** Rewrites the article for a platform with the article's own sentences (A14). */
  piece(article: string, platform: Platform): Promise<Omit<Piece, 'findings'>> {
    return this.apply({ op: 'piece', article, platform });
  }
}
