import { singleSpaced } from '#contracts/text.js';
import { canBeTitle } from '#markdown/title.js';
import { escapeInline, escapeLineStart, escapeText } from '#markdown/escape.js';
import { ListLevels } from '../list-levels.js';
import { pageMark } from '../left-out.js';
import { tableLines } from '../table.js';
import { byDirection, type DrawnPage, linesOf, type PdfPage } from './page.js';
import { inReadingOrder, taggedLines, withPictures } from './reading-order.js';
import type { Tag } from './tags.js';
import { type TextLine, type TextPiece, withMarkup } from './text-line.js';

/** Minimum size of heading letters relative to the text. */
const HEADING = 1.14;
const LONGEST_HEADING = 250;
const DEEPEST_HEADING = 4;
/** Longer bold lines are emphasized sentences, not headings. */
const LONGEST_BOLD = 100;
/** Minimum distance of baselines between paragraphs, relative to the usual one. */
const APART = 1.35;
/** Bullet, also by its code in the fonts Symbol and Wingdings, task box, or number with `.` or `)`. */
const ITEM =
  /^\s*(?:([•◦▪▫‣⁃●○■□∙·\uf0b7\uf0a7\uf0d8\uf0fc\uf076])|([☐☑☒])|((?:0|[1-9]\d{0,2})[.)]))\s+(?=\S)/u;
/** Kinds of block that a further line can continue. */
const GOES_ON: ReadonlySet<string> = new Set(['text', 'items']);
/** Item without a marker, which matches as `ITEM` does. */
const UNMARKED = /^(?=())/;
const OWN_ITEM = /^ *(?:-|\d{1,3}[.)]) /;

/**
 * Converts the pages of a PDF to Markdown. Text is in reading order and escaped. Text in other directions is
 * at the end of its page. Words hyphenated at line ends are joined. Running heads, page numbers, notes and text
 * outside the visible area are omitted. A comment such as `<!-- page 2; left out: Annual report | 2 |
 * off the page: Draft -->` marks the start of a page and lists them.
 */
export function pagesMarkdown(pages: readonly DrawnPage[]): string {
  const directions = pages.map((page) => {
    const [own, ...others] = byDirection(page);
    return { page: own ?? page, others: others.map(({ pieces }) => inReadingOrder(pieces)) };
  });
  const found = partRunning(directions.map(({ page }) => ({ page, lines: linesOf(page) })));
  const lines = found.map(({ own, running }, index) => ({
    own: orderedLines(own, pages[index]!, directions[index]!.page.rules).filter(hasWords),
    leftOut: [
      ...running.filter(hasWords).map(({ text }) => text),
      ...namesUnseen(pages[index]!),
      ...(pages[index]!.named ?? []),
    ],
  }));
  const hyphens = new Hyphens(lines.flatMap(({ own }) => own.map(({ text }) => text)));
  joinPages(
    lines.map(({ own }) => own),
    hyphens,
  );
  lines.forEach(({ own }, index) => withPictures(own, directions[index]!.page.pictures ?? []));
  const writer = new Writer(
    lines.flatMap(({ own }) => own),
    hyphens,
  );
  lines.forEach(({ own, leftOut }, index) => {
    const parts = [own, ...directions[index]!.others];
    if (leftOut.length > 0 || (index > 0 && parts.flat().length > 0)) writer.page(index + 1, leftOut);
    parts.forEach((part, at) => writer.part(part, at > 0));
  });
  return writer.finish();
}

/** Returns lines in the order of the page's tags if they cover it, otherwise as the page is laid out. */
function orderedLines(
  own: readonly TextLine[],
  { tags = [] }: DrawnPage,
  rules: PdfPage['rules'],
): TextLine[] {
  const pieces = piecesOf(own);
  return (tags.length > 0 ? taggedLines(pieces, tags, rules) : null) ?? inReadingOrder(pieces, rules);
}

/** Moves the rest of a word that is hyphenated at the end of a page back to that page. */
function joinPages(pages: readonly TextLine[][], hyphens: Hyphens): void {
  for (const [at, own] of pages.entries()) {
    const [last, next] = [own.findLast((line) => !line.isNote && !line.row), pages[at + 1]?.[0]];
    if (!last || !next || next.row || Math.abs(last.size - next.size) > last.size * 0.1) continue;
    const joined = hyphens.join(last.text, next.text);
    if (!joined) continue;
    [last.text, next.text] = joined;
    if (next.text === '') pages[at + 1]!.shift();
  }
}

