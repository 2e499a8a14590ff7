import PostalMime, { decodeWords, type Email } from 'postal-mime';
import { z } from 'zod';
import { decodeLabelled } from '../declared-encoding.js';
import { labelledEncoding } from '../encoding-labels.js';
import { decodeBytes, isUtf8, markedEncoding } from '../encoding.js';

/** One part of a message; a multipart has children. */
export interface MimePart {
  /** Media type in lower case. */
  type: string;
  /** Parameters of the media type, such as `charset`, by their names in lower case. */
  params: Record<string, string>;
  isAttachment: boolean;
  /** Empty if the part names none. */
  fileName: string;
  /** Without angle brackets; empty without one. */
  contentId: string;
  /** Address of the part in a web page that was sent as a message; empty without one. */
  location: string;
  /** Decoded content; for a multipart, the text between its parts. */
  bytes: Uint8Array;
  children: MimePart[];
}

const header = z.object({ value: z.string(), params: z.record(z.string(), z.string()) });
/** The part of postal-mime's tree that is read. Its result has only one text and one page for all parts. */
const nodeSchema = z.object({
  contentType: z.object({ parsed: header }),
  contentDisposition: z.object({ parsed: header }),
  contentId: z.string().optional(),
  headers: z.array(z.object({ key: z.string(), value: z.string() })),
  content: z.instanceof(ArrayBuffer).nullable(),
  childNodes: z.array(z.unknown()),
});

/**
 * Parses a message into its headers and the tree of its parts.
 *
 * @returns the message, its tree, and what the file has after the last boundary of the tree
 * @throws Error if parts nest deeper than 256 levels or the headers are too large
 */
export async function parseMessage(
  bytes: Uint8Array,
): Promise<{ email: Email; root: MimePart; rest: string }> {
  const parser = new PostalMime({ forceRfc822Attachments: true });
  const ascii = asAsciiCompatible(bytes);
  const message = withOwnBoundary(
    ascii,
    headEnd(Buffer.from(ascii.buffer, ascii.byteOffset, ascii.byteLength)),
  );
  const email = await parser.parse(message);
  const root = partOf((parser as unknown as { root: unknown }).root);
  return { email, root, rest: restOf(message, root.params.boundary) };
}

/**
 * Removes a UTF-8 byte order mark, which would hide the first header; converts UTF-16, and headers with bytes
 * of an old encoding, to UTF-8.
 */
function asAsciiCompatible(bytes: Uint8Array): Uint8Array {
  const marked = markedEncoding(bytes);
  if (marked !== null && marked !== 'utf-8') return Buffer.from(decodeBytes(bytes, marked));
  const file = marked === null ? bytes : bytes.subarray(3);
  const text = Buffer.from(file.buffer, file.byteOffset, file.byteLength);
  const head = text.subarray(0, headEnd(text));
  if (isUtf8(head)) return file;
  const label = /\bcharset="?([\w.:-]{1,60})/i.exec(head.toString('latin1'))?.[1];
  return Buffer.concat([Buffer.from(decodeLabelled(head, [label]).text), text.subarray(head.length)]);
}

/** Returns the position of the blank line after the header. */
function headEnd(text: Buffer): number {
  const ends = ['\n\n', '\n\r\n'].map((end) => text.indexOf(end)).filter((at) => at >= 0);
  return Math.min(text.length, ...ends);
}

function partOf(node: unknown): MimePart {
  const { contentType, contentDisposition, contentId, headers, content, childNodes } = nodeSchema.parse(node);
  const { value: type, params } = contentType.parsed;
  const name = contentDisposition.parsed.params.filename ?? params.name ?? '';
  const location = headers.find(({ key }) => key === 'content-location')?.value ?? '';
  return withEncodedFiles({
    // RFC 2045 treats a type without a subtype as plain text.
    type: type === '' || type.includes('/') ? type : 'text/plain',
    params,
    isAttachment: contentDisposition.parsed.value === 'attachment',
    fileName: decodeWords(readableWords(name)),
    contentId: (contentId ?? '').trim().replace(/^<|>$/g, ''),
    location: location.trim(),
    bytes: new Uint8Array(content ?? new ArrayBuffer(0)),
    children: childNodes.map(partOf),
  });
}

