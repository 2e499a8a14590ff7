import { withoutEnding, withoutLineEnd } from '#contracts/text.js';
import { canBeTitle } from '#markdown/title.js';
import { trimBlanks } from '#markdown/trim.js';
import { scanPlainText } from '#verbatim/source/plain-text.js';
import { detectLanguage } from '../sources/kind.js';
import { isFaithful, LIST_ITEM } from './dialect.js';
import { chooseFence, continueFence, endsLine } from './code.js';
import { chapterLine } from './headings.js';
import { MAX_BLOCK_LENGTH, type Written } from './writer.js';

export interface NotesState {
  kind: 'notes';
  title: string;
  begun: boolean;
  /** Code fence left open at the end of the last stretch, with its language. */
  open: { fence: string; language: string } | null;
  /** Levels of the chapter's heading and of the last one. */
  chapter: number;
  level: number;
}

/**
 * Lines between blank lines, with the preceding blank lines; `text` is from the first line to the end of the
 * last.
 */
interface Block {
  before: string;
  text: string;
  prose: boolean;
  /** Whether it is a code fence of the source, which is kept as one. */
  fence: boolean;
  /** Text and level of an underlined line. */
  heading: { text: string; level: number } | null;
  end: number;
}

/**
 * Carries plain-text notes block by block: prose that Markdown shows as written stays prose, everything else
 * is fenced, and adjacent blocks share a code fence. No line changes.
 */
export function writeNotes(
  state: NotesState,
  text: string,
  last: boolean,
  isTooHard: boolean,
): Written<NotesState> {
  const { blocks, after } = readBlocks(text, last, isTooHard);
  const used = blocks.at(-1)?.end ?? 0;
  if (used === 0 && !last)
    return text.length < MAX_BLOCK_LENGTH
      ? { markdown: '', consumed: 0, state }
      : writeLongBlock(state, text);
  const [first, ...others] = blocks;
  const title = first !== undefined && !state.begun ? titleOf(first, others, last) : null;
  const out = new NotesOutput(title === null ? state : { ...state, title }, last);
  const rest = markSections(title === null ? blocks : others);
  for (const index of rest.keys()) out.add(rest, index);
  if (last && !state.begun && blocks.length === 0) out.line('The file is empty.');
  return { markdown: out.finish(after), consumed: last ? text.length : used, state: out.state() };
}

function titleOf(first: Block, others: Block[], last: boolean): string | null {
  // Notes without a line of prose are fenced as a whole, including their first line.
  if (last && !others.some((block) => block.prose)) return null;
  const title = first.heading?.text ?? (others.length > 0 && isTitle(first) ? first.text.trim() : '');
  return canBeTitle(title) ? title : null;
}

const SECTION = /^\p{Lu}[\p{L}\p{N}'’-]*(?: [\p{L}\p{N}'’-]+){0,4}$/u;

/** Turns short lines with text below into section headings if there are at least two of them. */
function markSections(blocks: Block[]): Block[] {
  const isShort = (block: Block | undefined): boolean =>
    block !== undefined && block.prose && SECTION.test(block.text.trim());
  const sections = blocks.filter(
    (block, index) => isShort(block) && index + 1 < blocks.length && !isShort(blocks[index + 1]),
  );
  if (sections.length < 2) return blocks;
  return blocks.map((block) =>
    sections.includes(block) ? { ...block, heading: { text: block.text.trim(), level: 1 } } : block,
  );
}

/** Writes the complete lines of an extremely long block into a code fence. */
function writeLongBlock(state: NotesState, text: string): Written<NotesState> {
  const end = text.lastIndexOf('\n') + 1;
  if (end === 0) return { markdown: '', consumed: 0, state };
  const out = new NotesOutput(state, false);
  const block = { before: '', text: text.slice(0, end), ...UNREAD, end };
  out.add([block], 0);
  return { markdown: out.finish(''), consumed: end, state: out.state() };
}

/**
 * Returns the complete blocks: those followed by a blank line or the end of the file. `after` are the blank
 * lines at the end of the file. Blank lines inside a code fence separate nothing.
 */
