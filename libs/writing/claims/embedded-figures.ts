/** Digits that are part of a word or of digits behind a space, such as those of `SF9`, `A405` and `cyl 3 388 C`. */
const IN_WORD = /\p{L}[\p{L}_-]{0,20}?(\d+(?:[.,]\d+)?)|(\d+(?:[.,]\d+)?)_?\p{L}/gu;
const BESIDE = /(?<![\d.,])\d{1,3}[ \u00a0\u202f](\d{3})(?![\d.,])/gu;

/**
 * Returns the figures that a text contains in identifiers, model names and neighbouring columns, as decimal numbers. What
 * they measure is not known, so that a sentence may state any of them.
 */
export function embeddedFigures(text: string): Set<string> {
  const found = new Set<string>();
  for (const pattern of [IN_WORD, BESIDE])
    for (const [, ...groups] of text.matchAll(pattern))
      for (const digits of groups)
        if (digits !== undefined) found.add(String(Number(digits.replace(',', '.'))));
  return found;
}
