import { withoutEnding } from '#contracts/text.js';
import type { EmbeddedImages } from '../embedded-images.js';
import { htmlText } from '../html/html.js';
import { fenceLines, imageMarkdown } from '../inline-text.js';
import { leftOutMark } from '../left-out.js';
import { isShown, shownWords } from '../same-words.js';
import { type Cell, notebookCells, type Output } from './cells.js';

/**
 * Returns a Jupyter notebook (formats 1 to 4) as Markdown. Markdown cells are unchanged; raw cells, code cells
 * and textual outputs become code fences; outputs in HTML, Markdown and TeX are shown as such.
 *
 * @throws ExtractionError if the text is not a notebook
 */
export function notebookText(json: string, fileName: string, images: EmbeddedImages): string {
  const blocks = notebookCells(json, fileName).flatMap((cell) => cellBlocks(cell, images));
  return blocks.length > 0 ? `${blocks.join('\n\n')}\n` : '';
}

function cellBlocks(cell: Cell, images: EmbeddedImages): string[] {
  const source = withoutEnding(cell.source, '\n');
  const fenced = (language: string) => fenceLines(source, language).join('\n');
  if (cell.kind === 'code')
    return [
      ...(source === '' ? [] : [fenced(cell.language)]),
      ...cell.outputs.flatMap((output) => outputBlocks(output, images)),
    ];
  if (cell.kind === 'markdown') return markdownBlocks(source, cell.attachments, images);
  return source.trim() === '' ? [] : [fenced('text')];
}

