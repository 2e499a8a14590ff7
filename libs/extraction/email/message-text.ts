import { splitAtLineEnds, withLineFeeds, withoutByteOrderMark, withoutEnding } from '#contracts/text.js';
import { isImageName } from '#contracts/file-kinds.js';
import { percentDecoded } from '#contracts/lenient.js';
import { escapeText } from '#markdown/escape.js';
import { scanMarkdown } from '#markdown/scan/scan.js';
import { declaredEncoding, decodeLabelled } from '../declared-encoding.js';
import { EmbeddedImages } from '../embedded-images.js';
import { htmlText } from '../html/html.js';
import { fenceLines } from '../inline-text.js';
import { leftOutMark } from '../left-out.js';
import { isShown, shownWords } from '../same-words.js';
import type { MimePart } from './mime-tree.js';

/** Text of a message, and its attachments. */
interface MessageText {
  /** Markdown, one entry a block. */
  blocks: string[];
  attachments: MimePart[];
}

/** Heading above text that only the plain-text version of a message contains. */
const PLAIN_ONLY = '## Only in the plain text of this message';

/**
 * Returns the text of a message. If there are alternatives, uses the page, followed by text that only the plain-text
 * version contains. Comments name text between or after the parts, which mail programs hide.
 */
export function messageText(root: MimePart, images: EmbeddedImages): MessageText {
  const pictures = new MessagePictures(allParts(root));
  const text = readPart(root, pictures, images);
  const placed = pictures.placed(text.pages);
  return { blocks: text.blocks, attachments: text.attachments.filter((part) => !placed.has(part)) };
}

interface PartText extends MessageText {
  /** Pages among the text as they were sent, which may show pictures of other parts. */
  pages: string[];
}

function readPart(part: MimePart, pictures: MessagePictures, images: EmbeddedImages): PartText {
  if (part.children.length === 0) return readLeaf(part, pictures, images);
  const between = decodeLabelled(part.bytes, []).text.trim();
  const hidden = between === '' ? [] : [leftOutMark('words between the parts of the message', between)];
  const text =
    part.type === 'multipart/alternative'
      ? readAlternatives(part.children, pictures, images)
      : readAll(part.children, pictures, images);
  return { ...text, blocks: [...hidden, ...text.blocks] };
}

function readAll(parts: readonly MimePart[], pictures: MessagePictures, images: EmbeddedImages): PartText {
  const texts = parts.map((part) => readPart(part, pictures, images));
  return {
    blocks: texts.flatMap(({ blocks }) => blocks),
    attachments: texts.flatMap(({ attachments }) => attachments),
    pages: texts.flatMap(({ pages }) => pages),
  };
}

function readAlternatives(
  parts: readonly MimePart[],
  pictures: MessagePictures,
  images: EmbeddedImages,
): PartText {
  // The last alternative is the richest (RFC 2046), but pages of restricted kinds precede text/html.
  const byRichness = [...parts].reverse().sort((a, b) => Number(hasPage(b)) - Number(hasPage(a)));
  let chosen: PartText = { blocks: [], attachments: [], pages: [] };
  const others: MimePart[] = [];
  for (const part of byRichness) {
    if (chosen.blocks.length === 0) {
      const { attachments } = chosen;
      const text = readPart(part, pictures, images);
      chosen = { ...text, attachments: [...attachments, ...text.attachments] };
    } else others.unshift(part);
  }
  const shown = shownWords(chosen.blocks.join('\n'), chosen.pages.join('\n'));
  for (const part of others) {
    const { attachments, blocks, pages } = readPart(part, pictures, new EmbeddedImages(''));
    chosen.attachments = [...chosen.attachments, ...attachments];
    const paragraphs = pages.length > 0 ? paragraphsOf(blocks.join('\n\n')) : plainParagraphs(part);
    const added = paragraphs.filter(({ words }) => !shown || words.some((line) => !isShown(line, shown)));
    if (added.length > 0) chosen.blocks.push(PLAIN_ONLY, bodyLines(added).join('\n'));
  }
  return chosen;
}

const isPage = ({ type, isAttachment }: MimePart) => type === 'text/html' && !isAttachment;
const isText = ({ type, isAttachment }: MimePart) => type === 'text/plain' && !isAttachment;
const hasPage = (part: MimePart): boolean => isPage(part) || part.children.some(hasPage);
const allParts = (part: MimePart): MimePart[] => [part, ...part.children.flatMap(allParts)];

const plainParagraphs = (part: MimePart) =>
  allParts(part)
    .filter(isText)
    .flatMap((each) => paragraphsOf(textOf(each).text, each.params));

