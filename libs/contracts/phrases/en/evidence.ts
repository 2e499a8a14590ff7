/** What a corpus shows, as evidence for findings of style. */
export const evidence = {
  'evidence.none': { one: 'none in {count} word', other: 'none in {count} words' },
  'evidence.no_ellipsis': { one: 'no ellipsis in {count} word', other: 'no ellipsis in {count} words' },
  'evidence.of_words': '{number} in a thousand words',
  'evidence.of_sentences': '{number} of 100 sentences',
  'evidence.times': { one: '{text} ({count} time)', other: '{text} ({count} times)' },
  'evidence.at_most': { one: 'at most {count} word', other: 'at most {count} words' },
  'evidence.first_level': 'the first heading is of level {level}',
  'evidence.one_title': 'one title in each text',
} as const;