/** Reference to a file in the cell: in angle brackets, or without blanks and with parentheses in pairs. */
const REFERENCE = /<attachment:([^<>\n]{1,500})>|\battachment:((?:[^\s()<>"']|\([^\s()<>]{0,200}\)){1,500})/g;

/** Replaces `attachment:plot.png` with the name of the extracted picture. */
function markdownBlocks(source: string, attachments: Cell['attachments'], images: EmbeddedImages): string[] {
  const names = new Map<string, string>();
  const leftOut: string[] = [];
  for (const [file, kinds] of Object.entries(attachments)) {
    const [mediaType = '', value] = Object.entries(kinds)[0] ?? [];
    const content = Array.isArray(value) ? value.join('') : value;
    const name = typeof content === 'string' ? images.addBase64(mediaType, content) : null;
    if (name === null) leftOut.push(leftOutMark('file in a cell', `${file} (${mediaType})`));
    else for (const written of [file, encodeURI(file)]) names.set(written, name);
  }
  const text = source.replace(REFERENCE, (whole, bracketed: string | undefined, bare: string | undefined) => {
    const written = bracketed ?? bare ?? '';
    const name = names.get(written) ?? names.get(decoded(written));
    return name === undefined ? whole : encodeURI(name).replace(/[()]/g, encodeURIComponent);
  });
  return [...(text.trim() === '' ? [] : [text]), ...leftOut];
}

function decoded(written: string): string {
  try {
    return decodeURI(written);
  } catch {
    return written;
  }
}

const FENCED = (text: string, info: string) => fenceLines(text, info).join('\n');
/** Representations of an output that are shown as text, in the order in which Jupyter prefers them. */
const RICH: Record<string, (text: string, images: EmbeddedImages) => string> = {
  'text/html': (text, images) => htmlText(text, images),
  'text/markdown': (text) => text,
  'text/latex': latexMarkdown,
};
/** Python's name for an object with a picture or data, such as `<Figure size 640x480 with 1 Axes>`. */
const OBJECT_NAME = /^<[\w.]{1,100} [^<>\n]{1,200}>$/;
/** Number of characters by which a representation is named if it is not shown. */
const NAMED_LENGTH = 300;

/**
 * Returns an output of a cell as blocks of Markdown: the representation that Jupyter shows, and its picture.
 * Comments name words that only other representations contain.
 */
function outputBlocks(output: Output, images: EmbeddedImages): string[] {
  if (output.kind !== 'data') return textBlocks(output.text);
  const forms = new Map(output.data);
  const blocks: string[] = [];
  for (const [type, toMarkdown] of Object.entries(RICH)) {
    if (blocks.length > 0) break;
    const shown = toMarkdown(forms.get(type) ?? '', images).trim();
    if (shown === '') continue;
    blocks.push(shown);
    forms.delete(type);
  }
  const picture = takePicture(forms, images);
  const isRich = blocks.length > 0;
  const plain = forms.get('text/plain') ?? '';
  const json = forms.get('application/json') ?? '';
  const isOnlyName = OBJECT_NAME.test(plain.trim()) && (picture.length > 0 || json.trim() !== '');
  const isPlainShown = !isRich && !isOnlyName;
  if (isPlainShown && terminalText(plain).trim() !== '') {
    blocks.push(...textBlocks(plain));
    forms.delete('text/plain');
  }
  if (!isRich && blocks.length + picture.length === 0) {
    if (json.trim() !== '') blocks.push(FENCED(json, 'json'));
    forms.delete('application/json');
  }
  return [...blocks, ...picture, ...leftOutMarks(forms, blocks)];
}

function textBlocks(text: string): string[] {
  const shown = withoutEnding(terminalText(text), '\n');
  return shown.trim() === '' ? [] : [FENCED(shown, 'text')];
}

/** Takes the picture of an output, such as a plot: the first media type that is an image. */
function takePicture(forms: Map<string, string>, images: EmbeddedImages): string[] {
  const pictures = [...forms].filter(([type]) => type.startsWith('image/'));
  for (const [type] of pictures) forms.delete(type);
  for (const [type, content] of pictures) {
    const base64 = type === 'image/svg+xml' ? Buffer.from(content).toString('base64') : content;
    const name = images.addBase64(type, base64);
    if (name !== null) return [imageMarkdown(name, '')];
  }
  return pictures.map(([type]) => leftOutMark('picture of an output', type));
}

/** Returns comments about representations with words that the shown one does not contain. */
function leftOutMarks(forms: Map<string, string>, blocks: readonly string[]): string[] {
  const shown = shownWords(blocks.join('\n'), '');
  return [...forms].flatMap(([type, text]) => {
    const lines = terminalText(text)
      .split('\n')
      .filter((line) => shown === null || !isShown(line, shown));
    const words = lines.join(' ').slice(0, NAMED_LENGTH);
    return lines.length === 0 ? [] : [leftOutMark(`${type} form of an output`, words)];
  });
}

/** Returns TeX as Markdown. Adds dollar signs to mathematical environments without delimiters. */
function latexMarkdown(tex: string): string {
  const text = tex.trim();
  if (/^\\begin\{(?:tabular|table|longtable|itemize|enumerate|description|figure)/.test(text))
    return FENCED(text, 'latex');
  if (/^\\[[(][^]*\\[\])]$/.test(text)) return `$$\n${text.slice(2, -2).trim()}\n$$`;
  if (/^\$\$[^]+\$\$$/.test(text)) return `$$\n${text.slice(2, -2).trim()}\n$$`;
  return text === '' || text.includes('$') ? text : `$$\n${text}\n$$`;
}

/** Columns to which a cursor may jump; a jump further right stops there. */
const WIDEST = 500;
/**
 * Escape sequences (ECMA-48): commands with parameters, short sequences, and strings such as titles and addresses
 * of links, up to their end.
 */
const ESCAPES =
  /(?:\u001b\[|\u009b)([0-?]{0,100})[ -/]{0,10}([@-~])|(?:\u001b[\]PX^_]|[\u009d\u0090\u0098\u009e\u009f])[^\u0007\u001b\u009c\n]{0,4000}(?:\u0007|\u001b\\|\u009c)?|\u001b[ -/]{0,10}[0-~]|\u001b/g;

/**
 * Returns the text that a terminal shows for a program's output: without escape sequences, and only the last state of a
 * line that was drawn repeatedly, such as a progress bar. Linear.
 */
export function terminalText(output: string): string {
  if (!/[^\P{Cc}\t\n]/u.test(output)) return output;
  return output
    .replace(/\r{1,9}\n/g, '\n')
    .split('\n')
    .map(shownLine)
    .join('\n');
}

function shownLine(line: string): string {
  const shown = new Line();
  let at = 0;
  for (const escape of line.matchAll(ESCAPES)) {
    shown.write(line.slice(at, escape.index));
    shown.command(escape[2] ?? '', escape[1] ?? '');
    at = escape.index + escape[0].length;
  }
  shown.write(line.slice(at));
  return shown.text();
}

/** Line of a terminal. The cursor overwrites existing characters. */
class Line {
  private cells: string[] = [];
  private column = 0;

  write(text: string): void {
    for (const character of text) {
      if (character === '\r') this.column = 0;
      else if (character === '\u0008') this.column = Math.max(0, this.column - 1);
      else if (character === '\t' || !/\p{Cc}/u.test(character)) this.cells[this.column++] = character;
    }
  }

  /** Executes the commands that change one line (cursor moves, erasing). Ignores colours and other commands. */
  command(name: string, parameters: string): void {
    const count = Number(/^\d{1,4}$/.exec(parameters)?.[0] ?? (name === 'K' ? 0 : 1));
    if (name === 'G') this.moveTo(count - 1);
    else if (name === 'C') this.moveTo(this.column + Math.max(1, count));
    else if (name === 'D') this.moveTo(this.column - Math.max(1, count));
    else if (name === 'K' && count === 0) this.cells.length = Math.min(this.cells.length, this.column);
    else if (name === 'K' && count === 1) this.cells.fill(' ', 0, this.column + 1);
    else if (name === 'K' && count === 2) this.cells = [];
  }

  text(): string {
    // Array.from fills the gaps left by jumps of the cursor.
    return Array.from(this.cells, (cell) => cell ?? ' ').join('');
  }

  private moveTo(column: number): void {
    this.column = Math.max(0, Math.min(column, Math.max(WIDEST, this.cells.length)));
  }
}
