/** Words of one language that tell how somebody writes. All are lower case. */
export interface Lexicon {
  /** By which the language of a text is told: its most frequent small words. */
  functionWords: readonly string[];
  /** Letters that words of the language have and those of the others have not. */
  ownLetters: RegExp;
  /** Words and phrases that join thoughts. */
  connectives: readonly string[];
  firstSingular: RegExp;
  firstPlural: RegExp;
  second: RegExp;
  /** A verb in the passive. */
  passive: RegExp;
  past: RegExp;
  /** Names of the months, January first, as they stand in a date. */
  months: readonly string[];
  /** Words that stand twice in a row without being a slip. */
  mayRepeat: ReadonlySet<string>;
}
