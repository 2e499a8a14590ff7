import { readProse } from '#writing/style/prose.js';
import { hasInnerCapital, placedWords, smallWords } from '#writing/style/terms.js';

/**
 * Returns the names and terms of an article as hashtags, most frequent first: words capitalized within its
 * sentences.
 */
export function frequentTerms(article: string): string[] {
  const prose = readProse(article);
  const small = smallWords(prose);
  const times = new Map<string, number>();
  for (const { word, isFirst, inHeading } of placedWords(prose)) {
    const bare = word.replace(/['’].*$/, '');
    const isTerm = hasInnerCapital(bare) || (/^\p{Lu}/u.test(bare) && !isFirst && !inHeading);
    if (isTerm && /^[\p{L}]{3,50}$/u.test(bare) && !small.has(bare.toLowerCase()))
      times.set(bare, (times.get(bare) ?? 0) + 1);
  }
  return distinctTags([...times].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).map(([word]) => word));
}

/** Drops tags that repeat an earlier one, or a tag in the text: in other case, with a plural "s", "_" or accents. */
export function distinctTags(tags: string[], text = ''): string[] {
  const seen = new Set((text.match(/#[\p{L}\p{N}_]{2,50}/gu) ?? []).map((tag) => keyOf(tag.slice(1))));
  return tags.filter((tag) => {
    const isNew = !seen.has(keyOf(tag));
    seen.add(keyOf(tag));
    return isNew;
  });
}

const keyOf = (tag: string): string =>
  tag
    .toLowerCase()
    .normalize('NFD')
    .replace(/[\p{M}_]/gu, '')
    .replace(/s$/, '');
