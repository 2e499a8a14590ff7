import { isHtmlFile, oneLine, withLineFeeds, withoutEnding } from '#contracts/text.js';
import { type Address, addressParser, decodeWords, type Email } from 'postal-mime';
import { isImageName, isSourceName, isTextName } from '#contracts/file-kinds.js';
import { phrase } from '#contracts/phrases/phrase.js';
import { escapeInline } from '#markdown/escape.js';
import { declaredEncoding, decodeLabelled } from '../declared-encoding.js';
import type { EmbeddedImages } from '../embedded-images.js';
import { detectEncoding } from '../encoding.js';
import { ExtractionError } from '../errors.js';
import type { ExtractedText } from '../extracted-text.js';
import { fenceLines, imageMarkdown } from '../inline-text.js';
import { leftOutMark } from '../left-out.js';
import { guessedMark, messageText, shiftHeadings } from './message-text.js';
import { type MimePart, parseMessage, readableWords } from './mime-tree.js';

/**
 * Returns an e-mail as Markdown: its subject as a heading, sender, recipients and date, the body (the page,
 * else the plain text), and each attachment below its own heading. Attachments that are neither text nor
 * pictures are only named.
 *
 * @param read extracts the text of an attachment
 * @throws ExtractionError if the bytes are not an e-mail
 */
export async function emailText(
  bytes: Uint8Array,
  fileName: string,
  images: EmbeddedImages,
  read: ReadAttachment,
): Promise<string> {
  const { email, root, rest } = await parse(bytes, fileName);
  const { blocks, attachments } = messageText(root, images);
  const parts = [headLines(email).join('\n'), ...blocks];
  for (const attachment of attachments)
    parts.push((await attachmentLines(attachment, images, read)).join('\n'));
  if (rest !== '') parts.push(leftOutMark('words after the last part of the message', rest));
  return `${parts
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .join('\n\n')}\n`;
}

async function parse(bytes: Uint8Array, fileName: string): ReturnType<typeof parseMessage> {
  let message: Awaited<ReturnType<typeof parseMessage>>;
  try {
    message = await parseMessage(bytes);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new ExtractionError(phrase('unreadable.email', { name: fileName, reason: why }));
  }
  const { from, subject, date } = message.email;
  if (from === undefined && subject === undefined && date === undefined)
    throw new ExtractionError(phrase('unreadable.no_email', { name: fileName }));
  return message;
}

function headLines({ headers }: Email): string[] {
  const valuesOf = (key: string) => headers.filter((header) => header.key === key).map(({ value }) => value);
  const addressesOf = (key: string) => valuesOf(key).map(addressesIn).filter(Boolean).join(', ');
  const subject = oneLine(decodeWords(readableWords(valuesOf('subject')[0] ?? '')));
  const fields: [string, string | undefined][] = [
    ['From', addressesOf('from')],
    ['Reply to', addressesOf('reply-to')],
    ['To', addressesOf('to')],
    ['Copy', addressesOf('cc')],
    ['Blind copy', addressesOf('bcc')],
    ['Sent', valuesOf('date')[0]],
  ];
  return [
    ...(subject === '' ? [] : [`# ${escapeInline(subject)}`, '']),
    ...fields.flatMap(([name, value]) => (value ? [`- ${name}: ${escapeInline(value)}`] : [])),
  ];
}

/** Returns the addresses of a field; the field itself if one has no address, such as the name of a user on one computer. */
function addressesIn(value: string): string {
  const readable = readableWords(value);
  const list = addressParser(readable);
  const isWhole = list.every(({ group, address }) => group !== undefined || address !== '');
  return isWhole ? addresses(list) : oneLine(decodeWords(readable));
}

function addresses(list: readonly Address[]): string {
  return list
    .map((address) => {
      if (address.group !== undefined) return `${address.name}: ${addresses(address.group)}`;
      return address.name ? `${address.name} <${address.address}>` : address.address;
    })
    .join(', ');
}

