import iconv from 'iconv-lite';

/** Code pages of Microsoft and IBM that the Encoding Standard knows under another name. */
const CODE_PAGES: Record<string, string> = {
  367: 'ascii',
  858: 'cp858',
  932: 'shift_jis',
  936: 'gbk',
  949: 'euc-kr',
  950: 'big5',
  1200: 'utf-16le',
  1201: 'utf-16be',
  10000: 'macintosh',
  20127: 'ascii',
  20866: 'koi8-r',
  21866: 'koi8-u',
  50220: 'iso-2022-jp',
  50221: 'iso-2022-jp',
  50222: 'iso-2022-jp',
  51932: 'euc-jp',
  51949: 'euc-kr',
  54936: 'gb18030',
  65000: 'utf-7',
  65001: 'utf-8',
};
const OTHER_NAMES: Record<string, string> = {
  646: 'ascii',
  utf8mb4: 'utf-8',
  macce: 'maccenteuro',
  maccentraleurroman: 'maccenteuro',
  macukrainian: 'x-mac-cyrillic',
  sjis: 'shift_jis',
  ujis: 'euc-jp',
  tis620: 'windows-874',
  uhc: 'euc-kr',
  hkscs: 'big5-hkscs',
  hz: 'hz-gb-2312',
  gb2312: 'gbk',
};
/** Codecs of iconv-lite that do not encode text. */
const NO_TEXT = new Set(['base64', 'hex', 'binary', 'ucs2']);
const CODE_PAGE = /^(?:cp|dos|pc|ms|ibm|windows|win|ccsid|codepage)0{0,3}(\d{3,5})$/;

/**
 * Returns the encoding that browsers and mail programs use for a label: `iso-8859-1` means windows-1252
 * (WHATWG Encoding Standard). Labels that the standard lacks are kept or translated if they can be decoded:
 * `cp850`, `x-mac-ce`, `IBM-00858`; undefined for all others.
 */
export function labelledEncoding(label: string): string | undefined {
  const cleaned = label
    .slice(0, 80)
    .replace(/["'\s;]/g, '')
    .toLowerCase();
  const plain = cleaned.replace(/^(?:x-|cs)/, '').replace(/[^a-z0-9]/g, '');
  const page = CODE_PAGE.exec(plain)?.[1];
  for (const name of [cleaned, OTHER_NAMES[plain], page && CODE_PAGES[page], page && `cp${page}`, plain]) {
    if (!name) continue;
    if (isShiftedEncoding(name)) return name;
    const standard = standardName(name);
    if (standard !== undefined) return standard;
    if (!NO_TEXT.has(name) && iconv.encodingExists(name)) return name;
  }
  return undefined;
}

/** Returns the name of an encoding in the Encoding Standard; undefined for others. */
export function standardName(label: string): string | undefined {
  try {
    return new TextDecoder(label).encoding;
  } catch {
    return undefined;
  }
}

const [ESCAPE, SHIFT_OUT, SHIFT_IN, TILDE, BRACE_OPEN, BRACE_CLOSE, LINE_FEED] = [
  27, 14, 15, 126, 123, 125, 10,
];

/** Encodings of 7 bits that switch between ASCII and pairs of bytes, and the encoding that the pairs are in. */
const PAIRS: Record<string, string> = {
  'hz-gb-2312': 'gbk',
  'iso-2022-kr': 'euc-kr',
  'iso-2022-cn': 'gbk',
};

export const isShiftedEncoding = (name: string): boolean => Object.hasOwn(PAIRS, name);

/** Decodes old mail in HZ, ISO-2022-KR or ISO-2022-CN, which neither library reads. Linear. */
export function decodeShifted(bytes: Uint8Array, encoding: string): string {
  const isHz = encoding === 'hz-gb-2312';
  const decoded: number[] = [];
  let isPair = false;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]!;
    const next = bytes[at + 1];
    if (isHz && byte === TILDE && (next === BRACE_OPEN || next === BRACE_CLOSE)) {
      isPair = next === BRACE_OPEN;
      at += 1;
    } else if (isHz && byte === TILDE && !isPair) {
      // A doubled tilde is one, and one before a line end continues the line.
      if (next === TILDE) decoded.push(TILDE);
      if (next === TILDE || next === LINE_FEED) at += 1;
      else decoded.push(byte);
    } else if (!isHz && (byte === SHIFT_OUT || byte === SHIFT_IN)) isPair = byte === SHIFT_OUT;
    // Designates the set of pairs: ESC $ ) and a letter.
    else if (!isHz && byte === ESCAPE && next === 0x24) at += 3;
    else {
      if (byte === LINE_FEED) isPair = false;
      decoded.push(isPair && byte > 32 ? byte | 0x80 : byte);
    }
  }
  return iconv.decode(Buffer.from(decoded), PAIRS[encoding] ?? 'ascii');
}

/**
 * Returns where the text of a file starts: after the NUL bytes of a log that was cut while a program wrote it,
 * at an even offset.
 */
export function textStart(bytes: Uint8Array): number {
  const first = bytes.findIndex((byte) => byte !== 0);
  // Two zero bytes may be a character of UTF-32.
  return first < 4 ? 0 : first - (first % 2);
}

/**
 * Replaces NUL characters, which neither documents nor databases can contain, with words that count them: `[64 NUL
 * bytes]`.
 */
export function nameNulBytes(text: string): string {
  if (!text.includes('\0')) return text;
  return text.replace(/\0+/g, ({ length }) => (length === 1 ? '[1 NUL byte]' : `[${length} NUL bytes]`));
}
