import { decodeAs } from '../decode.js';
import { symbolCharacter } from '../office/symbols.js';
import { type Piece, type PieceList, withShifted } from '../piece.js';

/** Groups without text for readers. */
const SKIPPED = new Set(
  (
    'fonttbl colortbl stylesheet info pict generator listtable listoverridetable rsidtbl themedata colorschememapping datastore ' +
    'latentstyles xmlnstbl fldinst pnseclvl pn bkmkstart bkmkend template objdata objclass nonshppict sn sp ' +
    'atrfstart atrfend atnid atnauthor atndate atnref atntime revtbl filetbl fchars lchars private mmathPict wgrffmtfilter ftnsep ftnsepc aftnsep ' +
    'aftnsepc ftncn aftncn blipuid picprop sv xe tc tcn rxe txe nonesttables shprslt'
  ).split(' '),
);
/** Optional groups (`\*`) with text; others are skipped. */
const OPTIONAL = new Set(
  'shpinst ud annotation shptxt formfield ffresult mmath mmathPara moMath moMathPara nesttableprops'.split(
    ' ',
  ),
);
/** Properties of formulas, such as the kind of a fraction. */
const MATH_PROPERTIES = /^m[A-Za-z]{1,20}Pr$/;
/** Parts of formulas that do not join the words before them. */
const MATH_PARTS = new Set('mnum mden me mdeg mlim mfName moMath'.split(' '));
/** Number of a list item, which precedes its paragraph as text. */
const NUMBER = 'number';
const PLACES: Record<string, string> = {
  header: 'header', headerl: 'header', headerr: 'header', headerf: 'header', footer: 'footer', footerl: 'footer', footerr: 'footer',
  footerf: 'footer', footnote: 'note', annotation: 'comment', shptxt: 'text box', listtext: NUMBER, pntext: NUMBER,
}; // prettier-ignore
const BREAKS = new Set(['par', 'sect', 'page', 'cell', 'row', 'nestcell', 'nestrow']);
const BLANKS = new Set('tab line emspace enspace qmspace softline column lbr'.split(' '));
const CHARACTERS: Record<string, string> = {
  ...{
    emdash: '—',
    endash: '–',
    bullet: '•',
    lquote: '‘',
    rquote: '’',
    ldblquote: '“',
    rdblquote: '”',
    '~': ' ',
    _: '-',
    '-': '',
  },
};
/** Encodings of fonts by `\fcharset`; 2 is a symbol font. */
const CHARSETS: Record<number, string> = {
  ...{
    77: 'macintosh',
    128: 'shift_jis',
    129: 'euc-kr',
    134: 'gbk',
    136: 'big5',
    161: 'windows-1253',
    162: 'windows-1254',
  },
  ...{
    163: 'windows-1258',
    177: 'windows-1255',
    178: 'windows-1256',
    186: 'windows-1257',
    204: 'windows-1251',
    222: 'windows-874',
  },
  ...{ 238: 'windows-1250', 254: 'cp437', 255: 'cp850' },
};

interface State {
  isSkipped: boolean;
  place: string;
  font: number;
  /** Number of fallback characters after `\u`. */
  unicodeSkip: number;
  shift: '^' | '_' | null;
  /** Set for text that is deleted or hidden. */
  unseen: 'deleted text' | 'hidden text' | null;
}

/** Lists the pieces of an RTF text: paragraphs, cells, headers, footers, notes, comments, text boxes, deleted text. */
export function listRtf(bytes: Uint8Array, list: PieceList): void {
  // A byte order mark or blanks may precede the document.
  new RtfReader(list).read(bytes.subarray(Math.max(0, bytes.subarray(0, 20).indexOf(0x7b))));
}

class RtfReader {
  private readonly states: State[] = [];
  private state: State = {
    isSkipped: false,
    place: '',
    font: 0,
    unicodeSkip: 1,
    shift: null,
    unseen: null,
  };
  private readonly fonts = new Map<number, { encoding: string | null; name: string }>();
  private fontTable: { depth: number; font: number; name: string } | null = null;
  private encoding = 'windows-1252';
  private defaultFont = 0;
  private isOptional = false;
  private isFirst = false;
  /** Characters that repeat a `\u` before them. */
  private repeated = 0;
  private bytes: number[] = [];
  private readonly texts = new Map<string, string>();
  private run = '';
  private rows = 0;
  private number = '';
  private isInTable = false;
  private readonly counts = new Map<string, number>();

  constructor(private readonly list: PieceList) {}

  read(bytes: Uint8Array): void {
    for (const token of readTokens(bytes)) this.take(token);
    this.endRun();
    for (const place of [...this.texts.keys()]) this.endParagraph(place);
  }

  private take(token: RtfToken): void {
    if (token.kind === 'byte') {
      // Blanks may precede the word that determines the kind of a group.
      if (token.value > 32) this.isFirst = false;
      return this.byte(token.value);
    }
    this.flushBytes();
    if (token.kind === 'word') {
      this.control(token.word, token.value);
      if (token.word !== '*') this.isFirst = false;
    } else if (token.kind === 'open') this.begin();
    else this.end();
  }