/** File in a text by uuencode, which programs used before MIME: mode, name and lines of encoded bytes. */
const ENCODED_FILE = /^begin [0-7]{3,4} ([^\r\n]{1,300})\r?\n((?:[ -`]{1,90}\r?\n)+)end[ \t]{0,9}\r?$/gm;
const BASE64 = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'];

/** Returns a text with encoded files as several parts: the text around them and each file. */
function withEncodedFiles(part: MimePart): MimePart {
  const { type, isAttachment, bytes } = part;
  const source = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
  if (type !== 'text/plain' || isAttachment || !source.includes('begin ')) return part;
  const children: MimePart[] = [];
  const addText = (from: number, to?: number) =>
    children.push({ ...part, bytes: Buffer.from(source.slice(from, to), 'latin1') });
  let from = 0;
  for (const { 0: whole, 1: fileName = '', 2: lines = '', index } of source.matchAll(ENCODED_FILE)) {
    addText(from, index);
    const content = Buffer.concat(lines.split(/\r?\n/).map(decodedLine));
    const file = { isAttachment: true, fileName, contentId: '', location: '', bytes: content, children: [] };
    children.push({ ...file, type: 'application/octet-stream', params: {} });
    from = index + whole.length;
  }
  if (from === 0) return part;
  addText(from);
  return { ...part, type: 'multipart/mixed', params: {}, bytes: new Uint8Array(), children };
}

/** Decodes a line: its number of bytes, then four characters for three bytes. Blanks at its end may be cut off. */
function decodedLine(line: string): Uint8Array {
  const valueOf = (at: number) => ((line.charCodeAt(at) || 32) - 32) & 63;
  const count = valueOf(0);
  const digits = Array.from({ length: Math.ceil(count / 3) * 4 }, (_, at) => BASE64[valueOf(at + 1)]);
  return Buffer.from(digits.join(''), 'base64').subarray(0, count);
}

/** Returns the text after the end of the outermost multipart, which mail programs do not show. */
function restOf(bytes: Uint8Array, boundary: string | undefined): string {
  if (!boundary) return '';
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const end = `--${boundary}--`;
  const at = file.lastIndexOf(end);
  return at < 0
    ? ''
    : file
        .subarray(at + end.length)
        .toString('utf8')
        .trim();
}

/** Maximum length and number of the fields that are searched for boundaries. */
const MAX_FIELD = 10_000;
const MOST_FIELDS = 50;
const BOUNDARY = /;\s*boundary\s*=\s*(?:"([^"]{1,200})"|([^\s;"]{1,200}))/i;

/**
 * Corrects a `Content-Type` that does not lead to the parts of the message. Some messages have several such fields,
 * only one of which names the boundary in the body; others declare `text/html` with a boundary although they have
 * several parts.
 *
 * @param headEnd position of the blank line after the header
 */
function withOwnBoundary(message: Uint8Array, headEnd: number): Uint8Array {
  const file = Buffer.from(message.buffer, message.byteOffset, message.byteLength);
  const head = file.toString('latin1', 0, headEnd);
  if (!/boundary/i.test(head)) return message;
  const fields = head.split(/\r?\n(?![ \t])/);
  const isType = fields.map((field) => /^content-type\s{0,9}:/i.test(field));
  const types = fields.filter((_, at) => isType[at]).slice(0, MOST_FIELDS);
  const own = types.find((field) => {
    const [, quoted, plain] = BOUNDARY.exec(unfolded(field)) ?? [];
    const boundary = quoted ?? plain;
    return boundary !== undefined && hasLine(file.subarray(headEnd), `--${boundary}`);
  });
  const isParted = /^content-type\s{0,9}:\s*multipart\//i.test(own ?? '');
  if (own === undefined || (types.length === 1 && isParted)) return message;
  const type = isParted ? own : own.replace(/:\s*[^;\s]+/, ': multipart/mixed');
  // The content of a text has its transfer encoding from its own part.
  const kept = fields.filter(
    (field, at) => !isType[at] && (isParted || !/^content-transfer-encoding/i.test(field)),
  );
  return Buffer.concat([Buffer.from([...kept, type].join('\r\n'), 'latin1'), file.subarray(headEnd)]);
}

const unfolded = (field: string): string => field.slice(0, MAX_FIELD).replace(/\r?\n[ \t]+/g, ' ');

function hasLine(body: Buffer, line: string): boolean {
  for (let at = body.indexOf(line); at >= 0; at = body.indexOf(line, at + 1))
    if (at === 0 || body[at - 1] === 0x0a || body[at - 1] === 0x0d) return true;
  return false;
}

/** An encoded word (RFC 2047): charset with an optional language, `Q` or `B`, text. */
const WORD = /=\?([\w.:-]{1,60})(?:\*[\w-]{1,40})?\?([QB])\?([^?]{0,2000})\?=/gi;

/** Encoded words in a row that have one charset. */
interface EncodedWords {
  start: number;
  end: number;
  encoding: string;
  bytes: Uint8Array[];
}

/**
 * Rewrites encoded words as UTF-8, those in a row as one, because programs split characters between two words. Words in an unknown
 * charset stay unchanged.
 */
export function readableWords(header: string): string {
  const rows: EncodedWords[] = [];
  for (const { 0: word, 1: label = '', 2: kind = '', 3: text = '', index } of header.matchAll(WORD)) {
    const encoding = labelledEncoding(label);
    if (encoding === undefined) continue;
    const bytes = kind.toUpperCase() === 'B' ? Buffer.from(text, 'base64') : quotedBytes(text);
    const last = rows.at(-1);
    const end = index + word.length;
    if (last?.encoding === encoding && header.slice(last.end, index).trim() === '') {
      last.end = end;
      last.bytes.push(bytes);
    } else rows.push({ start: index, end, encoding, bytes: [bytes] });
  }
  const texts = rows.map(({ start, encoding, bytes }, at) => {
    const decoded = decodeBytes(Buffer.concat(bytes), encoding);
    return `${header.slice(rows[at - 1]?.end ?? 0, start)}=?UTF-8?B?${Buffer.from(decoded).toString('base64')}?=`;
  });
  return texts.join('') + header.slice(rows.at(-1)?.end ?? 0);
}

function quotedBytes(text: string): Uint8Array {
  const latin = text
    .replaceAll('_', ' ')
    .replace(/=([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)));
  return Buffer.from(latin, 'latin1');
}