/** Returns the lines that the page contains but does not show, each with the reason. */
function namesUnseen({ width, height, unseen = {} }: DrawnPage): string[] {
  return Object.entries(unseen).flatMap(([reason, pieces]) =>
    byDirection({ width, height, pieces })
      .flatMap(linesOf)
      .map(({ text }) => `${reason}: ${text.trim()}`),
  );
}

class Writer {
  private readonly blocks: string[] = [];
  private readonly body: number;
  /** Heading sizes, largest first. */
  private readonly sizes: number[];
  private readonly spacing: number;
  private readonly levels = new ListLevels();
  /** x coordinates of the items of the open list, by level. */
  private places: number[] = [];
  /** Last number with its mark, by list level; undefined for bullets. */
  private numbers: (string | undefined)[] = [];
  private readonly isMostlyBold: boolean;
  private isAside = false;
  /** Whether headings are tagged, so that large letters alone make none. */
  private readonly hasTaggedHeadings: boolean;
  private open: { lines: string[]; rows: string[][]; kind: string; last: TextLine } | null = null;

  constructor(
    lines: readonly TextLine[],
    private readonly hyphens: Hyphens,
  ) {
    this.body = mostOf(lines.map(({ size, text }) => [rounded(size), text.length]));
    this.hasTaggedHeadings = lines.some(({ tag }) => tag?.what === 'heading');
    const larger = lines.filter((line) => this.isHeading(line)).map(({ size }) => rounded(size));
    this.sizes = [...new Set(larger)].sort((a, b) => b - a);
    const gaps = lines.flatMap((line, i): [number, number][] => {
      const gap = (lines[i - 1]?.y ?? 0) - line.y;
      return rounded(line.size) === this.body && gap > 0 && gap < this.body * 2.5 ? [[rounded(gap), 1]] : [];
    });
    this.spacing = mostOf(gaps) || this.body * 1.2;
    this.isMostlyBold = mostOf(lines.map(({ bold, text }) => [Number(bold), text.length])) === 1;
  }

  /** Marks where a page begins and lists what is omitted from it. */
  page(number: number, leftOut: readonly string[]): void {
    this.blocks.push(pageMark(number, leftOut));
  }

  /**
   * Writes a group of lines; no block continues beyond its end.
   *
   * @param isAside whether it runs in another direction than the page: labels and stamps, which are no headings
   */
  part(lines: readonly TextLine[], isAside: boolean): void {
    this.isAside = isAside;
    lines.forEach((line, at) => {
      if (line.picture !== undefined) this.picture(line.picture);
      else if (line.row) this.row(line, line.row);
      else if (this.isBoldHeading(line, lines[at - 1], lines[at + 1])) this.heading(line, true);
      else this.line(line);
    });
    this.end();
    this.places = [];
  }

  private picture(markdown: string): void {
    this.end();
    this.blocks.push(markdown);
  }

  private row(line: TextLine, { cells, table }: NonNullable<TextLine['row']>): void {
    const kind = `table ${table}`;
    if (this.open?.kind !== kind) this.start(kind, line, '');
    this.open?.rows.push(cells.map(escapeInline));
    this.places = [];
  }

  private line(line: TextLine): void {
    const item = ITEM.exec(line.text);
    if (line.tag && this.tagged(line, line.tag, item)) return;
    if (this.isHeading(line)) return this.heading(line);
    if (item) return this.item(line, item);
    if (this.open && GOES_ON.has(this.open.kind) && this.follows(line, this.open.last)) {
      this.goOn(this.open.lines, line.text);
      this.open.last = line;
      return;
    }
    this.start('text', line, line.text);
    this.places = [];
  }

  /** Writes a line by its tag; returns false for text, because the layout may say more about it. */
  private tagged(line: TextLine, tag: Tag, item: RegExpExecArray | null): boolean {
    const { open } = this;
    const goesOn = open !== null && open.last.tag === tag;
    if (goesOn || (tag.what === 'more' && open?.kind === 'items')) {
      this.goOn(open!.lines, line.text);
      open!.last = line;
    } else if (tag.what === 'item' && (item || open || this.blocks.length === 0))
      // Without a marker, the first text of a page continues an item of the previous page.
      this.item(line, item ?? UNMARKED.exec(line.text)!, tag.level);
    else if (tag.what === 'heading') this.start('heading', line, line.text);
    else if (item || tag.what === 'item' || this.isHeading(line)) return false;
    else this.start('text', line, line.text);
    return true;
  }

