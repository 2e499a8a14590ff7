/** What a corpus shows, in German. */
export const evidence = {
  'evidence.none': { one: 'keines in {count} Wort', other: 'keines in {count} Wörtern' },
  'evidence.no_ellipsis': {
    one: 'keine Auslassungspunkte in {count} Wort',
    other: 'keine Auslassungspunkte in {count} Wörtern',
  },
  'evidence.of_words': '{number} auf tausend Wörter',
  'evidence.of_sentences': '{number} von 100 Sätzen',
  'evidence.times': '{text} ({count}-mal)',
  'evidence.at_most': { one: 'höchstens {count} Wort', other: 'höchstens {count} Wörter' },
  'evidence.first_level': 'die erste Überschrift hat Ebene {level}',
  'evidence.one_title': 'ein Titel in jedem Text',
} as const;
