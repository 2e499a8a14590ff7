/** What a writer made of a stretch of its source. */
export interface Written<S> {
  /** Markdown to append, ending with a newline; "" for nothing yet. */
  markdown: string;
  /** How many characters of the stretch it used; 0 asks for a longer stretch. */
  consumed: number;
  state: S;
  /** The stretch is markdown that takes too long to read: it stands in a fence, as it is written. */
  isTooHard?: boolean;
}

/** A stretch without any place to cut is taken whole past this length. */
export const LONGEST_BLOCK = 256 * 1024;
