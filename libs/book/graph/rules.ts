import { ThreadRules } from '#kit/graph/thread-rules.js';
import type { Rules, RulesWork } from './rules.worker.js';

/** Rules that write and check books, in a thread with limits. */
export class BookRules extends ThreadRules<RulesWork> {
  protected readonly worker = new URL('./rules.worker.js', import.meta.url);
  protected readonly subject = 'chapter';

  /** Calls a rule. @throws RunFailure `text_too_hard` beyond the limits */
  call<Rule extends keyof Rules>(rule: Rule, ...args: Parameters<Rules[Rule]>) {
    return this.apply<ReturnType<Rules[Rule]>>({ rule, args });
  }
}
