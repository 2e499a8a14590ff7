import PostalMime, { type Address, type Attachment, type Email } from 'postal-mime';
import { escapeInline } from '#markdown/escape.js';
import type { EmbeddedImages } from '../embedded-images.js';
import { ExtractionError } from '../errors.js';
import { htmlText } from '../html/html.js';
import { attachmentLines, type ReadAttachment } from './attachment.js';
import { bodyLines } from './body.js';
import { shiftHeadings } from './shift-headings.js';

/**
 * Returns an e-mail as Markdown: its subject as a heading, sender, recipients and date, the body (plain text,
 * else HTML), and each attachment below its own heading. Attachments that are neither text nor pictures are
 * only named.
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
  const email = await parse(bytes, fileName);
  const blocks = [...headLines(email), '', ...words(email, images)];
  const isShown = (attachment: Attachment) => email.text === undefined && isPlaced(attachment, email.html);
  for (const attachment of email.attachments.filter((each) => !isShown(each)))
    blocks.push('', ...(await attachmentLines(attachment, images, read)));
  return `${blocks
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()}\n`;
}

async function parse(bytes: Uint8Array, fileName: string): Promise<Email> {
  let email: Email;
  try {
    email = await PostalMime.parse(bytes, { forceRfc822Attachments: true });
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new ExtractionError(`${fileName} cannot be read as an e-mail: ${why}`);
  }
  if (email.from === undefined && email.subject === undefined && email.date === undefined)
    throw new ExtractionError(`${fileName} is no e-mail: it has neither a sender, a subject nor a date`);
  return { ...email, text: email.text?.trim() ? email.text : undefined };
}

function headLines(email: Email): string[] {
  const subject = email.subject?.replace(/\s+/g, ' ').trim();
  const sent = email.headers.find(({ key }) => key === 'date')?.value;
  const fields: [string, string | undefined][] = [
    ['From', addresses(email.from && [email.from])],
    ['Reply to', addresses(email.replyTo)],
    ['To', addresses(email.to)],
    ['Copy', addresses(email.cc)],
    ['Blind copy', addresses(email.bcc)],
    ['Sent', sent],
  ];
  return [
    ...(subject ? [`# ${escapeInline(subject)}`, ''] : []),
    ...fields.flatMap(([name, value]) => (value ? [`- ${name}: ${escapeInline(value)}`] : [])),
  ];
}

function addresses(list: readonly Address[] | undefined): string {
  return (list ?? [])
    .map((address) => {
      if (address.group !== undefined) return `${address.name}: ${addresses(address.group)}`;
      return address.name ? `${address.name} <${address.address}>` : address.address;
    })
    .join(', ');
}

function words({ text, html, attachments }: Email, images: EmbeddedImages): string[] {
  if (text !== undefined) return bodyLines(text);
  return html === undefined ? [] : shiftHeadings(htmlText(withPictures(html, attachments), images), 1);
}

/** Replaces references to picture parts (`cid:…`) with data URIs. */
function withPictures(html: string, attachments: readonly Attachment[]): string {
  let page = html;
  for (const { contentId, mimeType, content } of attachments) {
    if (contentId === undefined || typeof content === 'string') continue;
    const base64 = Buffer.from(new Uint8Array(content)).toString('base64');
    page = page.replaceAll(reference(contentId), `data:${mimeType};base64,${base64}`);
  }
  return page;
}

const reference = (contentId: string) => `cid:${contentId.replace(/^<|>$/g, '')}`;

const isPlaced = ({ contentId, mimeType }: Attachment, html = '') =>
  contentId !== undefined && mimeType.startsWith('image/') && html.includes(reference(contentId));
