import { hasSpace, pairsOf, startsSmall, visibleLine } from '#contracts/text.js';
import type { PersonName } from '#contracts/bibliography-names.js';
import { ISSUED, type Reference } from '#contracts/bibliography.js';
import forms from './forms.json' with { type: 'json' };
import { createReference, type ReferenceEntry } from './entry.js';

/** An entry as written: field names in lower case, values with their LaTeX. */
interface RawEntry {
  type: string;
  key: string;
  fields: Map<string, string>;
}

/** Months by the names that BibTeX predefines. */
const MONTHS = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ');

/**
 * Reads the entries of a BibTeX or BibLaTeX file. What is not an entry is ignored, as BibTeX does; an entry without an
 * end is left out.
 */
export function readBibtex(text: string): ReferenceEntry[] {
  return new BibtexReader(text).entries().map((entry) => ({ key: entry.key, reference: referenceOf(entry) }));
}

/** Reads the syntax of BibTeX: entries, `@string` abbreviations and `#` concatenation. */
class BibtexReader {
  private at = 0;
  private readonly strings = new Map(MONTHS.map((name): [string, string] => [name, name]));

  constructor(private readonly text: string) {}

  entries(): RawEntry[] {
    const entries: RawEntry[] = [];
    for (this.at = this.text.indexOf('@'); this.at >= 0; this.at = this.text.indexOf('@', this.at)) {
      const start = ++this.at;
      const entry = this.entry();
      if (entry) entries.push(entry);
      // After a damaged entry, the next one begins at the next "@".
      else if (this.at >= this.text.length) this.at = start;
    }
    return entries;
  }

  private entry(): RawEntry | null {
    const type = this.word().toLowerCase();
    this.space();
    const open = this.text[this.at];
    if (type === '' || (open !== '{' && open !== '(')) return null;
    if (type === 'comment' || type === 'preamble') return this.skip();
    this.at++;
    const close = open === '{' ? '}' : ')';
    const key = type === 'string' ? '' : this.key(close);
    const fields = this.fields(close);
    if (fields === null) return null;
    if (type !== 'string') return { type, key, fields };
    for (const [name, value] of fields) this.strings.set(name, value);
    return null;
  }

  /** Passes over the text in braces of a comment or preamble. */
  private skip(): null {
    const start = this.at;
    if (this.braced() === null) this.at = start;
    return null;
  }

  private key(close: string): string {
    const start = this.at;
    while (this.at < this.text.length && this.text[this.at] !== ',' && this.text[this.at] !== close)
      this.at++;
    return this.text.slice(start, this.at).trim();
  }

  private fields(close: string): Map<string, string> | null {
    const fields = new Map<string, string>();
    for (;;) {
      this.space();
      if (this.text[this.at] === ',') this.at++;
      else if (this.text[this.at] === close) {
        this.at++;
        return fields;
      } else {
        const name = this.word().toLowerCase();
        this.space();
        if (name === '' || this.text[this.at] !== '=') return null;
        this.at++;
        const value = this.value();
        if (value === null) return null;
        if (!fields.has(name)) fields.set(name, value);
      }
    }
  }

  private value(): string | null {
    let value = '';
    for (;;) {
      this.space();
      const part = this.part();
      if (part === null) return null;
      value += part;
      this.space();
      if (this.text[this.at] !== '#') return value;
      this.at++;
    }
  }

  private part(): string | null {
    const open = this.text[this.at];
    if (open === '{') return this.braced();
    if (open === '"') return this.quoted();
    const word = this.word();
    return word === '' ? null : (this.strings.get(word.toLowerCase()) ?? word);
  }

  private braced(): string | null {
    const start = ++this.at;
    let depth = 1;
    for (; this.at < this.text.length; this.at++) {
      const character = this.text[this.at];
      if (character === '\\') this.at++;
      else if (character === '{') depth++;
      else if (character === '}' && --depth === 0) return this.text.slice(start, this.at++);
    }
    return null;
  }

  private quoted(): string | null {
    const start = ++this.at;
    let depth = 0;
    for (; this.at < this.text.length; this.at++) {
      const character = this.text[this.at];
      if (character === '\\') this.at++;
      else if (character === '{') depth++;
      else if (character === '}') depth--;
      else if (character === '"' && depth <= 0) return this.text.slice(start, this.at++);
    }
    return null;
  }

  private space(): void {
    while (hasSpace(this.text[this.at] ?? '')) this.at++;
  }