function readBlocks(text: string, last: boolean, isTooHard: boolean): { blocks: Block[]; after: string } {
  const blocks: Block[] = [];
  const lines = text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
  let offset = 0;
  let before = '';
  let body: string[] = [];
  // Logs and lists repeat blocks, and parsing even a short one is slow.
  const known = new Map<string, Reading>();
  const fences = isTooHard ? [] : scanPlainText(lines.map(withoutLineEnd)).fences;
  const fenceAt = new Map(fences.map((fence) => [fence.line, fence]));
  let fence = 0;
  /** @param line number of the block's last line */
  const readBlock = (block: string, line: number): Reading => {
    const whole = fenceAt.get(line - body.length + 1);
    const isFence = whole?.closedBy === 'fence' && whole.lastLine === line;
    if (isFence && FENCE.test(withoutLineEnd(body[0] ?? ''))) return { ...UNREAD, fence: true };
    const read = known.get(block) ?? classify(body);
    known.set(block, read);
    return read;
  };
  const flush = (end: number, line: number): void => {
    if (body.length === 0) return;
    const block = body.join('');
    const read = isTooHard ? UNREAD : readBlock(block, line);
    blocks.push({ before, text: block, ...read, end });
    before = '';
    body = [];
  };
  for (const [index, line] of lines.entries()) {
    while (index + 1 > (fences[fence]?.lastLine ?? Infinity)) fence += 1;
    const isInside = index + 1 > (fences[fence]?.line ?? Infinity);
    const blank = !isInside && /^[ \t]*\r?\n?$/.test(line) && (line.endsWith('\n') || last);
    if (blank) {
      flush(offset, index);
      before += line;
    } else body.push(line);
    offset += line.length;
  }
  if (last) flush(offset, lines.length);
  return { blocks, after: last ? before : '' };
}

type Reading = Pick<Block, 'prose' | 'fence' | 'heading'>;
const UNREAD: Reading = { prose: false, fence: false, heading: null };

