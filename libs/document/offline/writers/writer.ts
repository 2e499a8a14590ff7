/** Output of a writer for a stretch of its source. */
export interface Written<S> {
  /** Markdown to append, ending with a newline; "" if nothing can be written yet. */
  markdown: string;
  /** Number of characters used; 0 requests a longer stretch. */
  consumed: number;
  state: S;
  /** True if the stretch is Markdown that takes too long to parse and is fenced verbatim. */
  isTooHard?: boolean;
}

/** Length in characters beyond which text without a place to cut is written as it is. */
export const MAX_BLOCK_LENGTH = 256 * 1024;
