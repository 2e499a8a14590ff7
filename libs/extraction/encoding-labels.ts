import iconv from 'iconv-lite';
import { isShiftedEncoding } from './shifted-encodings.js';

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