/** The first line of a code fence without attributes, which would be lost. */
const FENCE = /^(?:`{3,}|~{3,})[\w+.#-]*[ \t]*$/;

function classify(body: string[]): Reading {
  const lines = body.map(withoutLineEnd);
  const [first = '', second = ''] = lines;
  const underline = lines.length === 2 ? /^(?:=+|-+)[ \t]*$/.exec(second)?.[0] : undefined;
  const text = trimBlanks(first);
  if (underline !== undefined && underline.length > 2 && !isIndented(first) && isFaithful([text])) {
    return { prose: true, fence: false, heading: { text, level: underline.startsWith('=') ? 1 : 2 } };
  }
  return { ...UNREAD, prose: isProse(lines) };
}

/** Returns whether a first block is a title: one short line without a final punctuation mark. */
function isTitle({ text, prose }: Block): boolean {
  const line = text.trim();
  return (
    prose &&
    !line.includes('\n') &&
    line.length <= 80 &&
    /^[\p{L}\p{N}].*[^.?!:;,]$/u.test(line) &&
    !LIST_ITEM.test(line)
  );
}

/** Returns whether Markdown reads a line as indented code. */
const isIndented = (line: string): boolean => /^ {4}|^ *\t/.test(line);

function isProse(lines: string[]): boolean {
  if (lines.some(isIndented) || isAligned(lines) || !isFaithful(lines)) return false;
  const lead = leadOf(lines);
  return (isWrapped(lead) || lead.every(isSentence)) && detectLanguage(lead.join('\n')) === null;
}

/** Gaps within a line that align words; two spaces after a sentence or a list marker are a typing habit. */
const GAP = /[^\s.?!:;] {2,}\S|\S {3,}\S/;

/**
 * Returns whether lines have columns, which need a fixed-width font. A single gap of two spaces counts as a
 * typing error; three spaces never do.
 */
function isAligned(lines: string[]): boolean {
  const texts = lines.map((line) => line.replace(LIST_ITEM, ''));
  return texts.some((text) => /\S {3,}\S/.test(text)) || texts.filter((text) => GAP.test(text)).length > 1;
}

/** Returns the lines before the first item of a list. */
function leadOf(lines: string[]): string[] {
  const item = lines.findIndex((line) => LIST_ITEM.test(line));
  return item < 0 ? lines : lines.slice(0, item);
}

/** Returns whether a line begins with a capital letter and ends as a sentence does, as in minutes and chats. */
const isSentence = (line: string): boolean => /^["'„“«(]?\p{Lu}.*[.?!…]["'“”»)]?$/u.test(line.trim());

/** Minimum width of wrapped prose; breaks after shorter lines are intended. */
const NARROWEST_WRAP = 60;

/**
 * Returns whether all line breaks come from wrapping: the next word would not have fitted. Other breaks are
 * intended and must be kept.
 */
function isWrapped(lines: string[]): boolean {
  const width = widthOf(lines);
  return lines.every(
    (line, index) => lines[index + 1] === undefined || wraps(line, lines[index + 1]!, width),
  );
}

const widthOf = (lines: string[]): number => lines.reduce((width, line) => Math.max(width, line.length), 0);

/** Returns whether the first word of the next line would not have fitted on a line. */
function wraps(line: string, next: string, width: number): boolean {
  const word = next.trim().split(/\s/, 1)[0]?.length ?? 0;
  return width >= NARROWEST_WRAP && line.length + 1 + word > width * 0.85;
}

/** Keeps the intended breaks between sentences, and those between an item of a list and a capital letter below it, as in minutes. */
function withBreaks(text: string): string {
  const lines = text.split('\n');
  const width = widthOf(lines);
  const lead = leadOf(lines);
  const isSeparate = !isWrapped(lead);
  const isApart = (line: string, above: string, index: number) =>
    LIST_ITEM.test(above)
      ? /^\p{Lu}/u.test(line) && !LIST_ITEM.test(line) && !wraps(above, line, width)
      : isSeparate && index + 1 < lead.length;
  return lines
    .map((line, index) => (isApart(lines[index + 1] ?? '', line, index) ? `${line.trimEnd()}  ` : line))
    .join('\n');
}

class NotesOutput {
  private out = '';
  private open: NotesState['open'];
  private level: number;

  constructor(
    private readonly from: NotesState,
    private readonly last: boolean,
  ) {
    this.open = from.open;
    this.level = from.level;
    if (!from.begun) this.out = `${chapterLine(from)}\n`;
  }

  line(text: string): void {
    this.out += `${this.out === '' ? '' : '\n'}${text}\n`;
  }

  /** @param blocks the block at `index` and those after it, which the fence that it opens will contain */
  add(blocks: Block[], index: number): void {
    const block = blocks[index]!;
    if (block.heading !== null) {
      this.close();
      this.level = Math.min(block.heading.level + this.from.chapter, this.level + 1, 6);
      return this.line(`${'#'.repeat(this.level)} ${block.heading.text}`);
    }
    if (block.prose || block.fence) {
      this.close();
      const text = withoutEnding(block.text.replaceAll('\r\n', '\n'), '\n');
      this.line(block.prose ? withBreaks(text) : text);
      return;
    }
    const content = (this.open === null ? '' : block.before) + block.text;
    if (this.open === null) this.begin(blocks, index);
    else {
      const { markdown, fence } = continueFence(content, this.open.fence, this.open.language, this.last);
      this.out += markdown;
      this.open = { ...this.open, fence };
      return;
    }
    this.out += content;
  }

  private begin(blocks: Block[], from: number): void {
    let to = from;
    while (to < blocks.length && !blocks[to]?.prose && !blocks[to]?.fence) to += 1;
    const group = blocks.slice(from, to);
    const content = group.map((block, index) => (index === 0 ? '' : block.before) + block.text).join('');
    const language = detectLanguage(content) ?? 'text';
    this.open = { fence: chooseFence(content, to < blocks.length || this.last), language };
    this.line(`${this.open.fence}${language}`);
  }

  private close(): void {
    if (this.open === null) return;
    this.out += `${endsLine(this.out) ? '' : '\n'}${this.open.fence}\n`;
    this.open = null;
  }

  /** @param after blank lines at the end of the file; those after a fenced block belong to it */
  finish(after: string): string {
    if (this.open !== null) this.out += after;
    if (this.last) this.close();
    return this.out;
  }

  state(): NotesState {
    return { ...this.from, begun: true, open: this.open, level: this.level };
  }
}
