import { oneLine } from '#contracts/text.js';
import { decodeText } from '../decode.js';
import { listHtml } from '../html.js';
import type { Alternative, PieceList } from '../piece.js';
import { fieldValue, headerText, readMime, type MimePart } from './mime.js';

/** Lists the pieces of an attached file; false for a file without text. */
type ListAttached = (
  bytes: Uint8Array,
  name: string,
  prefix: string,
  encoding: string | undefined,
) => Promise<boolean>;

const FIELDS: [string, string][] = [
  ['subject', 'subject'],
  ['from', 'sender'],
  ['reply-to', 'address for replies'],
  ['to', 'recipients'],
  ['cc', 'copies'],
  ['bcc', 'blind copies'],
  ['date', 'date'],
];
const ENDINGS: Record<string, string> = { 'text/calendar': 'ics', 'text/csv': 'csv', 'text/markdown': 'md' };
const MAX_DEPTH = 4;

/**
 * Lists the pieces of a mail: subject, addresses, date, each part of the body, names and pieces of the attachments. Parts of a
 * `multipart/alternative` are versions of one text.
 *
 * @param prefix place of the mail in another one; empty for the file itself
 */
export async function listMail(
  bytes: Uint8Array,
  list: PieceList,
  prefix: string,
  attached: ListAttached,
  depth = 0,
): Promise<void> {
  await new MailLister(list, prefix, attached, depth).read(readMime(bytes));
}

class MailLister {
  private parts = 0;
  /** IDs of the pictures that a page shows; readers do not see their file names. */
  private readonly shownPictures = new Set<string>();

  constructor(
    private readonly list: PieceList,
    private readonly prefix: string,
    private readonly attached: ListAttached,
    private readonly depth: number,
  ) {}

  async read(mail: MimePart): Promise<void> {
    for (const [field, place] of FIELDS) {
      const value = mail.headers.get(field);
      if (value !== undefined) this.list.add({ place: this.at(place), text: fieldText(field, value) });
    }
    await this.part(mail, undefined);
  }

  private at(place: string): string {
    return this.prefix === '' ? place : `${this.prefix}, ${place}`;
  }