/** @throws ExtractionError if the attachment contains no text */
type ReadAttachment = (bytes: Uint8Array, name: string) => Promise<ExtractedText>;

/** File extensions for parts without a name, by media type. */
const ENDINGS: Record<string, string> = {
  'message/rfc822': 'eml',
  'text/plain': 'txt',
  'text/html': 'html',
  'text/calendar': 'ics',
  'text/csv': 'csv',
  'text/markdown': 'md',
  'application/pdf': 'pdf',
  'application/json': 'json',
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/gif': 'gif',
};
/** Formats from which Markdown is extracted. */
const MARKDOWN = new Set('docx rtf odt ods odp xlsx pptx epub pdf html ipynb eml srt vtt'.split(' '));

/** First bytes of Outlook's own format. */
const OUTLOOK_FORMAT = Buffer.from('789f3e22', 'hex');

/** Returns the text of an attachment below a heading with its name, or the reason why it is not carried. */
async function attachmentLines(
  part: MimePart,
  images: EmbeddedImages,
  read: ReadAttachment,
): Promise<string[]> {
  const name = nameOf(part);
  return [`## Attachment: ${escapeInline(name)}`, '', ...(await contentLines(part, name, images, read))];
}

async function contentLines(
  part: MimePart,
  name: string,
  images: EmbeddedImages,
  read: ReadAttachment,
): Promise<string[]> {
  const { bytes, type } = part;
  if (isImageName(name)) return [imageMarkdown(images.add(bytes, endingOf(name)), name)];
  const size = `${type}, ${bytes.length.toLocaleString('en-US')} bytes`;
  if (type.endsWith('/ms-tnef') || OUTLOOK_FORMAT.equals(bytes.subarray(0, OUTLOOK_FORMAT.length)))
    return [
      escapeInline(
        `Not carried (${size}): Outlook's own format, which can contain the formatted message and files. Ask the sender to send it as HTML, or unpack it with a program for winmail.dat.`,
      ),
    ];
  if (!isSourceName(name)) return [escapeInline(`Not carried: it is neither text nor a picture (${size}).`)];
  const { content, remarks } = decodedContent(part, name);
  try {
    const { text, format } = await read(content, name);
    const isMarkdown = MARKDOWN.has(format) || /^(?:md|markdown)$/.test(endingOf(name));
    if (isMarkdown) return [...remarks, ...shiftHeadings(text, 2)];
    return [...remarks, ...fenceLines(withoutEnding(withLineFeeds(text), '\n'), languageOf(name))];
  } catch (error) {
    if (!(error instanceof ExtractionError)) throw error;
    return [escapeInline(`Not carried (${size}): ${error.message}`)];
  }
}

/** Returns text as UTF-8, decoded as the part says. A person cannot be asked for the encoding here. */
function decodedContent(
  { bytes, params }: MimePart,
  name: string,
): { content: Uint8Array; remarks: string[] } {
  if (!isTextName(name) || detectEncoding(bytes).binary) return { content: bytes, remarks: [] };
  const declared = isHtmlFile(name) ? declaredEncoding(bytes) : undefined;
  const { text, guessed } = decodeLabelled(bytes, [params.charset, declared]);
  const remarks = guessed === undefined ? [] : [guessedMark(params.charset, guessed), ''];
  return { content: Buffer.from(text), remarks };
}

function nameOf({ fileName, type }: MimePart): string {
  const name = oneLine(fileName);
  if (name !== '') return name;
  const isOther = type.startsWith('text/') || type.startsWith('message/');
  return `unnamed.${ENDINGS[type] ?? (isOther ? 'txt' : 'bin')}`;
}

const endingOf = (name: string) => /\.([a-z0-9]+)$/i.exec(name)?.[1]?.toLowerCase() ?? '';

const languageOf = (name: string) => endingOf(name).replace(/^txt$/, '') || 'text';