function readLeaf(part: MimePart, pictures: MessagePictures, images: EmbeddedImages): PartText {
  const isBroken = part.type.startsWith('multipart/');
  if (isPage(part)) {
    const { text, blocks } = textOf(part);
    const page = htmlText(pictures.place(text, images), images);
    const lines = page.trim() === '' ? [] : [shiftHeadings(page, 1).join('\n').trim()];
    return { blocks: [...blocks, ...lines], attachments: [], pages: [text] };
  }
  if (!isText(part) && !isBroken) return { blocks: [], attachments: [part], pages: [] };
  const { text, blocks } = textOf(part);
  const lines = bodyLines(paragraphsOf(text, part.params));
  return {
    blocks: lines.length > 0 ? [...blocks, lines.join('\n')] : blocks,
    attachments: [],
    pages: [],
  };
}

/** Returns the text of a part, and the remark that its encoding was guessed. */
function textOf({ type, params, bytes }: MimePart): { text: string; blocks: string[] } {
  const declared = type === 'text/html' ? declaredEncoding(bytes) : undefined;
  const { text, guessed } = decodeLabelled(bytes, [params.charset, declared]);
  const words = withoutByteOrderMark(text);
  return { text: words, blocks: guessed === undefined ? [] : [guessedMark(params.charset, guessed)] };
}

/** Returns the remark that a part's encoding was guessed. */
export const guessedMark = (label: string | undefined, guessed: string): string =>
  leftOutMark(
    'certainty of the encoding',
    label === undefined
      ? `the part names none and was read as ${guessed}`
      : `the part names ${label}, which does not fit, and was read as ${guessed}`,
  );

/** Minimum width of automatically wrapped prose; breaks after shorter lines are intentional. */
const NARROWEST_WRAP = 60;

/** Wrapping of a message's plain text: the parameters `format` and `delsp` of its media type. */
interface TextFormat {
  format?: string;
  delsp?: string;
}

/** Lines of one paragraph, all of the same quote depth. */
interface Paragraph {
  depth: number;
  words: string[];
  /** Whether each break between the lines is intentional. */
  isFlowed: boolean;
}

/** Returns the paragraphs of plain text, which blank lines or another quote depth separate. */
function paragraphsOf(text: string, { format, delsp }: TextFormat = {}): Paragraph[] {
  const isFlowed = format?.toLowerCase() === 'flowed';
  const lines: QuotedLine[] = isFlowed
    ? flowedLines(text, delsp?.toLowerCase() === 'yes')
    : quotedLines(text);
  const found: Paragraph[] = [];
  let open: Paragraph | null = null;
  for (const { depth, text: line } of lines) {
    const words = line.trimEnd();
    if (words === '') {
      open = null;
      continue;
    }
    if (open === null || open.depth !== depth) found.push((open = { depth, words: [], isFlowed }));
    open.words.push(words);
  }
  return found;
}

/**
 * Returns paragraphs of an e-mail as Markdown: quoted lines become block quotes, automatically wrapped lines
 * become one paragraph, other line breaks are preserved, and text aligned with blanks goes into a code fence.
 */
function bodyLines(paragraphs: readonly Paragraph[]): string[] {
  const lines: string[] = [];
  for (const { depth, words, isFlowed } of paragraphs) {
    const marks = '> '.repeat(depth);
    const before = lines.at(-1);
    // Two paragraphs of one quote are separated by an empty quoted line.
    if (before !== undefined) lines.push(before.startsWith(marks) && depth > 0 ? marks.trim() : '');
    // A paragraph may have more lines than a call can have arguments.
    for (const line of paragraphLines(words, isFlowed)) lines.push((marks + line).trimEnd());
  }
  return lines;
}

function paragraphLines(words: string[], isFlowed: boolean): string[] {
  if (words.some((line) => /^\t| {3}|\S\t/.test(line))) return fenceLines(words.join('\n'), 'text');
  const lines = escapeText(words.join('\n')).split('\n');
  const longest = words.slice(0, -1).reduce((most, { length }) => Math.max(most, length), 0);
  const isWrapped = !isFlowed && longest >= NARROWEST_WRAP;
  return isWrapped ? lines : lines.map((line, index) => (index < lines.length - 1 ? `${line}\\` : line));
}

/** A line of a message without its quote marks. */
interface QuotedLine {
  /** Quote depth; 0 for the sender's own words. */
  depth: number;
  text: string;
}

const QUOTE_MARKS = /^(?:> ?)+/;

