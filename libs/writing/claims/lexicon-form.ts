/** Words by which the claims of a sentence are recognized, in one language. */
export interface ClaimLexicon {
  /** Superlatives and other claims of rank, with their articles where the language has them. */
  superlative: readonly RegExp[];
  /** Statements of cause or effect. */
  cause: readonly RegExp[];
  /** Words of prose about the text itself (`this chapter`, `we will see`), which makes no claims about the subject. */
  discourse: RegExp;
  /** Number words with their digits. English ones are known to the tokens of prose. */
  numbers: ReadonlyMap<string, string>;
  /** Parts of itself that a text counts: `two reasons`, `three questions`. */
  counted: RegExp;
}

/** Reads number words in the form `two:2 three:3`. */
export const numbers = (list: string): ReadonlyMap<string, string> =>
  new Map(list.split(' ').map((pair) => pair.split(':') as [string, string]));
