import type { Attachment } from 'postal-mime';
import { escapeInline } from '#markdown/escape.js';
import type { EmbeddedImages } from '../embedded-images.js';
import { ExtractionError } from '../errors.js';
import type { ExtractedText } from '../extract.js';
import { isImageName, isSourceName } from '../file-kinds.js';
import { fenceLines, imageMarkdown } from '../inline-text.js';
import { shiftHeadings } from './shift-headings.js';

/** @throws ExtractionError if the attachment contains no text */
export type ReadAttachment = (bytes: Uint8Array, name: string) => Promise<ExtractedText>;

/** File extensions for parts without a name, by media type. */
const ENDINGS: Record<string, string> = {
  'message/rfc822': 'eml',
  'text/plain': 'txt',
  'text/html': 'html',
  'text/calendar': 'ics',
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/gif': 'gif',
};
/** Formats whose extracted text is Markdown. */
const MARKDOWN = new Set('docx rtf odt ods odp xlsx pptx epub pdf html ipynb eml srt vtt'.split(' '));

/** Returns the text of an attachment below a heading with its name, or the reason why it is not carried. */
export async function attachmentLines(
  attachment: Attachment,
  images: EmbeddedImages,
  read: ReadAttachment,
): Promise<string[]> {
  const bytes = bytesOf(attachment);
  const name = nameOf(attachment);
  const title = `## Attachment: ${escapeInline(name)}`;
  return [title, '', ...(await contentLines(bytes, name, attachment.mimeType, images, read))];
}

async function contentLines(
  bytes: Uint8Array,
  name: string,
  mimeType: string,
  images: EmbeddedImages,
  read: ReadAttachment,
): Promise<string[]> {
  if (isImageName(name)) return [imageMarkdown(images.add(bytes, endingOf(name)), name)];
  const size = `${bytes.length.toLocaleString('en-US')} bytes`;
  if (!isSourceName(name))
    return [escapeInline(`Not carried: it is neither text nor a picture (${mimeType}, ${size}).`)];
  try {
    const { text, format } = await read(bytes, name);
    const isMarkdown = MARKDOWN.has(format) || /^(?:md|markdown)$/.test(endingOf(name));
    if (isMarkdown) return shiftHeadings(text, 2);
    return fenceLines(text.replace(/\r\n?/g, '\n').replace(/\n$/, ''), languageOf(name));
  } catch (error) {
    if (!(error instanceof ExtractionError)) throw error;
    return [escapeInline(`Not carried (${mimeType}, ${size}): ${error.message}`)];
  }
}

function nameOf({ filename, mimeType }: Attachment): string {
  const name = (filename ?? '').replace(/\s+/g, ' ').trim();
  return name === '' ? `unnamed.${ENDINGS[mimeType] ?? 'bin'}` : name;
}

function bytesOf({ content }: Attachment): Uint8Array {
  return typeof content === 'string' ? new TextEncoder().encode(content) : new Uint8Array(content);
}

const endingOf = (name: string) => /\.([a-z0-9]+)$/i.exec(name)?.[1]?.toLowerCase() ?? '';

const languageOf = (name: string) => endingOf(name).replace(/^txt$/, '') || 'text';
