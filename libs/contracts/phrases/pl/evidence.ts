/** What a corpus shows, in Polish. */
export const evidence = {
  'evidence.none': {
    one: 'ani jednego na {count} słowo',
    few: 'ani jednego na {count} słowa',
    many: 'ani jednego na {count} słów',
    other: 'ani jednego na {count} słowa',
  },
  'evidence.no_ellipsis': {
    one: 'żadnego wielokropka na {count} słowo',
    few: 'żadnego wielokropka na {count} słowa',
    many: 'żadnego wielokropka na {count} słów',
    other: 'żadnego wielokropka na {count} słowa',
  },
  'evidence.of_words': '{number} na tysiąc słów',
  'evidence.of_sentences': '{number} na 100 zdań',
  'evidence.times': {
    one: '{text} ({count} raz)',
    few: '{text} ({count} razy)',
    many: '{text} ({count} razy)',
    other: '{text} ({count} raza)',
  },
  'evidence.at_most': {
    one: 'najwyżej {count} słowo',
    few: 'najwyżej {count} słowa',
    many: 'najwyżej {count} słów',
    other: 'najwyżej {count} słowa',
  },
  'evidence.first_level': 'pierwszy nagłówek ma poziom {level}',
  'evidence.one_title': 'jeden tytuł w każdym tekście',
} as const;
