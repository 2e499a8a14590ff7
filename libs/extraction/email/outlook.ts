import { createRequire } from 'node:module';
import type { FieldsData } from '@kenjiuno/msgreader';
import { phrase } from '#contracts/phrases/phrase.js';
import { ExtractionError } from '../errors.js';

const require = createRequire(import.meta.url);

/** Largest depth of messages in messages. */
const DEEPEST = 3;
/** First bytes of every file of Outlook. */
const SIGNATURE = Buffer.from('d0cf11e0a1b11ae1', 'hex');

/** Reads the content of an attachment, or of a message that is one. */
type ContentOf = (attachment: FieldsData) => Uint8Array;

/**
 * Returns a message of Outlook (`.msg`) as an e-mail file (`.eml`): sender, recipients, date, text, page and attachments, also messages among
 * them.
 *
 * @throws ExtractionError for a file that is not such a message, or a damaged one
 */
export async function outlookAsMail(bytes: Uint8Array, fileName: string): Promise<Uint8Array> {
  if (!SIGNATURE.equals(bytes.subarray(0, SIGNATURE.length)))
    throw new ExtractionError(phrase('unreadable.no_email', { name: fileName }));
  // The reader is loaded only when needed, and as the CommonJS module it is: loaders disagree on the default export of one that is imported.
  const { default: MsgReader } = require('@kenjiuno/msgreader') as typeof import('@kenjiuno/msgreader');
  try {
    const reader = new MsgReader(new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength));
    const message = reader.getFileData();
    if (message.error !== undefined) throw new Error(message.error);
    const { subject, senderName, senderEmail } = message;
    if (!subject && !senderName && !senderEmail) throw new Error('no sender and no subject');
    return Buffer.from(mailOf(message, (attachment) => reader.getAttachment(attachment).content, 0));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new ExtractionError(phrase('unreadable.email', { name: fileName, reason }));
  }
}

function mailOf(message: FieldsData, contentOf: ContentOf, depth: number): string {
  const { senderName, senderSmtpAddress, senderEmail, subject, messageDeliveryTime, clientSubmitTime } =
    message;
  const recipients = (type: string) =>
    (message.recipients ?? [])
      .filter(({ recipType }) => (recipType ?? 'to') === type)
      .map(({ name, smtpAddress, email }) => address(name, smtpAddress ?? email))
      .join(', ');
  const head: [string, string | undefined][] = [
    ['From', address(senderName, senderSmtpAddress ?? senderEmail)],
    ['To', recipients('to')],
    ['Cc', recipients('cc')],
    ['Bcc', recipients('bcc')],
    ['Date', clientSubmitTime ?? messageDeliveryTime],
    ['Subject', subject && encodedWord(subject)],
  ];
  const fields = head.flatMap(([name, value]) => (value ? [`${name}: ${value}`] : []));
  const attached = (message.attachments ?? []).map((each) => attachmentPart(each, contentOf, depth));
  return [
    ...fields,
    'MIME-Version: 1.0',
    multipart('mixed', depth, [...textParts(message, depth), ...attached]),
  ].join('\r\n');
}

/** Returns the text of a message in its versions; only a message without others has its formatted text as a file. */
function textParts({ body, bodyHtml, html, compressedRtf }: FieldsData, depth: number): string[] {
  const page = html ?? (bodyHtml === undefined ? undefined : Buffer.from(bodyHtml));
  const charset = html === undefined ? '; charset=utf-8' : '';
  const versions = [
    ...(body ? [part('text/plain; charset=utf-8', Buffer.from(body))] : []),
    ...(page && page.length > 0 ? [part(`text/html${charset}`, page)] : []),
  ];
  if (versions.length === 0 && compressedRtf)
    return [part('application/octet-stream; name="message.rtf.compressed"', compressedRtf)];
  return versions.length > 1 ? [multipart('alternative', `${depth}a`, versions)] : versions;
}

function attachmentPart(attachment: FieldsData, contentOf: ContentOf, depth: number): string {
  const inner = attachment.innerMsgContentFields;
  const name = attachment.fileName ?? attachment.name ?? attachment.fileNameShort ?? '';
  if (inner && depth < DEEPEST)
    return part('message/rfc822', Buffer.from(mailOf(inner, contentOf, depth + 1)), [
      `Content-Disposition: attachment; filename="${encodedWord(`${name}.eml`)}"`,
    ]);
  const type = attachment.attachMimeTag ?? 'application/octet-stream';
  const id = attachment.pidContentId;
  return part(type.replace(/[\r\n;].*/s, ''), contentOf(attachment), [
    `Content-Disposition: attachment; filename="${encodedWord(name)}"`,
    ...(id ? [`Content-ID: <${id.replace(/[\r\n<>]/g, '')}>`] : []),
  ]);
}

function address(name = '', mail = ''): string {
  const words = name === '' || name === mail ? '' : `${encodedWord(name)} `;
  return mail === '' ? words.trim() : `${words}<${mail.replace(/[\r\n<>]/g, '')}>`;
}

const encodedWord = (text: string): string =>
  /^[\w .-]*$/.test(text) ? text : `=?UTF-8?B?${Buffer.from(text).toString('base64')}?=`;

/** @param content base64 has no line that could end the part */
function part(type: string, content: Uint8Array, fields: readonly string[] = []): string {
  const lines = Buffer.from(content).toString('base64').replace(/.{76}/g, '$&\r\n');
  return [`Content-Type: ${type}`, 'Content-Transfer-Encoding: base64', ...fields, '', lines].join('\r\n');
}

function multipart(kind: string, id: string | number, parts: readonly string[]): string {
  const boundary = `=_${kind}_${id}`;
  const head = `Content-Type: multipart/${kind}; boundary="${boundary}"\r\n`;
  return [head, ...parts.map((each) => `--${boundary}\r\n${each}`), `--${boundary}--`, ''].join('\r\n');
}
