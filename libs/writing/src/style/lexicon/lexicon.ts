/** Words that one convention of a language writes in one way and another in another. */
export interface Spelling {
  /** Each way, named by an example, with the words that follow it. */
  ways: readonly { form: string; words: RegExp }[];
  /** A word of one way as the other writes it. */
  rewrite(word: string, wanted: string): string;
}

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
  /** Names of the months in short, as a pattern each. */
  shortMonths: readonly string[];
  /** Words that stand twice in a row without being a slip. */
  mayRepeat: ReadonlySet<string>;
  /** Words that stand twice in a row on purpose at times: told, not changed. */
  perhapsMeant: ReadonlySet<string>;
  /** A word in front of a number that is a name or a code, no quantity: `port 5432`. */
  label: RegExp;
  /** Short and full forms of verbs, where a language has both. */
  contractions?: { short: RegExp; full: RegExp };
  spellings: readonly Spelling[];
  /** Beginnings of texts that say nothing yet. */
  stockOpening: RegExp;
  /** Beginnings of last paragraphs that announce the end. */
  stockClosing: RegExp;
}
