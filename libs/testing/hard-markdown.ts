/** Markdown that takes parsers quadratic time or longer: name → text of about the given number of characters. */
export const HARD_MARKDOWN: Record<string, (characters: number) => string> = {
  'closing brackets': (n) => `${']'.repeat(999)}\n`.repeat(n / 1000),
  'brackets in brackets': (n) => '['.repeat(n / 2) + ']'.repeat(n / 2),
  'opening brackets': (n) => `${'['.repeat(999)}\n`.repeat(n / 1000),
  'links without an end': (n) => '[a](b'.repeat(n / 5),
  'asterisks that close nothing': (n) => 'a* '.repeat(n / 3),
  'asterisks and underscores that cross': (n) => '*a_ '.repeat(n / 4),
  asterisks: (n) => '*'.repeat(n),
  'asterisks around a letter': (n) => `${'*'.repeat(n / 2)}a${'*'.repeat(n / 2)}`,
  'less-than signs': (n) => '<'.repeat(n),
  'comments without an end': (n) => 'x <!-- '.repeat(n / 7),
  'instructions without an end': (n) => 'x <? '.repeat(n / 5),
  'backticks, each run longer': (n) => {
    let text = '';
    for (let length = 1; text.length < n; length++) text += `${'`'.repeat(length)} `;
    return text;
  },
  'nested quotes': (n) => '>'.repeat(n),
  'nested lists': (n) => `${'- '.repeat(n / 2)}a`,
  'lists each deeper': (n) => {
    let text = '';
    for (let level = 0; text.length < n; level++) text += `${'  '.repeat(level)}- a\n`;
    return text;
  },
  'quotes with lists in them': (n) => `${'> - '.repeat(n / 4)}a`,
  'a quote that goes on without its mark': (n) => `> a\n${'a\n'.repeat(n / 2)}`,
  'a long table': (n) => `|a|b|\n|-|-|\n${'|a|b|\n'.repeat(n / 6)}`,
  'a wide table': (n) => ['a|', '-|', 'a|'].map((cell) => `|${cell.repeat(n / 6)}\n`).join(''),
  'an address with brackets at its end': (n) => `http://a.b/${')'.repeat(n)}x`,
  'a long list': (n) => '- a\n'.repeat(n / 4),
  'elements that stay open': (n) => '<div>\n\n'.repeat(n / 7),
  tabulators: (n) => `${'\t'.repeat(n)}a`,
  'indented lines': (n) => '    a\n\n'.repeat(n / 7),
};

const ADDRESSES = [
  '<https://example.org/a_b?x=1>',
  'www.example.org/%d, and',
  'write to some_one@example.org.',
  '<me@example.org>',
];

/** Returns one line with a number of addresses and the punctuation that often surrounds them. */
export const lineOfAddresses = (count: number): string =>
  Array.from({ length: count }, (_, i) => `see ${ADDRESSES[i % 4]} &amp; 3 > 2 xmpp:a@b.org`).join(' and ');