  private begin(): void {
    this.states.push({ ...this.state });
    this.isFirst = true;
    this.isOptional = false;
    this.repeated = 0;
  }

  private end(): void {
    const before = this.states.pop();
    if (!before) return;
    if (this.fontTable && this.states.length < this.fontTable.depth) this.fontTable = null;
    if (before.shift !== this.state.shift || before.unseen !== this.state.unseen) this.endRun();
    if (before.place !== this.state.place) {
      this.endRun();
      this.endParagraph(this.state.place);
    }
    this.state = before;
    this.repeated = 0;
  }

  private byte(value: number): void {
    if (this.repeated > 0) this.repeated -= 1;
    else if (this.fontTable) this.nameFont(String.fromCharCode(value));
    else if (!this.state.isSkipped) this.bytes.push(value);
  }

  private control(word: string, value: number | null): void {
    if (word === '*') return void (this.isOptional = true);
    if (this.isFirst) this.destination(word);
    if (this.fontTable) return this.fontEntry(word, value ?? 0);
    if (word === 'u') this.unicode(value ?? 0);
    else if (word === 'uc') this.state.unicodeSkip = value ?? 1;
    else if (word === 'ansicpg') this.encoding = codePage(value ?? 1252);
    else if (word === 'mac') this.encoding = 'macintosh';
    else if (word === 'deff') this.defaultFont = this.state.font = value ?? 0;
    else if (word === 'f') this.state.font = value ?? 0;
    else if (word === 'plain') this.setPlain();
    else if (word === 'super') this.setShift(value === 0 ? null : '^');
    else if (word === 'sub') this.setShift(value === 0 ? null : '_');
    else if (word === 'nosupersub') this.setShift(null);
    else if (word === 'deleted') this.setUnseen(value === 0 ? null : 'deleted text');
    else if (word === 'v') this.setUnseen(value === 0 ? null : 'hidden text');
    else if (word === 'pard' || word === 'intbl') this.isInTable = word === 'intbl';
    else if (BREAKS.has(word)) this.breakHere(word);
    else if (BLANKS.has(word)) this.words(' ');
    else if (Object.hasOwn(CHARACTERS, word)) this.words(CHARACTERS[word]!);
  }

  /** Applies the first word of a group, which determines the kind of the group. */
  private destination(word: string): void {
    if (word === 'fonttbl') this.fontTable = { depth: this.states.length, font: 0, name: '' };
    const isUnread = SKIPPED.has(word) || MATH_PROPERTIES.test(word);
    if (isUnread || (this.isOptional && !OPTIONAL.has(word))) this.state.isSkipped = true;
    // `{\upr{ANSI}{\*\ud{Unicode}}}` has the same text twice; the second one counts.
    else if (word === 'upr') this.state.isSkipped = true;
    else if (word === 'ud') this.state.isSkipped = this.states.at(-2)?.isSkipped ?? false;
    if (MATH_PARTS.has(word)) this.words(' ');
    if (word === 'msup' || word === 'msub') this.setShift(word === 'msup' ? '^' : '_');
    if (Object.hasOwn(PLACES, word) && !this.state.isSkipped) {
      this.endRun();
      this.state.place = this.numbered(PLACES[word]!);
    }
  }

  private fontEntry(word: string, value: number): void {
    const table = this.fontTable!;
    if (word === 'f') {
      table.font = value;
      table.name = '';
      this.fonts.set(value, { encoding: null, name: '' });
    } else if (word === 'fcharset') {
      const isSymbol = value === 2;
      this.fonts.set(table.font, { encoding: isSymbol ? 'symbol' : (CHARSETS[value] ?? null), name: '' });
    }
  }

  private nameFont(character: string): void {
    const table = this.fontTable!;
    table.name += character;
    const font = this.fonts.get(table.font);
    if (font) font.name = table.name.split(';')[0]!.trim();
  }

  private unicode(value: number): void {
    const point = value < 0 ? value + 65_536 : value;
    this.words(this.symbol(point) ?? String.fromCharCode(point));
    this.repeated = this.state.unicodeSkip;
  }

  /** Returns a character of a symbol font; null for other fonts. */
  private symbol(point: number): string | null {
    const font = this.fonts.get(this.state.font);
    return font?.encoding === 'symbol' ? symbolCharacter(font.name || 'Symbol', point.toString(16)) : null;
  }

  private flushBytes(): void {
    if (this.bytes.length === 0) return;
    const bytes = this.bytes;
    this.bytes = [];
    const encoding = this.fonts.get(this.state.font)?.encoding ?? this.encoding;
    if (encoding === 'symbol')
      return this.words(bytes.map((byte) => (byte === 32 ? ' ' : this.symbol(byte))).join(''));
    const isPlain = bytes.every((byte) => byte < 0x80);
    this.words(decodeAs(Uint8Array.from(bytes), isPlain ? 'utf-8' : encoding) ?? '');
  }

  private words(text: string): void {
    if (!this.state.isSkipped) this.run += text;
  }

