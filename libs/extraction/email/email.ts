import { phrase } from '#contracts/phrases/phrase.js';
import { addressParser, decodeWords, type Address, type Email } from 'postal-mime';
import { escapeInline } from '#markdown/escape.js';
import type { EmbeddedImages } from '../embedded-images.js';
import { ExtractionError } from '../errors.js';
import { leftOutMark } from '../left-out.js';
import { attachmentLines, type ReadAttachment } from './attachment.js';
import { readableWords } from './encoded-words.js';
import { messageText } from './message-text.js';
import { parseMessage } from './mime-tree.js';

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
  const addressesOf = (key: string) =>
    addresses(valuesOf(key).flatMap((value) => addressParser(readableWords(value))));
  const subject = decodeWords(readableWords(valuesOf('subject')[0] ?? ''))
    .replace(/\s+/g, ' ')
    .trim();
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

function addresses(list: readonly Address[]): string {
  return list
    .map((address) => {
      if (address.group !== undefined) return `${address.name}: ${addresses(address.group)}`;
      return address.name ? `${address.name} <${address.address}>` : address.address;
    })
    .join(', ');
}
