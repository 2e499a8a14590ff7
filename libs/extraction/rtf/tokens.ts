/** Use of a group's words. `ignore` drops them, but not the group's inner groups. */
export type Destination =
  | 'text'
  | 'skip'
  | 'ignore'
  | 'fonts'
  | 'styles'
  | 'lists'
  | 'levelText'
  | 'label'
  | 'collect'
  | 'field'
  | 'picture'
  | 'math';

const named = (destination: Destination, names: string): [string, Destination][] =>
  names.split(' ').map((name) => [name, destination]);

/** Groups by the word that begins them. */
export const DESTINATIONS: ReadonlyMap<string, Destination> = new Map([
  ...named('text', 'field fldrslt footnote annotation shptxt dptxbxtext shppict object result ud'),
  ...named('text', 'header headerl headerr headerf footer footerl footerr footerf'),
  ...named('ignore', 'shp shpgrp shpinst sp do picprop'),
  ...named('fonts', 'fonttbl'),
  ...named('styles', 'stylesheet'),
  ...named('lists', 'listtable listoverridetable'),
  ...named('levelText', 'leveltext'),
  ...named('label', 'listtext pntext'),
  ...named('collect', 'sn sv ffl'),
  ...named('field', 'fldinst formfield'),
  ...named('picture', 'pict'),
  ...named('math', 'mmath mmathPara moMath moMathPara'),
]);

/**
 * Groups of words that are not shown and that may lack `\*`: tables of the file, notes of programs, index entries,
 * and repetitions of what another group shows.
 */
export const SKIPPED: ReadonlySet<string> = new Set(
  (
    'colortbl info filetbl revtbl levelnumbers listname nonshppict shprslt nonesttables xe tc tcn rxe txe objdata objclass objname ' +
    'ftnsep ftnsepc ftncn aftnsep aftnsepc aftncn pntxta pntxtb mmathPict themedata colorschememapping'
  ).split(' '),
);

/** Characters by their symbols and words. */
export const CHARACTERS: ReadonlyMap<string, string> = new Map([
  ['\\', '\\'],
  ['{', '{'],
  ['}', '}'],
  ['~', '\u00a0'],
  ['_', '\u2011'],
  ['-', '\u00ad'],
  ['tab', '\t'],
  ['emdash', '—'],
  ['endash', '–'],
  ['emspace', '\u2003'],
  ['enspace', '\u2002'],
  ['qmspace', '\u2005'],
  ['bullet', '•'],
  ['lquote', '‘'],
  ['rquote', '’'],
  ['ldblquote', '“'],
  ['rdblquote', '”'],
  ['zwj', '\u200d'],
  ['zwnj', '\u200c'],
  ['zwbo', '\u200b'],
  ['zwnbo', '\u2060'],
  ['ltrmark', '\u200e'],
  ['rtlmark', '\u200f'],
]);

/** A piece of an RTF file. */
export type RtfToken =
  | { type: 'open' }
  | { type: 'close' }
  /** `\par`, `\fs24`: `value` is null without a number. */
  | { type: 'word'; name: string; value: number | null }
  /** `\~`, `\*`: one character other than a letter. */
  | { type: 'symbol'; name: string }
  /** A byte in the code page of its font: `\'e9`, or as it is. */
  | { type: 'byte'; value: number }
  /** ASCII without line ends, which are ignored. */
  | { type: 'text'; text: string }
  | { type: 'binary'; bytes: Uint8Array };

const BACKSLASH = 0x5c;
const OPEN = 0x7b;
const CLOSE = 0x7d;
const APOSTROPHE = 0x27;
const MINUS = 0x2d;
const BLANK = 0x20;
const LONGEST_WORD = 32;
const LONGEST_NUMBER = 10;

const isLetter = (byte: number | undefined) =>
  byte !== undefined && ((byte >= 0x41 && byte <= 0x5a) || (byte >= 0x61 && byte <= 0x7a));
const isDigit = (byte: number | undefined) => byte !== undefined && byte >= 0x30 && byte <= 0x39;
const isPlain = (byte: number) =>
  byte < 0x80 && byte >= BLANK && byte !== BACKSLASH && byte !== OPEN && byte !== CLOSE;

/** Reads the tokens of an RTF file one after the other, in linear time. Any bytes are read, also damaged ones. */
export function* rtfTokens(bytes: Uint8Array): Generator<RtfToken> {
  let at = 0;
  while (at < bytes.length) {
    const byte = bytes[at]!;
    if (byte === OPEN) yield { type: 'open' };
    else if (byte === CLOSE) yield { type: 'close' };
    else if (byte === BACKSLASH) {
      const { token, end } = controlAt(bytes, at + 1);
      at = end;
      if (token) yield token;
      continue;
    } else if (isPlain(byte)) {
      const start = at;
      while (at < bytes.length && isPlain(bytes[at]!)) at++;
      yield { type: 'text', text: asciiOf(bytes, start, at) };
      continue;
    } else if (byte === 0x09) yield { type: 'word', name: 'tab', value: null };
    else if (byte >= 0x80) yield { type: 'byte', value: byte };
    at++;
  }
}

function controlAt(bytes: Uint8Array, start: number): { token: RtfToken | null; end: number } {
  const byte = bytes[start];
  if (byte === undefined) return { token: null, end: start };
  if (byte === APOSTROPHE) {
    const value = Number.parseInt(asciiOf(bytes, start + 1, start + 3), 16);
    return { token: Number.isNaN(value) ? null : { type: 'byte', value }, end: start + 3 };
  }
  if (!isLetter(byte)) {
    // An escaped line end ends a paragraph.
    const token: RtfToken =
      byte === 0x0a || byte === 0x0d
        ? { type: 'word', name: 'par', value: null }
        : { type: 'symbol', name: String.fromCharCode(byte) };
    const isPair = byte === 0x0d && bytes[start + 1] === 0x0a;
    return { token, end: start + (isPair ? 2 : 1) };
  }
  let at = start;
  while (isLetter(bytes[at]) && at - start < LONGEST_WORD) at++;
  const name = asciiOf(bytes, start, at);
  const digits = bytes[at] === MINUS && isDigit(bytes[at + 1]) ? at + 1 : at;
  let end = digits;
  while (isDigit(bytes[end]) && end - digits < LONGEST_NUMBER) end++;
  const value = end === digits ? null : Number(asciiOf(bytes, at, end));
  if (bytes[end] === BLANK) end++;
  if (name !== 'bin' || value === null) return { token: { type: 'word', name, value }, end };
  const last = Math.min(bytes.length, end + Math.max(0, value));
  return { token: { type: 'binary', bytes: bytes.subarray(end, last) }, end: last };
}

function asciiOf(bytes: Uint8Array, start: number, end: number): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset + start, Math.min(end, bytes.length) - start).toString(
    'latin1',
  );
}
