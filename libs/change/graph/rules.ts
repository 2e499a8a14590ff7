import { ThreadRules } from '#kit/graph/thread-rules.js';
import type { Rules } from './rules.worker.js';

/** Rules that check changes, in a thread with limits. */
export class ChangeRules extends ThreadRules<Rules> {
  protected readonly worker = new URL('./rules.worker.js', import.meta.url);
  protected readonly subject = 'change';
}
