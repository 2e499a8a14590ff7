/** Words, numbers, currencies and signs; other punctuation depends on the form of a text. */
const TOKEN = /[\p{L}\p{M}\p{N}]+|[\p{Sc}%]|[-+](?=\d)/gu;
const ADDRESS = /https?:\/\/[^\s"'<>()[\]]{1,2000}/gi;
/** Comparing longer texts would need too much memory. */
const MOST_TOKENS = 500_000;

/** Words of the shown version of a text, for finding what another version adds. */
interface ShownWords {
  pairs: Set<string>;
  words: Set<string>;
  addresses: Set<string>;
}

/**
 * Collects the words of a text.
 *
 * @param markdown the text as it is shown
 * @param source what it was made from, which contains the addresses of its links
 * @returns null for a text that is too long to be compared
 */
export function shownWords(markdown: string, source: string): ShownWords | null {
  const shown = markdown
    .replace(/\]\((?:<[^<>\n]{0,2000}>|[^()\s]{0,2000})\)/g, '] ')
    .replaceAll('<br>', ' ');
  const tokens = tokensOf(shown);
  if (tokens.length > MOST_TOKENS) return null;
  const pairs = new Set<string>();
  for (let i = 1; i < tokens.length; i++) pairs.add(`${tokens[i - 1]} ${tokens[i]}`);
  const links = source.replaceAll('&amp;', '&').match(ADDRESS) ?? [];
  return { pairs, words: new Set(tokens), addresses: new Set(links.map(bare)) };
}

/** Returns whether every word of a line of another version is shown, next to the same word. */
export function isShown(line: string, shown: ShownWords): boolean {
  const words = line
    .replace(ADDRESS, (address) => (shown.addresses.has(bare(address)) ? ' ' : address))
    // Mail programs write this in place of a picture.
    .replace(/\[(?:image|cid):[^\]\n]{0,200}\]/gi, ' ');
  const tokens = tokensOf(words);
  if (tokens.length === 1) return shown.words.has(tokens[0]!);
  return tokens.slice(1).every((token, at) => shown.pairs.has(`${tokens[at]} ${token}`));
}

const tokensOf = (text: string): string[] =>
  text
    .normalize('NFKC')
    .replace(/[‐-―−]/g, '-')
    .toLowerCase()
    .match(TOKEN) ?? [];

const bare = (address: string): string => address.replace(/[.,;:!?*_/]{1,20}$/, '');