  /** Appends a line to a paragraph and joins a word hyphenated at the previous line's end. */
  private goOn(lines: string[], text: string): void {
    const joined = this.hyphens.join(lines.at(-1) ?? '', text);
    if (joined) lines[lines.length - 1] = joined[0];
    const rest = joined ? joined[1] : text;
    if (rest !== '') lines.push(rest);
  }

  finish(): string {
    return withMarkup(`${this.blocks.join('\n\n')}\n`);
  }

  private heading(line: TextLine, isBold = false): void {
    const { open } = this;
    const kind = isBold ? 'bold heading' : 'heading';
    const goesOn = open?.kind === kind && rounded(open.last.size) === rounded(line.size);
    if (open && goesOn && open.last.y - line.y < line.size * 1.6 && open.last.y > line.y) {
      open.lines.push(line.text);
      open.last = line;
    } else this.start(kind, line, line.text);
    this.places = [];
  }

  private item(line: TextLine, match: RegExpExecArray, tagged?: number): void {
    const continues = this.open?.kind === 'items';
    const level = tagged ?? this.levelOf(line.x);
    if (!continues) this.numbers = [];
    if (continues && !this.counts(level, match[3])) {
      this.start('text', line, line.text);
      this.places = [];
      return;
    }
    this.numbers = [...this.numbers.slice(0, level), match[3]];
    const box = match[2] === undefined ? '' : match[2] === '☐' ? '[ ] ' : '[x] ';
    const marker = match[3] ?? '-';
    const prefix = this.levels.prefix(level, marker, continues);
    const text = prefix + box + escapeLineStart(escapeInline(line.text.slice(match[0].length).trim()));
    if (!continues || !this.open) this.start('items', line, '');
    // The items of a list form one block; continuation lines are indented to the item's text.
    if (this.open) {
      this.open.lines.push(text);
      this.open.last = line;
    }
  }

  /**
   * Returns whether Markdown would show this number: it numbers items itself, and inside a paragraph a list
   * must start at 1.
   */
  private counts(level: number, mark: string | undefined): boolean {
    if (mark === undefined) return true;
    const before = this.numbers[level];
    if (before === undefined) return /^1[.)]$/.test(mark);
    return Number.parseInt(before) + 1 === Number.parseInt(mark) && before.at(-1) === mark.at(-1);
  }

  private levelOf(x: number): number {
    const near = this.places.findIndex((place) => Math.abs(place - x) < this.body * 0.6);
    const level = near >= 0 ? near : this.places.filter((place) => place < x).length;
    this.places = [...this.places.slice(0, level), x];
    return level;
  }

  private start(kind: string, line: TextLine, text: string): void {
    this.end();
    this.open = { kind, last: line, lines: text === '' ? [] : [text], rows: [] };
  }

  private end(): void {
    const { open } = this;
    this.open = null;
    if (open && open.rows.length > 0) this.blocks.push(tableLines(open.rows).join('\n'));
    if (!open || open.lines.length === 0) return;
    if (open.kind === 'items') this.blocks.push(open.lines.map(indented).join('\n'));
    else if (open.kind.endsWith('heading')) {
      // Bold lines of the text's own size are headings of the lowest level.
      const place = open.kind === 'heading' ? this.sizes.indexOf(rounded(open.last.size)) : this.sizes.length;
      const level =
        open.last.tag?.what === 'heading' ? open.last.tag.level : Math.min(DEEPEST_HEADING, place + 1);
      const words = open.lines.map((text) => text.trim()).join(' ');
      this.blocks.push(`${'#'.repeat(Math.max(1, level))} ${escapeInline(words)}`);
    } else this.blocks.push(escapeText(open.lines.join('\n')));
  }

  private isHeading({ size, text, tag }: TextLine): boolean {
    if (this.isAside) return false;
    if (tag && this.hasTaggedHeadings) return tag.what === 'heading';
    return size >= this.body * HEADING && text.length <= LONGEST_HEADING && canBeTitle(text);
  }

  /**
   * Returns whether a line is bold, alone on its baseline, of text size, after a paragraph's end and above
   * text not in bold.
   */
  private isBoldHeading(line: TextLine, before: TextLine | undefined, after: TextLine | undefined): boolean {
    const { text, bold, size, tag } = line;
    if (this.isAside || (tag && this.hasTaggedHeadings)) return false;
    if (!bold || !after || after.bold || after.row || text.length > LONGEST_BOLD || ITEM.test(text))
      return false;
    const isOfText =
      !this.isHeading(line) &&
      canBeTitle(text) &&
      rounded(size) >= this.body &&
      /^[\p{L}\p{N}]/u.test(text) &&
      !/[.,;:]\s*$/.test(text);
    const isApart =
      before === undefined ||
      before.y < line.y ||
      before.y - line.y > this.spacing * APART ||
      /[.:!?]\s*$/.test(before.text);
    return isOfText && isApart && !this.isMostlyBold && after.y < line.y;
  }

  private follows(line: TextLine, last: TextLine): boolean {
    const gap = last.y - line.y;
    // The continuation of an item is aligned with its text.
    if (this.open?.kind === 'items' && line.x < (this.places.at(-1) ?? 0) + this.body * 0.4) return false;
    // The next column begins further up.
    if (gap <= 0) return line.x > last.x;
    return gap <= this.spacing * APART && Math.abs(line.size - last.size) < this.body * 0.2;
  }
}

