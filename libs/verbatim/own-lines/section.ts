import { oneLine } from '#contracts/text.js';
import type { ScannedLine } from '#markdown/scan/scan.js';
import type { ManuscriptState, SourceState } from '../match/state.js';
import { occursIn } from '../source/occurs.js';
import type { Counted } from './vocabulary.js';

const isHeading = ({ kind }: ScannedLine) => kind === 'heading' || kind === 'setext';

/** Marks of Markdown that a heading and the line that it quotes need not share. */
const MARKS = /[*_`\\]/g;
const plain = (text: string) => oneLine(text.replace(MARKS, '')).toLowerCase();

/** Characters that belong to the number which they precede or follow. */
const BEFORE_NUMBER = /[-−+±~<>≤≥.,:/]$/;
const AFTER_NUMBER = /^(?:[.,:/]\d|\s?[%‰])/;

/** Lines that follow a line of the manuscript, up to the end of its section, with what they carry of the sources. */
export class Sections {
  private sourceAt: Map<number, number> | null = null;
  private readonly scanned: ScannedLine[];

  constructor(
    private readonly manuscript: ManuscriptState,
    private readonly states: readonly SourceState[],
  ) {
    this.scanned = manuscript.text.scanned;
  }

  /** Returns whether the section below a line has anything but headings and introductions of the manuscript's own. */
  hasContent(line: number): boolean {
    for (let at = line + 1; at < this.endOf(line); at++) {
      const { kind, text } = this.scanned[at]!;
      if (this.manuscript.isClaimed(at)) return true;
      if (kind === 'code' || kind === 'table' || (kind === 'prose' && !text.trimEnd().endsWith(':')))
        return true;
    }
    return false;
  }

  /** Returns whether one line below, carried from a source, contains the text as an unbroken run of words. */
  quotes(text: string, line: number): boolean {
    return this.carriedLines(line).some((own) => quotesLine(text, own));
  }

  /** Returns whether a line below contains a date or time. */
  hasTime(time: string, line: number): boolean {
    return this.carriedLines(line).some((own) => occursIn(time, own));
  }

  /** Returns the numbers that may be given for a kind of material at a line: in its section, up to the next heading, and in all. */
  counts(counted: Counted, line: number): ReadonlySet<number> {
    const end = this.endOf(line);
    const next = this.nextHeading(line, end);
    const ranges = [this.scanned.slice(line + 1, end), this.scanned.slice(line + 1, next)];
    const files = [line + 1, next, end].flatMap((to) => this.sourcesIn(line + 1, to).size);
    const allFiles = [...files, this.states.length];
    switch (counted) {
      case 'file':
        return new Set(allFiles);
      case 'line':
        return new Set([...this.blockLengths(line, next), ...this.sourceLines(line, end)]);
      case 'row':
        return new Set([
          ...this.blockLengths(line, next),
          ...ranges.flatMap((lines) => [rowsOf(lines), lines.filter(({ marker }) => marker !== '').length]),
        ]);
      case 'heading':
        return new Set(ranges.map((lines) => lines.filter(isHeading).length));
      case 'table':
        return new Set(ranges.map((lines) => lines.filter(({ kind }) => kind === 'delimiter').length));
      case 'picture':
        return new Set(ranges.map((lines) => lines.filter(({ text }) => text.includes('![')).length));
      case 'block':
        return new Set([
          ...allFiles,
          ...ranges.map((lines) => lines.filter(({ kind }) => kind === 'fence_open').length),
        ]);
    }
  }

  /** Returns the line after the section of a heading, or of the heading above any other line. */
  private endOf(line: number): number {
    let at = line;
    while (at >= 0 && !isHeading(this.scanned[at]!)) at--;
    const level = this.scanned[at]?.level ?? 0;
    return this.nextHeading(line, this.scanned.length, level);
  }

  /** Returns the next heading of a level or a higher one; the end if there is none before it. */
  private nextHeading(line: number, end: number, level = 6): number {
    for (let at = line + 1; at < end; at++) {
      const own = this.scanned[at]!;
      // Each line of a heading that is underlined has its kind.
      if (isHeading(own) && own.level <= level && this.scanned[at - 1]?.kind !== 'setext') return at;
    }
    return end;
  }

  private carriedLines(line: number): string[] {
    const found: string[] = [];
    const end = this.endOf(line);
    for (let at = line + 1; at < end; at++)
      if (this.manuscript.isClaimed(at)) found.push(this.manuscript.text.lines[at]!);
    return found;
  }

  private sourcesIn(from: number, to: number): Set<number> {
    this.sourceAt ??= new Map(
      this.states.flatMap(({ manuscriptLine }, index) =>
        Array.from(manuscriptLine, (line) => [line, index] as const),
      ),
    );
    const found = new Set<number>();
    for (let at = from; at < to; at++) {
      const source = this.sourceAt.get(at);
      if (source !== undefined) found.add(source);
    }
    return found;
  }

  /** Returns the lengths of the paragraphs, code blocks and tables up to a line, and of all together. */
  private blockLengths(line: number, end: number): number[] {
    const lengths: number[] = [];
    let length = 0;
    const isBorder = (kind: ScannedLine['kind']) =>
      kind === 'blank' || kind === 'fence_open' || kind === 'fence_close';
    for (let at = line + 1; at < end; at++) {
      if (!isBorder(this.scanned[at]!.kind)) length++;
      else if (length > 0) {
        lengths.push(length);
        length = 0;
      }
    }
    return [...lengths, length];
  }

  /** Returns the line numbers of the first and last source lines below, and the lengths of their sources. */
  private sourceLines(line: number, end: number): number[] {
    return [...this.sourcesIn(line + 1, end)].flatMap((index) => {
      const { manuscriptLine, source } = this.states[index]!;
      const isBelow = (at: number) => at > line && at < end;
      const first = manuscriptLine.findIndex(isBelow) + 1;
      const last = manuscriptLine.findLastIndex(isBelow) + 1;
      return [first, last, source.lines.length];
    });
  }
}

const rowsOf = (lines: readonly ScannedLine[]): number => {
  const count = (kind: ScannedLine['kind']) => lines.filter((line) => line.kind === kind).length;
  return Math.max(0, count('table') - count('delimiter'));
};

/** Returns whether a line contains a text as an unbroken run of words, whatever their marks and letter case. */
export function quotesLine(text: string, line: string): boolean {
  const run = plain(text);
  return run !== '' && hasRun(plain(line), run);
}

/** Returns whether a line contains a run of words that neither starts nor ends within a word or number. */
function hasRun(line: string, run: string): boolean {
  for (let at = line.indexOf(run); at >= 0; at = line.indexOf(run, at + 1)) {
    const [before, after] = [line.slice(0, at), line.slice(at + run.length)];
    const isWhole = !/[\p{L}\p{N}]$/u.test(before) && !/^[\p{L}\p{N}]/u.test(after);
    const cutsNumber =
      (/^\d/.test(run) && BEFORE_NUMBER.test(before)) || (/\d$/.test(run) && AFTER_NUMBER.test(after));
    if (isWhole && !cutsNumber) return true;
  }
  return false;
}
