import { countWhile } from '#contracts/count-while.js';
import { escapeCell, escapeItem } from '#markdown/escape.js';
import { csvSeparator, parseCsv } from './csv.js';
import { type SourceForm, sourceForm } from './form.js';
import { KEY, lineKey, rowKey } from './keys.js';
import { isText, type ScannedLine, scanMarkdown, splitLines } from '#markdown/scan/scan.js';
import { scanPlainText } from './plain-text.js';
import type { LedgerSource, LineClass } from '../schema.js';

/** Units of matching: each is one line, or the lines of one CSV record. `line` and `last` are 0-based. */
export interface Units {
  ids: Int32Array;
  line: Int32Array;
  last: Int32Array;
}

/**
 * One way to read a source: exactly line by line (`fenced`), as markdown (`structured`), or as table rows
 * (`table`).
 */
export interface Reading {
  form: 'structured' | 'fenced' | 'table';
  units: Units;
  classes: LineClass[];
  scanned: ScannedLine[] | null;
  /** Returns the table row for the first line of a record, to show differences. */
  rowAt?: (line: number) => string | undefined;
}

export interface SourceText {
  index: number;
  name: string;
  form: SourceForm;
  lines: string[];
  notes: string[];
  readings: Reading[];
}

/**
 * The lines of the manuscript with their IDs; -1 if no source has such a line. Blank lines and underlines are
 * not units.
 */
export interface ManuscriptText {
  lines: string[];
  scanned: ScannedLine[];
  units: Units;
}

/** Assigns numbers to keys. Only sources add keys; unknown manuscript lines get -1. */
export class Interner {
  private readonly ids = new Map<string, number>();

  get size(): number {
    return this.ids.size;
  }

  add(key: string): number {
    const known = this.ids.get(key);
    if (known !== undefined) return known;
    this.ids.set(key, this.ids.size);
    return this.ids.size - 1;
  }

  /** Maps a second key to the same number, unless it is already known. */
  alias(key: string, id: number): void {
    if (!this.ids.has(key)) this.ids.set(key, id);
  }

  find(key: string): number {
    return this.ids.get(key) ?? -1;
  }
}

/** Reads a source in every form in which the manuscript may show it. */
export function readSource(source: LedgerSource, index: number, interner: Interner): SourceText {
  const notes: string[] = [];
  let text = source.text;
  if (text.startsWith('\uFEFF')) {
    text = text.slice(1);
    notes.push('byte order mark left out');
  }
  if (text.includes('\r\n')) notes.push('CRLF line ends are written as LF');
  const lines = splitLines(text);
  const form = sourceForm(source.name);
  const readings: Reading[] = [];
  if (form === 'markdown' || form === 'text') readings.push(structured(lines, form, interner));
  if (form === 'table') readings.push(table(lines, source.name, interner));
  readings.push(fenced(lines, form, interner));
  return { index, name: source.name, form, lines, notes, readings };
}

/** Reads the manuscript and looks up its lines among the keys of the sources. */
export function readManuscript(text: string, interner: Interner): ManuscriptText {
  const lines = splitLines(text);
  const { lines: scanned } = scanMarkdown(lines);
  const units = collect(scanned, (line) => {
    const key = lineKey(line);
    return key === null ? null : interner.find(key);
  });
  return { lines, scanned, units };
}

/** Returns the class of a scanned line in the ledger. */
function classOf(line: ScannedLine): LineClass {
  switch (line.kind) {
    case 'setext':
      return 'heading';
    case 'underline':
    case 'fence_open':
    case 'fence_close':
    case 'delimiter':
      return 'markup';
    case 'blank':
      return line.quotes > 0 ? 'markup' : 'blank';
    default:
      return line.kind;
  }
}

function structured(lines: string[], form: SourceForm, interner: Interner): Reading {
  const { lines: scanned } =
    form === 'text' ? scanPlainText(lines) : scanMarkdown(lines, { frontMatter: true });
  const units = collect(scanned, (line, index) => {
    // An underline is carried with its heading. Adding it as text makes a second one in the manuscript a
    // duplicate.
    if (line.kind === 'underline') interner.add(`${KEY.prose}0${line.text}`);
    // Plain text keeps its indentation as part of the line, even if markdown would read it as code.
    const key = form === 'text' && line.kind === 'code' ? (lines[index] as string) : lineKey(line);
    if (key === null) return null;
    const id = interner.add(key);
    if (form === 'text' && isText(line)) addEscaped(lines[index] as string, id, interner);
    return id;
  });
  return { form: 'structured', units, classes: scanned.map(classOf), scanned };
}

/** A manuscript that escapes markdown characters of plain text shows the same line, as may an item of a list. */
function addEscaped(line: string, id: number, interner: Interner): void {
  const escaped = escapeItem(line)
    .trim()
    .replace(/[ \t]+/g, ' ');
  interner.alias(`${KEY.prose}0${escaped}`, id);
  interner.alias(`${KEY.prose}0- ${escaped}`, id);
}

function fenced(lines: string[], form: SourceForm, interner: Interner): Reading {
  const numbers = Int32Array.from(lines, (_, i) => i);
  const ids = Int32Array.from(lines, (line) => interner.add(line));
  const classes = new Array<LineClass>(lines.length).fill(form === 'table' ? 'table' : 'code');
  return { form: 'fenced', units: { ids, line: numbers, last: numbers }, classes, scanned: null };
}

function table(lines: string[], name: string, interner: Interner): Reading {
  const separator = csvSeparator(lines[0] ?? '', name);
  const classes = new Array<LineClass>(lines.length).fill('blank');
  const ids: number[] = [];
  const first: number[] = [];
  const last: number[] = [];
  for (const { cells, line, lastLine } of parseCsv(lines, separator)) {
    const id = interner.add(rowKey(cells.map(cellText)));
    // A manuscript that escapes markdown characters shows the same cells.
    interner.alias(rowKey(cells.map(escapeCell)), id);
    ids.push(id);
    first.push(line - 1);
    last.push(lastLine - 1);
    classes.fill('table', line - 1, lastLine);
  }
  const units = { ids: Int32Array.from(ids), line: Int32Array.from(first), last: Int32Array.from(last) };
  const rowAt = (line: number) => {
    if (units.line[countWhile(units.line.length, (unit) => units.line[unit]! < line)] !== line) return;
    const [record] = parseCsv(lines, separator, line);
    return `| ${record!.cells.map(cellText).join(' | ')} |`;
  };
  return { form: 'table', units, classes, scanned: null, rowAt };
}

/** Replaces line feeds with `<br>`, because a markdown cell cannot contain them. */
function cellText(cell: string): string {
  return cell.replaceAll('\n', '<br>');
}

function collect(scanned: ScannedLine[], idOf: (line: ScannedLine, index: number) => number | null): Units {
  const ids: number[] = [];
  const numbers: number[] = [];
  scanned.forEach((line, index) => {
    const id = idOf(line, index);
    if (id === null) return;
    ids.push(id);
    numbers.push(index);
  });
  const line = Int32Array.from(numbers);
  return { ids: Int32Array.from(ids), line, last: line };
}