const piecesOf = (lines: readonly TextLine[]): TextPiece[] => lines.flatMap(({ pieces }) => pieces);
const hasWords = ({ text }: TextLine): boolean => text.trim() !== '';

/** Indents continuation lines of an item to its text. */
function indented(line: string, index: number, lines: readonly string[]): string {
  if (OWN_ITEM.test(line)) return line;
  const item = lines.slice(0, index).findLast((before) => OWN_ITEM.test(before)) ?? '';
  const width = OWN_ITEM.exec(item)?.[0].length ?? 0;
  return ' '.repeat(width) + escapeText(line);
}

function rounded(points: number): number {
  return Math.round(points * 2) / 2;
}

/** Returns the value with the largest sum of weights; 0 without values. */
function mostOf(weighted: readonly (readonly [number, number])[]): number {
  const sums = new Map<number, number>();
  for (const [value, weight] of weighted) sums.set(value, (sums.get(value) ?? 0) + weight);
  return [...sums].reduce((best, entry) => (entry[1] > best[1] ? entry : best), [0, 0] as const)[0];
}

/** Height of the areas for headers and footers, relative to the page height. */
const EDGE = 0.11;
/** Share of the pages on which a line must recur to be a header or footer. */
const ON_PAGES = 0.5;
/** Number of texts beside a line that are no header or footer, from which on it is a cell of a row. */
const LEAST_CELLS = 2;

/** Lines of a page. */
interface PageLines {
  /** Lines of the page's own text. */
  own: TextLine[];
  /** Lines of the running header and footer. */
  running: TextLine[];
}

/**
 * Separates headers and footers, including page numbers: lines with the same text, ignoring numbers, at the
 * same place on most pages. In documents of fewer than three pages none are detected, and none if no other line were left.
 */
function partRunning(pages: readonly { page: PdfPage; lines: TextLine[] }[]): PageLines[] {
  const counts = new Map<string, Set<number>>();
  pages.forEach(({ page, lines }, number) => {
    for (const key of lines.flatMap((line) => keysOf(line, page)))
      counts.set(key, (counts.get(key) ?? new Set()).add(number));
  });
  const least = Math.max(3, pages.length * ON_PAGES);
  const recurs = (line: TextLine, page: PdfPage): boolean =>
    keysOf(line, page).some((key) => (counts.get(key)?.size ?? 0) >= least);
  const parted = pages.map(({ page, lines }) => {
    const recurring = new Set(lines.filter((line) => recurs(line, page)));
    const others = lines.filter((line) => !recurring.has(line)).map(({ y }) => Math.round(y));
    const runs = (line: TextLine): boolean =>
      recurring.has(line) && others.filter((y) => y === Math.round(line.y)).length < LEAST_CELLS;
    return { own: lines.filter((line) => !runs(line)), running: lines.filter(runs) };
  });
  return parted.some(({ own }) => own.length > 0)
    ? parted
    : pages.map(({ lines }) => ({ own: lines, running: [] }));
}

/** Returns keys of text without numbers plus height; empty for a line outside the header and footer areas. */
function keysOf({ text, y }: TextLine, { height }: PdfPage): string[] {
  if (y > height * EDGE && y < height * (1 - EDGE)) return [];
  const words = singleSpaced(text.trim().replace(/\d+/g, '#'));
  const place = Math.round(y / 4);
  // Two roundings, so that nearly equal heights share at least one key.
  return [`${words} ${place}`, `${words} ${Math.round((y + 2) / 4)}+`];
}

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
class Hyphens {
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
