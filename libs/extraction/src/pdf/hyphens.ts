const SOFT = '\u00ad';
const HYPHENS = `-\u2010${SOFT}`;
const LETTER = /\p{L}/u;
const SMALL_FIRST = /^\p{Ll}\p{L}*/u;
/** A hyphen before, or capitals inside. */
const NO_PLAIN_WORD = /[-\u2010]|\p{L}\p{Lu}/u;
const WORD = /\p{L}+(?:[-\u2010]\p{L}+)*/gu;

interface Parted {
  /** The word up to its hyphen. */
  head: string;
  tail: string;
  soft: boolean;
}

/**
 * Words that a line's end parts. Whether the hyphen is the word's own is told by the rest of the document: by the word where it stands
 * elsewhere, else by what most parted words are.
 */
export class Hyphens {
  private readonly words = new Set<string>();
  private readonly parts: boolean;

  /** @param lines all of the document, in reading order */
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
   * @returns both lines with a parted word whole at the end of the first, the second without blanks at its beginning; null where none is parted
   */
  join(line: string, next: string): [string, string] | null {
    const parted = partedWord(line, next);
    if (!parted) return null;
    const known = this.known(parted);
    const isOwn = known < 0 || (known === 0 && (!this.parts || NO_PLAIN_WORD.test(parted.head)));
    // Marks behind the word belong to it.
    const [end = ''] = /^\S*/.exec(next) ?? [];
    return [(isOwn ? line : line.slice(0, -1)) + end, next.slice(end.length).trimStart()];
  }

  /** 1 for a word that stands elsewhere without the hyphen, -1 for one that stands there with it, 0 for any other. */
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