  private word(): string {
    const start = this.at;
    while (/[^\s{}()",=#%@]/.test(this.text[this.at] ?? '')) this.at++;
    return this.text.slice(start, this.at);
  }
}

const TYPES = forms.bibtex.types as Record<string, Reference['type']>;
/** Fields of a reference by BibTeX's names; the first field that an entry has counts, others are in `other`. */
const PLACES = Object.entries(forms.bibtex.fields) as [string, keyof Reference][];

function referenceOf({ type, fields }: RawEntry): Reference {
  const found = new Map<string, unknown>([['type', own(TYPES, type) ?? 'other']]);
  const unplaced = new Map(fields);
  const place = (field: keyof Reference, value: unknown, ...names: string[]) => {
    if (value === undefined || found.has(field)) return;
    found.set(field, value);
    for (const name of names) unplaced.delete(name);
  };
  for (const [name, field] of PLACES) place(field, decoded(fields.get(name)), name);
  place('url', address(fields.get('url')), 'url');
  place('authors', readBibtexNames(fields.get('author')), 'author');
  place('editors', readBibtexNames(fields.get('editor')), 'editor');
  place('issued', dated(decoded(fields.get('date'))), 'date');
  place('issued', yearAndMonth(fields), 'year', 'month');
  place('issued', dated(decoded(fields.get('year'))), 'year');
  const other = new Map<string, unknown>(
    found.get('type') === 'other' && type !== 'misc' ? [['entry_type', type]] : [],
  );
  for (const [name, value] of unplaced) other.set(name, decoded(value) ?? '');
  return createReference(found, other);
}

/** Returns the value of an own key, because names come from a file. */
const own = <Value>(of: Record<string, Value>, name: string): Value | undefined =>
  Object.hasOwn(of, name) ? of[name] : undefined;

const decoded = (value: string | undefined): string | undefined =>
  value === undefined ? undefined : visibleLine(decodeLatex(value)) || undefined;

const dated = (value: string | undefined): string | undefined =>
  value !== undefined && ISSUED.test(value) ? value : undefined;

/** Returns an address, whose characters LaTeX would read as commands. */
function address(value: string | undefined): string | undefined {
  const text = value?.replace(/\\([#$%&_~{}])/g, '$1').replace(/^\{|\}$/g, '');
  return text === undefined ? undefined : visibleLine(text) || undefined;
}

function yearAndMonth(fields: ReadonlyMap<string, string>): string | undefined {
  const year = decoded(fields.get('year')) ?? '';
  const month = (decoded(fields.get('month')) ?? '').toLowerCase();
  const number = /^\d{1,2}$/.test(month) ? Number(month) : MONTHS.indexOf(month.slice(0, 3)) + 1;
  if (!/^\d{4}$/.test(year) || number < 1 || number > 12) return undefined;
  return `${year}-${String(number).padStart(2, '0')}`;
}

/**
 * Reads names separated by `and`: `Nowak, Ada`, `van Beethoven, Ludwig`, `King, Jr, Martin`, `Ludwig van Beethoven`, or
 * an institution in braces.
 */
function readBibtexNames(source = ''): PersonName[] | undefined {
  const names = splitOutsideBraces(source, 'and').flatMap((name) => {
    const trimmed = name.trim();
    const isInstitution = splitOutsideBraces(trimmed, 'space').length === 1 && !hasComma(trimmed);
    if (isInstitution) return named(decodeLatex(trimmed));
    const parts = splitOutsideBraces(trimmed, 'comma').map((part) => decodeLatex(part));
    if (parts.length > 1) {
      const [family = '', ...rest] = parts;
      return named(family, rest.at(-1), rest.length > 1 ? rest.slice(0, -1).join(', ') : '');
    }
    const words = splitOutsideBraces(trimmed, 'space').map((word) => decodeLatex(word));
    const particle = words.findIndex((word, index) => index < words.length - 1 && startsSmall(word));
    const from = particle < 0 ? words.length - 1 : particle;
    return named(words.slice(from).join(' '), words.slice(0, from).join(' '));
  });
  return names.length > 0 ? names : undefined;
}

const hasComma = (text: string): boolean => splitOutsideBraces(text, 'comma').length > 1;

function named(...parts: [family: string, given?: string, suffix?: string]): PersonName[] {
  const [family = '', given = '', suffix = ''] = parts.map((part = '') => visibleLine(part));
  if (family === '' && given === '') return [];
  if (family === '') return [{ family: given }];
  return [{ family, ...(given && { given }), ...(suffix && { suffix }) }];
}

const SEPARATORS = { and: /^\s+and(?=\s)/i, comma: /^,/, space: /^\s+/ };

function splitOutsideBraces(text: string, by: keyof typeof SEPARATORS): string[] {
  const parts: string[] = [];
  let depth = 0;
  let start = 0;
  for (let at = 0; at < text.length;) {
    const character = text[at]!;
    const found = depth === 0 ? SEPARATORS[by].exec(text.slice(at, at + 200)) : null;
    if (found) {
      parts.push(text.slice(start, at));
      at += found[0].length;
      start = at;
      continue;
    }
    if (character === '\\') at++;
    else if (character === '{') depth++;
    else if (character === '}') depth = Math.max(0, depth - 1);
    at++;
  }
  parts.push(text.slice(start));
  return parts.filter((part) => part.trim() !== '');
}

/** Combining characters of LaTeX's accent commands. */
const ACCENTS = new Map(
  pairsOf(
    '`:\u0300 \':\u0301 ^:\u0302 ~:\u0303 =:\u0304 u:\u0306 .:\u0307 ":\u0308 r:\u030a H:\u030b v:\u030c d:\u0323 c:\u0327 k:\u0328 b:\u0331',
  ),
);
/** Characters of LaTeX's letter and symbol commands. */
const SYMBOLS = new Map(
  pairsOf(
    'aa:å AA:Å ae:æ AE:Æ o:ø O:Ø oe:œ OE:Œ l:ł L:Ł ss:ß i:ı j:ȷ dh:ð DH:Ð th:þ TH:Þ dj:đ DJ:Đ textendash:– textemdash:— textquoteright:’ textquoteleft:‘ textquotedblleft:“ textquotedblright:” textbackslash:\\ textasciitilde:~ textasciicircum:^ ldots:… dots:… S:§ copyright:© pounds:£',
  ),
);
/** Letters whose dot an accent replaces. */
const DOTLESS: Record<string, string> = { ı: 'i', ȷ: 'j' };
const COMMAND = /^\\(?:([A-Za-z]+)\s*|([^A-Za-z]))/;

/**
 * Decodes the LaTeX of a BibTeX value: accents, letters, dashes, quotation marks and non-breaking spaces become characters,
 * braces and formatting commands are removed. Formulas between `$` are not changed.
 */
function decodeLatex(source: string): string {
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
      const symbol = SYMBOLS.get(name);
      if (ACCENTS.has(name)) accent = ACCENTS.get(name)!;
      else if (symbol !== undefined) add(symbol);
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
