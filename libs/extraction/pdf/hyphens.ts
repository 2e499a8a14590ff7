const SOFT = '\u00ad';
const HYPHENS = `-\u2010${SOFT}`;
const LETTER = /\p{L}/u;
const SMALL_FIRST = /^\p{Ll}\p{L}*/u;
/** Contains a hyphen or an inner capital. */
const NO_PLAIN_WORD = /[-\u2010]|\p{L}\p{Lu}/u;
const WORD = /\p{L}+(?:[-\u2010]\p{L}+)*/gu;

interface Parted {
  /** Part of the word before the hyphen. */
  head: string;
  tail: string;
  soft: boolean;
}

/**
 * Joins words that are hyphenated at line ends. Whether a hyphen belongs to the word follows from the rest of
 * the document: from other occurrences of the word, else from the majority of hyphenated words.
 */
export class Hyphens {
  private readonly words = new Set<string>();
  private readonly parts: boolean;

  /** @param lines all lines of the document, in reading order */
  constructor(lines: readonly string[]) {
    for (const line of lines) for (const [word] of line.matchAll(WORD)) this.words.add(word.toLowerCase());
    let known = 0;
    lines.forEach((line, i) => {
      const parted = partedWord(line, lines[i + 1] ?? '');
      if (parted) known += this.known(parted);
    });
    this.parts = known > 0;
  }

  /**
   * @returns both lines with the hyphenated word joined at the end of the first and leading blanks stripped
   * from the second; null if no word is hyphenated
   */
  join(line: string, next: string): [string, string] | null {
    const parted = partedWord(line, next);
    if (!parted) return null;
    const known = this.known(parted);
    const isOwn = known < 0 || (known === 0 && (!this.parts || NO_PLAIN_WORD.test(parted.head)));
    // Punctuation after the word moves with it.
    const [end = ''] = /^\S*/.exec(next) ?? [];
    return [(isOwn ? line : line.slice(0, -1)) + end, next.slice(end.length).trimStart()];
  }

  /**
   * Returns 1 for a soft hyphen or if the word occurs elsewhere without the hyphen, -1 if with it, else 0.
   */
  private known({ head, tail, soft }: Parted): number {
    if (soft || this.words.has((head + tail).toLowerCase())) return 1;
    return this.words.has(`${head}-${tail}`.toLowerCase()) ? -1 : 0;
  }
}

function partedWord(line: string, next: string): Parted | null {
  const hyphen = line.at(-1) ?? '';
  const tail = SMALL_FIRST.exec(next)?.[0];
  if (hyphen === '' || !HYPHENS.includes(hyphen) || tail === undefined) return null;
  let from = line.length - 1;
  while (from > 0 && (LETTER.test(line[from - 1]!) || HYPHENS.includes(line[from - 1]!))) from--;
  const head = line.slice(from, -1);
  return LETTER.test(head.at(-1) ?? '') ? { head, tail, soft: hyphen === SOFT } : null;
}
