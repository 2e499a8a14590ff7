/** Combining characters of LaTeX's accent commands. */
const ACCENTS: Record<string, string> = {
  '`': '\u0300',
  "'": '\u0301',
  '^': '\u0302',
  '~': '\u0303',
  '=': '\u0304',
  u: '\u0306',
  '.': '\u0307',
  '"': '\u0308',
  r: '\u030a',
  H: '\u030b',
  v: '\u030c',
  d: '\u0323',
  c: '\u0327',
  k: '\u0328',
  b: '\u0331',
};
/** Characters of LaTeX's letter and symbol commands. */
const SYMBOLS: Record<string, string> = {
  aa: 'å',
  AA: 'Å',
  ae: 'æ',
  AE: 'Æ',
  o: 'ø',
  O: 'Ø',
  oe: 'œ',
  OE: 'Œ',
  l: 'ł',
  L: 'Ł',
  ss: 'ß',
  i: 'ı',
  j: 'ȷ',
  dh: 'ð',
  DH: 'Ð',
  th: 'þ',
  TH: 'Þ',
  dj: 'đ',
  DJ: 'Đ',
  textendash: '–',
  textemdash: '—',
  textquoteright: '’',
  textquoteleft: '‘',
  textquotedblleft: '“',
  textquotedblright: '”',
  textbackslash: '\\',
  textasciitilde: '~',
  textasciicircum: '^',
  ldots: '…',
  dots: '…',
  S: '§',
  copyright: '©',
  pounds: '£',
};
/** Letters whose dot an accent replaces. */
const DOTLESS: Record<string, string> = { ı: 'i', ȷ: 'j' };
const COMMAND = /^\\(?:([A-Za-z]+)\s*|([^A-Za-z]))/;

/**
 * Decodes the LaTeX of a BibTeX value: accents, letters, dashes, quotation marks and non-breaking spaces become characters,
 * braces and formatting commands are removed. Formulas between `$` are not changed.
 */
export function decodeLatex(source: string): string {
  let text = '';
  let accent = '';
  let isMath = false;
  const add = (piece: string) => {
    const base = accent === '' ? piece : (DOTLESS[piece] ?? piece);
    text += base === '' ? '' : base + accent;
    if (base !== '') accent = '';
  };
  for (let at = 0; at < source.length;) {
    const rest = source.slice(at, at + 40);
    const command = COMMAND.exec(rest);
    if (command && !isMath) {
      at += command[0].length;
      const name = command[1] ?? command[2]!;
      if (ACCENTS[name] !== undefined) accent = ACCENTS[name];
      else if (SYMBOLS[name] !== undefined) add(SYMBOLS[name]);
      else if (command[2] !== undefined) add(name === '\\' ? ' ' : name.trim() === '' ? ' ' : name);
      continue;
    }
    const character = String.fromCodePoint(source.codePointAt(at)!);
    at += character.length;
    if (command) add(character);
    else if (character === '$') {
      isMath = !isMath;
      add(character);
    } else if (isMath) add(character);
    else if (character === '{' || character === '}') continue;
    else if (character === '~') add('\u00a0');
    else if (character === '-' && source[at] === '-') {
      const dashes = /^-{1,2}/.exec(source.slice(at, at + 2))![0].length;
      at += dashes;
      add(dashes === 1 ? '–' : '—');
    } else if (source.startsWith('`', at) && character === '`') {
      at += 1;
      add('“');
    } else if (source.startsWith("'", at) && character === "'") {
      at += 1;
      add('”');
    } else add(character);
  }
  return text
    .normalize('NFC')
    .replace(/[ \t\r\n]+/g, ' ')
    .trim();
}