  private setShift(shift: '^' | '_' | null, font = this.state.font): void {
    if (shift !== this.state.shift) this.endRun();
    this.state.shift = shift;
    this.state.font = font;
  }

  private setPlain(): void {
    this.setShift(null, this.defaultFont);
    this.setUnseen(null);
  }

  private setUnseen(unseen: State['unseen']): void {
    this.endRun();
    this.state.unseen = unseen;
  }

  private endRun(): void {
    const { run, state } = this;
    this.run = '';
    if (run === '') return;
    const key = state.unseen === null ? state.place : `${state.unseen} ${state.place}`.trim();
    this.texts.set(key, withShifted(this.texts.get(key) ?? '', run, state.shift));
  }

  private breakHere(word: string): void {
    if (this.state.isSkipped) return;
    this.endRun();
    this.endParagraph(this.state.place, this.isInTable ? { row: `row ${this.rows}` } : {});
    if (word === 'row') this.rows += 1;
  }

  private endParagraph(key: string, rest: Partial<Piece> = {}): void {
    const text = this.texts.get(key) ?? '';
    this.texts.delete(key);
    if (text.trim() === '') return;
    if (key.includes(NUMBER)) {
      // Markdown may write letters as the numbers that they stand for.
      this.number = /^[\d.()]+$/.test(text.trim()) ? text.trim() : '';
      return;
    }
    if (/^(?:header|footer) /.test(key)) this.list.addRunning({ place: key, text });
    else
      this.list.add({
        ...rest,
        place: key === '' ? this.numbered('paragraph') : key,
        number: this.number,
        text,
      });
    this.number = '';
  }

  private numbered(what: string): string {
    const number = (this.counts.get(what) ?? 0) + 1;
    this.counts.set(what, number);
    return `${what} ${number}`;
  }
}

function codePage(number: number): string {
  const names: Record<number, string> = {
    932: 'shift_jis',
    936: 'gbk',
    949: 'euc-kr',
    950: 'big5',
    65001: 'utf-8',
  };
  return names[number] ?? (number >= 1250 && number <= 1258 ? `windows-${number}` : `cp${number}`);
}

/** Part of an RTF text: a bracket, a control word with its number, or a character as a byte. */
type RtfToken =
  | { kind: 'open' }
  | { kind: 'close' }
  | { kind: 'word'; word: string; value: number | null }
  | { kind: 'byte'; value: number };

const BACKSLASH = 0x5c;
const isLetter = (byte: number | undefined) =>
  byte !== undefined && ((byte >= 97 && byte <= 122) || (byte >= 65 && byte <= 90));
const isDigit = (byte: number | undefined) => byte !== undefined && byte >= 48 && byte <= 57;

/** Yields the tokens of an RTF text. Binary data (`\bin`) is skipped. Linear. */
function* readTokens(bytes: Uint8Array): Generator<RtfToken> {
  for (let at = 0; at < bytes.length;) {
    const byte = bytes[at]!;
    if (byte === 0x7b || byte === 0x7d) {
      yield { kind: byte === 0x7b ? 'open' : 'close' };
      at += 1;
    } else if (byte === BACKSLASH) {
      const { token, next } = controlAt(bytes, at + 1);
      if (token) yield token;
      at = next;
    } else {
      // Ignore line ends and NUL bytes.
      if (byte !== 0x0a && byte !== 0x0d && byte !== 0) yield { kind: 'byte', value: byte };
      at += 1;
    }
  }
}

function controlAt(bytes: Uint8Array, from: number): { token: RtfToken | null; next: number } {
  const first = bytes[from];
  if (first === undefined) return { token: null, next: from };
  if (!isLetter(first)) return symbolAt(bytes, from, first);
  let at = from;
  while (isLetter(bytes[at]) && at - from < 64) at += 1;
  const word = String.fromCharCode(...bytes.subarray(from, at));
  let end = at;
  if (bytes[end] === 0x2d) end += 1;
  const digits = end;
  while (isDigit(bytes[end]) && end - digits < 12) end += 1;
  const value = end > digits ? Number(String.fromCharCode(...bytes.subarray(at, end))) : null;
  let next = value === null ? at : end;
  if (bytes[next] === 0x20) next += 1;
  if (word === 'bin' && value !== null && value > 0) return { token: null, next: next + value };
  return { token: { kind: 'word', word, value }, next };
}

function symbolAt(bytes: Uint8Array, from: number, first: number): { token: RtfToken; next: number } {
  if (first === 0x27) {
    const value = Number.parseInt(String.fromCharCode(...bytes.subarray(from + 1, from + 3)), 16);
    return { token: { kind: 'byte', value: Number.isNaN(value) ? 0x3f : value }, next: from + 3 };
  }
  // An escaped line end ends a paragraph.
  if (first === 0x0a || first === 0x0d)
    return { token: { kind: 'word', word: 'par', value: null }, next: from + 1 };
  if (first === BACKSLASH || first === 0x7b || first === 0x7d)
    return { token: { kind: 'byte', value: first }, next: from + 1 };
  return { token: { kind: 'word', word: String.fromCharCode(first), value: null }, next: from + 1 };
}
