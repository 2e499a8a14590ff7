import { ThreadRules } from '#kit/graph/thread-rules.js';
import type { Rules } from './rules.worker.js';

/** Rules that write and check books, in a thread with limits. */
export class BookRules extends ThreadRules<Rules> {
  protected readonly worker = new URL('./rules.worker.js', import.meta.url);
  protected readonly subject = 'chapter';
}
