const HYPHENS = /[-\u00ad\u2010\u2011]/g;

/**
 * Returns a text in which spellings that differ between PDF readers are equal: raised letters, ligatures and Markdown's
 * escapes.
 */
function plain(text: string): string {
  return text
    .replace(/[⁰¹²³⁴⁵⁶⁷⁸⁹₀₁₂₃₄₅₆₇₈₉]/g, ' $&')
    .normalize('NFKC')
    .replace(/\\|~~|[\^_]/g, '');
}

const wordsOf = (text: string): string[] =>
  plain(text)
    .replace(/(\p{L})[-\u00ad\u2010]\s*\n\s*(?=\p{Ll})/gu, '$1')
    .match(/\p{L}{2,}|\p{N}+/gu) ?? [];

/** Returns the words of three or more letters or figures of one text that another does not have, without regard to hyphens and blanks. */
export function missingWords(expected: string, found: string): string[] {
  const letters = plain(found)
    .replace(HYPHENS, '')
    .replace(/[^\p{L}\p{N}]+/gu, '')
    .toLowerCase();
  const words = new Set(
    plain(expected)
      .replace(HYPHENS, ' ')
      .toLowerCase()
      .match(/[\p{L}\p{N}]{3,}/gu) ?? [],
  );
  return [...words].filter((word) => !letters.includes(word));
}

/** Returns the share of pairs of words that follow each other in one text and also do so in another. */
export function followedShare(expected: string, found: string): number {
  const pairs = pairsOf(wordsOf(found));
  let [common, all] = [0, 0];
  for (const [pair, count] of pairsOf(wordsOf(expected))) {
    all += count;
    common += Math.min(count, pairs.get(pair) ?? 0);
  }
  return common / Math.max(1, all);
}

function pairsOf(words: readonly string[]): Map<string, number> {
  const pairs = new Map<string, number>();
  for (const [at, word] of words.entries()) {
    if (at === 0) continue;
    const pair = `${words[at - 1]} ${word}`;
    pairs.set(pair, (pairs.get(pair) ?? 0) + 1);
  }
  return pairs;
}
