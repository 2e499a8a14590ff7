/** Words with several spellings, depending on a convention. */
export interface Spelling {
  /** The spellings, each named by an example, with a pattern of its words. */
  ways: readonly { form: string; words: RegExp }[];
  /** Returns a word in another spelling. */
  rewrite(word: string, wanted: string): string;
}

/** Vocabulary of a language for style analysis. All words are in lower case. */
export interface Lexicon {
  /** Most frequent function words, which identify the language of a text. */
  functionWords: readonly string[];
  /** Letters that only this language has. */
  ownLetters: RegExp;
  /** Connecting words and phrases. */
  connectives: readonly string[];
  firstSingular: RegExp;
  firstPlural: RegExp;
  second: RegExp;
  /** A verb in the passive voice. */
  passive: RegExp;
  past: RegExp;
  /** Names of the months, January first, in the form used in dates. */
  months: readonly string[];
  /** Patterns of the short names of the months. */
  shortMonths: readonly string[];
  /** Words that may legitimately be repeated immediately. */
  mayRepeat: ReadonlySet<string>;
  /** Words that are sometimes repeated on purpose: reported but not changed. */
  perhapsMeant: ReadonlySet<string>;
  /** A word before a number that makes the number a name or code: `port 5432`. */
  label: RegExp;
  /** Short and full verb forms, if the language has both. */
  contractions?: { short: RegExp; full: RegExp };
  spellings: readonly Spelling[];
  /** Stock phrases at the beginning of texts. */
  stockOpening: RegExp;
  /** Phrases at the beginning of last paragraphs that announce the end. */
  stockClosing: RegExp;
}
