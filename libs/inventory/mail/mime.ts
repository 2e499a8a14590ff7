import { hasSpace, withoutLineEnd } from '#contracts/text.js';
import { decodeAs } from '../decode.js';

/** Part of a mail: its header fields, and its content or its own parts. */
export interface MimePart {
  headers: Map<string, string>;
  /** Media type in small letters, such as `text/plain`. */
  type: string;
  parameters: Map<string, string>;
  /** Decoded content; empty for a multipart. */
  content: Uint8Array;
  parts: MimePart[];
}

const MAX_DEPTH = 20;
const MAX_PARTS = 5_000;
/** Maximum length of a field for parsing its parameters. */
const MAX_FIELD = 20_000;

/** Reads a mail by RFC 5322, 2045 and 2047. Linear for each level of nesting, of which there are at most 20. */
export function readMime(bytes: Uint8Array): MimePart {
  // Use one character for each byte, so that positions count bytes.
  return readPart(Buffer.from(bytes).toString('latin1'), 0, { left: MAX_PARTS });
}

function readPart(source: string, depth: number, budget: { left: number }): MimePart {
  budget.left -= 1;
  const gap = /\r?\n\r?\n|\r\r/.exec(source);
  const startsBody = /^\r?\n/.exec(source);
  const head = startsBody ? '' : source.slice(0, gap?.index ?? source.length);
  const body = startsBody
    ? source.slice(startsBody[0].length)
    : gap
      ? source.slice(gap.index + gap[0].length)
      : '';
  const headers = readHeaders(head);
  const { value, parameters } = contentType(head, body);
  const type = value === '' || !value.includes('/') ? 'text/plain' : value.toLowerCase();
  const boundary = parameters.get('boundary');
  const isMultipart = type.startsWith('multipart/') || hasMark(body, boundary);
  const isParted = isMultipart && boundary !== undefined && depth < MAX_DEPTH;
  const parts = isParted
    ? splitParts(body, boundary).flatMap((part) =>
        budget.left > 0 ? [readPart(part, depth + 1, budget)] : [],
      )
    : [];
  const content = isParted
    ? new Uint8Array()
    : transferred(body, headers.get('content-transfer-encoding') ?? '');
  return { headers, type, parameters, content, parts };
}

/** Returns the media type; if there are several fields, that of the field whose boundary is in the body. */
function contentType(head: string, body: string): ReturnType<typeof fieldValue> {
  const fields = head
    .replace(/\r?\n(?=[ \t])/g, ' ')
    .split(/\r?\n|\r/)
    .filter((line) => /^content-type\s{0,9}:/i.test(line))
    .map((line) => fieldValue(line.slice(line.indexOf(':') + 1).trim()));
  const own = fields.find(({ parameters }) => hasMark(body, parameters.get('boundary')));
  return own ?? fields[0] ?? fieldValue('');
}

function hasMark(body: string, boundary: string | undefined): boolean {
  if (boundary === undefined) return false;
  const mark = `--${boundary.trimEnd()}`;
  return nextMark(body, mark, 0) >= 0;
}

/** Returns the fields by their names in small letters. Values of fields with the same name are joined. */
function readHeaders(head: string): Map<string, string> {
  const headers = new Map<string, string>();
  for (const line of head.replace(/\r?\n(?=[ \t])/g, ' ').split(/\r?\n|\r/)) {
    const colon = line.indexOf(':');
    if (colon <= 0 || hasSpace(line.slice(0, colon).trimEnd())) continue;
    const name = line.slice(0, colon).trim().toLowerCase();
    const value = line.slice(colon + 1).trim();
    headers.set(name, headers.has(name) ? `${headers.get(name)}, ${value}` : value);
  }
  return headers;
}

function splitParts(body: string, boundary: string): string[] {
  const mark = `--${boundary.trimEnd()}`;
  const parts: string[] = [];
  let from = -1;
  for (let at = nextMark(body, mark, 0); at >= 0; at = nextMark(body, mark, at + 1)) {
    if (from >= 0) parts.push(withoutLineEnd(body.slice(from, at)));
    const isLast = body.startsWith('--', at + mark.length);
    const end = body.indexOf('\n', at);
    from = isLast || end < 0 ? -1 : end + 1;
    if (isLast) break;
  }
  if (from >= 0) parts.push(body.slice(from));
  return parts;
}