/** Returns the lines of plain text with their quote depths: `> > a` and `>> a` are two levels deep. */
function quotedLines(text: string): QuotedLine[] {
  return splitAtLineEnds(text).map((line) => {
    const marks = QUOTE_MARKS.exec(line)?.[0] ?? '';
    return { depth: marks.replaceAll(' ', '').length, text: line.slice(marks.length) };
  });
}

/**
 * Returns the lines of `format=flowed` text (RFC 3676): a line that ends in a blank continues in the next line
 * of the same quote depth. The signature's separator `-- ` does not.
 *
 * @param isDeleted whether the blank before a break is not part of the text (`DelSp=yes`)
 */
function flowedLines(text: string, isDeleted: boolean): QuotedLine[] {
  const lines: (QuotedLine & { pieces: string[] })[] = [];
  let isOpen = false;
  for (const { depth, text: words } of splitAtLineEnds(text).map(unstuffed)) {
    const last = lines.at(-1);
    const isSeparator = words === '-- ';
    const continues = isOpen && last !== undefined && last.depth === depth && !isSeparator;
    const flows = words.endsWith(' ') && !isSeparator;
    const piece = flows && isDeleted ? words.slice(0, -1) : words;
    if (continues) last.pieces.push(piece);
    else lines.push({ depth, text: '', pieces: [piece] });
    isOpen = flows;
  }
  return lines.map(({ depth, pieces }) => ({ depth, text: pieces.join('') }));
}

/** Removes the quote marks and the blank that the sender put before the text. */
function unstuffed(line: string): QuotedLine {
  // Blanks between the marks are not in the standard, but some programs write them.
  const marks = /^>(?: ?>)*/.exec(line)?.[0] ?? '';
  const text = line.slice(marks.length);
  return { depth: marks.replaceAll(' ', '').length, text: text.startsWith(' ') ? text.slice(1) : text };
}

const CONTENT_ID = /\bcid:([^\s"'<>)]{1,1000})/gi;
const SOURCE = /\bsrc\s{0,9}=\s{0,9}(["'])([^"'<>]{1,2000})\1/gi;

/** Pictures among the parts of a message, which its pages show by `cid:…` or by their addresses. */
class MessagePictures {
  private readonly byId = new Map<string, MimePart>();
  private readonly byPlace = new Map<string, MimePart>();

  constructor(parts: readonly MimePart[]) {
    for (const part of parts) {
      if (!part.type.startsWith('image/') && !isImageName(part.fileName)) continue;
      if (part.contentId !== '') this.byId.set(part.contentId, part);
      if (part.location !== '') this.byPlace.set(part.location, part);
    }
  }

  /** Replaces references of a page with the names of the pictures, which are added to `images`. */
  place(page: string, images: EmbeddedImages): string {
    const names = new Map<MimePart, string>();
    return this.replace(page, (part) => {
      const name = names.get(part) ?? encodeURI(images.add(part.bytes, endingOf(part)));
      names.set(part, name);
      return name.replaceAll('&', '&amp;');
    });
  }

  /** Returns the pictures that pages show. */
  placed(pages: readonly string[]): Set<MimePart> {
    const placed = new Set<MimePart>();
    for (const page of pages)
      this.replace(page, (part) => {
        placed.add(part);
        return '';
      });
    return placed;
  }

  private replace(page: string, nameOf: (part: MimePart) => string): string {
    const replaced = page.replace(CONTENT_ID, (reference, id: string) => {
      const part = this.byId.get(id) ?? this.byId.get(percentDecoded(id));
      return part === undefined ? reference : nameOf(part);
    });
    if (this.byPlace.size === 0) return replaced;
    return replaced.replace(SOURCE, (whole, quote: string, place: string) => {
      const part = this.byPlace.get(place);
      return part === undefined ? whole : `src=${quote}${nameOf(part)}${quote}`;
    });
  }
}

const endingOf = ({ type, fileName }: MimePart): string =>
  /\.([a-z0-9]{1,5})$/i.exec(fileName)?.[1] ??
  withoutEnding(type.slice('image/'.length).replace(/^jpeg$/, 'jpg'), '+xml');

/**
 * Returns the lines of Markdown with headings lowered by `by` levels, at most to level 6, to fit below a
 * parent heading.
 */
export function shiftHeadings(markdown: string, by: number): string[] {
  const lines = withoutEnding(withLineFeeds(markdown), '\n').split('\n');
  const { lines: scanned } = scanMarkdown(lines);
  return lines.map((line, index) => {
    const { kind, level, quotes, lists } = scanned[index]!;
    if (kind !== 'heading' || quotes + lists > 0) return line;
    return line.replace(/#+/, '#'.repeat(Math.min(6, level + by)));
  });
}
