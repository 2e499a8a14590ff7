import { ThreadRules } from '#kit/graph/thread-rules.js';
import type { Rules, RulesWork } from './rules.worker.js';

/** Rules that write and check articles, in a thread with limits. */
export class ArticleRules extends ThreadRules<RulesWork> {
  protected readonly worker = new URL('./rules.worker.js', import.meta.url);
  protected readonly subject = 'article';

  /** Calls a rule. @throws RunFailure `text_too_hard` beyond the limits */
  call<Rule extends keyof Rules>(rule: Rule, ...args: Parameters<Rules[Rule]>) {
    return this.apply<ReturnType<Rules[Rule]>>({ rule, args });
  }
}
