import { declaredEncoding, decodeLabelled } from '../declared-encoding.js';
import { EmbeddedImages } from '../embedded-images.js';
import { htmlText } from '../html/html.js';
import { leftOutMark } from '../left-out.js';
import { isShown, shownWords } from '../same-words.js';
import { bodyLines, paragraphsOf } from './body.js';
import type { MimePart } from './mime-tree.js';
import { MessagePictures } from './pictures.js';
import { shiftHeadings } from './shift-headings.js';

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
  const words = text.replace(/^\uFEFF/, '');
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
