import { phrase } from '#contracts/phrases/phrase.js';
import { RunFailure } from '#engine/kind.js';
import { ThreadLimitError, type InThread } from './ports.js';
import type { RulesByName, RulesWork } from './rules-by-name.js';

/** Rules of a graph that run in a thread with limits. */
export abstract class ThreadRules<Rules extends RulesByName> {
  protected abstract readonly worker: URL;
  /** What the rules check. */
  protected abstract readonly subject: 'article' | 'chapter' | 'change';

  constructor(
    private readonly inThread: InThread,
    private readonly signal?: AbortSignal,
  ) {}

  /** Calls a rule. @throws RunFailure `text_too_hard` beyond the limits */
  async call<Rule extends keyof Rules & string>(
    rule: Rule,
    ...args: Parameters<Rules[Rule]>
  ): Promise<ReturnType<Rules[Rule]>> {
    const work: RulesWork = { rule, args };
    try {
      return await this.inThread<ReturnType<Rules[Rule]>>(this.worker, work, this.signal);
    } catch (error) {
      if (!(error instanceof ThreadLimitError)) throw error;
      throw new RunFailure('text_too_hard', phrase(`run_error.text_too_hard.${this.subject}`));
    }
  }
}