  private async part(part: MimePart, alternative: Alternative | undefined): Promise<void> {
    if (part.type === 'multipart/alternative') return this.alternatives(part, alternative);
    if (part.parts.length > 0) {
      for (const each of part.parts) await this.part(each, alternative);
      return;
    }
    const name = fileName(part);
    if (name !== null || !/^text\/(?:plain|html|enriched|richtext)$/.test(part.type))
      return this.attachment(part, name);
    this.parts += 1;
    const what = part.type === 'text/html' ? 'HTML part' : 'text part';
    const place = this.at(`${what} ${this.parts}`);
    const text = decodeText(part.content, charsetOf(part));
    const rest = alternative === undefined ? {} : { alternative };
    for (const [, id = ''] of text.matchAll(/\bcid:([^"'<>\s]{1,500})/gi)) this.shownPictures.add(id);
    if (part.type === 'text/html') listHtml(text, this.list, { prefix: place, ...rest });
    else await this.plainText(text, place, rest);
  }

  /** Lists the paragraphs of a text, and the files that it contains by uuencode. */
  private async plainText(text: string, place: string, rest: { alternative?: Alternative }): Promise<void> {
    const all = text.split(/\r?\n/);
    const words: string[] = [];
    const files: { name: string; lines: string[] }[] = [];
    for (let at = 0; at < all.length; at++) {
      const name = /^begin [0-7]{3,4} (\S.*)$/.exec(all[at]!)?.[1];
      let end = at + 1;
      while (name !== undefined && /^[ -`]+$/.test(all[end] ?? '')) end++;
      const isFile = end > at + 1 && all[end]?.trim() === 'end';
      if (isFile) files.push({ name: name!.trim(), lines: all.slice(at + 1, end) });
      else words.push(all[at]!);
      if (isFile) at = end;
    }
    for (const [index, paragraph] of words
      .join('\n')
      .split(/\n[ \t>]*\n/)
      .entries())
      this.list.add({ place: `${place}, paragraph ${index + 1}`, text: paragraph, ...rest });
    for (const { name, lines } of files) {
      this.list.add({ place: this.at('attachment'), text: name });
      const content = Uint8Array.from(lines.flatMap(uuBytes));
      await this.attached(content, name, this.at(`attachment ${name}`), undefined);
    }
  }

  /** Lists the versions of a text, from the richest one, which is the last in the mail. */
  private async alternatives(part: MimePart, outer: Alternative | undefined): Promise<void> {
    const group = this.list.newGroup();
    for (const each of part.parts.toReversed()) {
      const version = hasHtml(each) ? 'HTML part' : each.type === 'text/plain' ? 'text part' : each.type;
      await this.part(each, outer ?? { group, version });
    }
  }

  private async attachment(part: MimePart, name: string | null): Promise<void> {
    this.parts += 1;
    if (part.type === 'message/rfc822') {
      const inner = this.at(`attached mail ${this.parts}`);
      if (name !== null) this.list.add({ place: this.at('attachment'), text: name });
      if (this.depth < MAX_DEPTH)
        await listMail(part.content, this.list, inner, this.attached, this.depth + 1);
      return;
    }
    const isPicture = part.type.startsWith('image/');
    const id = (part.headers.get('content-id') ?? '').replace(/^\s*<|>\s*$/g, '');
    if (isPicture && this.shownPictures.has(id)) return;
    if (name !== null) this.list.add({ place: this.at('attachment'), text: name });
    if (isPicture) return;
    const ending = ENDINGS[part.type] ?? 'txt';
    const file = name || (part.type.startsWith('text/') ? `unnamed.${ending}` : '');
    await this.attached(part.content, file, this.at(`attachment ${file}`), part.parameters.get('charset'));
  }
}

/** Returns the bytes of a uuencoded line: each character has six bits; the first one counts the bytes. */
function uuBytes(line: string): number[] {
  let bits = '';
  for (const character of line) bits += ((character.charCodeAt(0) - 32) & 63).toString(2).padStart(6, '0');
  const count = parseInt(bits.slice(0, 6), 2) || 0;
  const bytes = bits.slice(6).padEnd(count * 8, '0');
  return Array.from({ length: count }, (_, at) => parseInt(bytes.slice(at * 8, at * 8 + 8), 2));
}

function fieldText(field: string, value: string): string {
  const text = headerText(value);
  // Quotation marks and comments of addresses do not count as words.
  return field === 'subject' || field === 'date' ? text : text.replace(/["<>]/g, ' ');
}

/** Returns the name of an attached file; null for a part of the body. */
function fileName({ headers, parameters, type }: MimePart): string | null {
  const disposition = fieldValue(headers.get('content-disposition') ?? '');
  const name = disposition.parameters.get('filename') ?? parameters.get('name');
  if (name !== undefined) return oneLine(headerText(name));
  return /^attachment$/i.test(disposition.value) && type !== 'message/rfc822' ? '' : null;
}

const hasHtml = (part: MimePart): boolean => part.type === 'text/html' || part.parts.some(hasHtml);

/** Returns the encoding of a part. An HTML part may declare it only in the page. */
function charsetOf(part: MimePart): string | undefined {
  const named = part.parameters.get('charset');
  if (named !== undefined || part.type !== 'text/html') return named;
  return declaredEncoding(part.content);
}

/** Returns the encoding that an HTML page names at its head. */
export function declaredEncoding(bytes: Uint8Array): string | undefined {
  const head = Buffer.from(bytes.subarray(0, 4_096)).toString('latin1');
  const label =
    /<meta\b[^>]{0,400}?\bcharset\s{0,20}=\s{0,20}["']?\s{0,20}([\w-]{1,40})/i.exec(head)?.[1] ??
    /^<\?xml\b[^>]{0,200}?\bencoding\s{0,20}=\s{0,20}["']([\w-]{1,40})/.exec(head)?.[1];
  // A page whose head is readable as ASCII is not in an encoding with wide characters.
  return /^utf-?(?:7|16|32)/i.test(label ?? '') ? undefined : label;
}
