import type { Revision, WordComment } from './marked-text.js';

/** A comment of a returned file that was not sent with it. */
export interface ReturnedComment extends WordComment {
  /** First comment of the thread that it continues, as it was sent; null for one of a thread that begins in the returned file. */
  repliesTo: Revision | null;
}

/** Programs write times without milliseconds. */
const keyOf = ({ author, date, text }: WordComment) => JSON.stringify([author, date?.slice(0, 19), text]);

/**
 * Leaves out the comments of a returned file that were sent with it (X9): those with an author, a time and a text of the sent
 * file. Programs give comments other IDs.
 *
 * @returns the other comments, whose `parent` is one of `own`: threads that begin in the returned file, and replies to sent ones
 */
export function withoutSent(
  sent: readonly WordComment[],
  returned: readonly WordComment[],
): { own: ReturnedComment[]; replies: ReturnedComment[] } {
  const known = new Map(sent.map((comment) => [keyOf(comment), comment]));
  const sentOf = returned.map((comment) => known.get(keyOf(comment)) ?? null);
  const repliesTo = (comment: WordComment): Revision | null => {
    const seen = new Set<number>();
    for (let at = comment.parent; at !== null && !seen.has(at); at = returned[at]!.parent) {
      seen.add(at);
      const original = sentOf[at];
      if (original) return firstOf(sent, original);
    }
    return null;
  };
  const added = [...returned.entries()].filter(([at]) => sentOf[at] === null);
  const ofSent = new Map(added.map(([at, comment]) => [at, repliesTo(comment)]));
  const begun = added.filter(([at]) => ofSent.get(at) === null);
  const positions = new Map(begun.map(([at], position) => [at, position]));
  return {
    own: begun.map(([, { parent, ...comment }]) => ({
      ...{ ...comment, repliesTo: null },
      parent: parent === null ? null : (positions.get(parent) ?? null),
    })),
    replies: added.flatMap(([at, comment]) => {
      const first = ofSent.get(at);
      return first ? [{ ...comment, parent: null, repliesTo: first }] : [];
    }),
  };
}

/** Returns who wrote the first comment of a thread, and when. */
function firstOf(sent: readonly WordComment[], comment: WordComment): Revision {
  const { author, date, parent } = comment;
  const first = parent === null ? undefined : sent[parent];
  return first && first !== comment ? firstOf(sent, first) : { author, date };
}