/** Returns the position of the next line that is a mark; -1 if there is none. A boundary may begin with another one. */
function nextMark(body: string, mark: string, from: number): number {
  for (let at = body.indexOf(mark, from); at >= 0; at = body.indexOf(mark, at + 1))
    if (
      (at === 0 || body[at - 1] === '\n') &&
      /^(?:--|\s|$)/.test(body.slice(at + mark.length, at + mark.length + 2))
    )
      return at;
  return -1;
}

/** Separates a field such as `text/plain; charset="utf-8"`. Values that are split (`name*0*=`) are joined. */
export function fieldValue(field: string): { value: string; parameters: Map<string, string> } {
  const [value = '', ...rest] = field.slice(0, MAX_FIELD).match(/(?:"(?:[^"\\]|\\.)*"|[^;"])+/g) ?? [];
  const parameters = new Map<string, string>();
  for (const each of rest) {
    const equals = each.indexOf('=');
    if (equals < 0) continue;
    const key = each.slice(0, equals).trim().toLowerCase();
    const text = each
      .slice(equals + 1)
      .trim()
      .replace(/^"(.*)"$/s, '$1')
      .replace(/\\(.)/g, '$1');
    const name = key.replace(/\*\d*\*?$/, '');
    const isCoded = key.endsWith('*');
    parameters.set(name, (parameters.get(name) ?? '') + (isCoded ? percentDecoded(text) : text));
  }
  return { value: value.trim(), parameters };
}

function percentDecoded(text: string): string {
  const coded = /^([\w-]*)'[^']*'(.*)$/s.exec(text);
  const bytes = Buffer.from(
    (coded?.[2] ?? text).replace(/%([0-9a-f]{2})/gi, (_, hex: string) =>
      String.fromCharCode(Number.parseInt(hex, 16)),
    ),
    'latin1',
  );
  return decodeAs(bytes, coded?.[1] || 'utf-8') ?? text;
}

function transferred(body: string, encoding: string): Uint8Array {
  const kind = encoding.trim().toLowerCase();
  if (kind === 'base64') return Buffer.from(body.replace(/[^A-Za-z0-9+/=]/g, ''), 'base64');
  return Buffer.from(kind === 'quoted-printable' ? unquoted(body) : body, 'latin1');
}

const unquoted = (text: string): string =>
  text
    .replace(/=[ \t]{0,100}\r?\n/g, '')
    .replace(/=([0-9A-F]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));

/** Decodes the words of a header field, such as `=?UTF-8?Q?Zo=C3=AB?=`. Fields in raw UTF-8 are read as such. */
export function headerText(value: string): string {
  const raw = Buffer.from(value, 'latin1');
  const plain = /[\x80-\xff]/.test(value) ? (decodeAs(raw, 'utf-8') ?? value) : value;
  return (
    plain
      .replace(/(\?=)\s+(?==\?)/g, '$1')
      // Programs split characters between words in a row.
      .replace(/(?:=\?[^?\s]{1,80}\?[BQ]\?[^?\s]*\?=)+/gi, encodedText)
  );
}

const ENCODED_WORD = /=\?([^?\s]{1,80})\?([BQ])\?([^?\s]*)\?=/gi;

function encodedText(words: string): string {
  const runs: { charset: string; bytes: Buffer[]; words: string }[] = [];
  for (const [word, charset = '', coding = '', text = ''] of words.matchAll(ENCODED_WORD)) {
    const bytes = /b/i.test(coding)
      ? Buffer.from(text, 'base64')
      : Buffer.from(unquoted(text.replaceAll('_', ' ')), 'latin1');
    const last = runs.at(-1);
    const isSame = last?.charset.toLowerCase() === charset.toLowerCase();
    if (!isSame) runs.push({ charset, bytes: [], words: '' });
    runs.at(-1)!.bytes.push(bytes);
    runs.at(-1)!.words += word;
  }
  return runs
    .map(({ charset, bytes, words: raw }) => decodeAs(Buffer.concat(bytes), charset.split('*', 1)[0]!) ?? raw)
    .join('');
}
