import { posix } from 'node:path';
import { type Piece, type PieceList, withShifted } from '../piece.js';
import { type Attributes, walkXml } from '../xml.js';
import { numberVersions } from './number-formats.js';
import { OfficePackage } from './package.js';
import { isFormulaPart } from './symbols.js';

/** Text of a chart's data points. Numbers have a format. */
interface Point {
  text: string;
  format: string | null;
  /** Row of its category in a table of the chart; '' outside of series. */
  row: string;
}

const TEXTS = new Set(['t', 'v', 'pt', 'formatCode']);
const NUMBERS = new Set(['numCache', 'numLit', 'numDim']);

/**
 * Lists the words of a chart: titles, names of series, categories and trend lines, values. Each series repeats the categories. Reads charts of
 * both kinds (`c:chartSpace` and, since Office 2016, `cx:chartSpace`).
 */
export function listChart(xml: string, list: PieceList, place: string): void {
  let text = '';
  let element = '';
  /** Number format of the current values; null for texts. */
  let format: string | null = null;
  /** Categories of the current series; null outside of them. */
  let categories: Point[] | null = null;
  let before = '';
  const names = new Set<string>();
  let isInSeries = false;
  let row = '';
  const add = (point: Point, isRepeated = false) => {
    const isAgain =
      isRepeated || (point.format === null && names.has(point.text) && Number.isNaN(Number(point.text)));
    names.add(point.text);
    const rest = { place, ...(point.row === '' ? {} : { row: point.row }) };
    if (isAgain) list.add({ ...rest, text: point.text, again: 'a name that the chart repeats' });
    else if (point.format !== null) listNumber(point.text, point.format, list, rest);
    else list.add({ ...rest, text: point.text });
  };
  walkXml(xml, {
    open: (name, { formatCode, idx }) => {
      if (name === 'pt') row = format === null && categories === null ? '' : `${place}, point ${idx ?? ''}`;
      if (TEXTS.has(name) || (name === 'name' && isInSeries)) [element, text] = [name, ''];
      if (name === 'ser') isInSeries = true;
      if (NUMBERS.has(name)) format = 'General';
      if (name === 'lvl' && format !== null) format = formatCode ?? 'General';
      if (name === 'cat' || name === 'xVal') categories = [];
    },
    text: (words) => {
      if (element !== '') text += words;
    },
    close: (name) => {
      if (NUMBERS.has(name)) format = null;
      if (name === 'cat' || name === 'xVal') {
        const key = JSON.stringify(categories);
        for (const point of categories ?? []) add(point, key === before);
        [before, categories] = [key, null];
      }
      if (name !== element) return;
      element = '';
      if (name === 'formatCode') format = text;
      else if (categories) categories.push({ text, format, row });
      else add({ text, format, row });
    },
  });
}

/** Adds a number in the forms in which it may be shown. The text needs to contain only one form. */
export function listNumber(
  value: string,
  format: string,
  list: PieceList,
  place: Pick<Piece, 'place' | 'row'>,
  firstDay = 0,
): void {
  const versions = [...numberVersions(value, format, firstDay)];
  const group = list.newGroup();
  versions.forEach((text, index) =>
    list.add({
      ...place,
      text,
      alternative: { group, version: `form ${index + 1}`, isGenerated: true, isForm: true },
    }),
  );
}

/** Lists the paragraphs of a part in DrawingML, and the descriptions of its shapes: a slide, a note, a diagram, the text boxes of a sheet. */
export function listDrawing(xml: string, list: PieceList, place: string): void {
  const add = (piece: Piece, running: string) =>
    running === '' ? list.add(piece) : list.addRunning(piece, running);
  readDrawing(xml, add, { place, hasPlaceholders: true });
}

/** Placeholders for footer, header and date, which slides repeat. */
const RUNNING = /^(?:ftr|hdr|dt)$/;

/** Lists the texts that a layout or master shows on each slide, which are those outside of placeholders. */
export function listLayout(xml: string, list: PieceList, place: string): void {
  readDrawing(xml, (piece) => list.addRunning(piece), { place, hasPlaceholders: false });
}

interface DrawingOptions {
  place: string;
  /** False to skip the texts of placeholders. */
  hasPlaceholders: boolean;
}

function readDrawing(
  xml: string,
  add: (piece: Piece, running: string) => void,
  { place, hasPlaceholders }: DrawingOptions,
): void {
  const paragraphs: string[] = [];
  let isText = false;
  /** True for the number of the slide, which programs fill in. */
  let isNumber = false;
  let isSkipped = false;
  let fallbacks = 0;
  let hasChoice = false;
  /** Mark of the current run, if it is raised or lowered. */
  let shift: '^' | '_' | null = null;
  /** Kind of placeholder that slides repeat; '' for other shapes. */
  let running = '';
  let rows = 0;
  let row = '';
  let item: { level: number; numbering: Attributes | null } = { level: 0, numbering: null };
  let counts: number[] = [];
  const end = () => {
    const text = paragraphs.pop() ?? '';
    const number = text.trim() === '' ? '' : numberOf(item, counts);
    add({ place, number, text, ...(row === '' ? {} : { row }) }, running);
  };
  const addBlank = () => {
    if (paragraphs.length > 0) paragraphs[paragraphs.length - 1] += ' ';
  };
  walkXml(xml, {
    open: (name, attributes) => {
      const { type = '', title = '', descr = '', baseline = '0' } = attributes;
      if (name === 'tr') row = `${place}, row ${++rows}`;
      if (name === 'txBody') counts = [];
      if (name === 'p') item = { level: 0, numbering: null };
      if (name === 'pPr') item.level = Number(attributes['lvl']) || 0;
      if (name === 'buAutoNum') item.numbering = attributes;
      if (name === 'r' || name === 'fld') shift = null;
      if (name === 'rPr')
        shift = Number.parseFloat(baseline) > 0 ? '^' : Number.parseFloat(baseline) < 0 ? '_' : null;
      if (name === 'sp') [isSkipped, running] = [false, ''];
      if (name === 'ph') [isSkipped, running] = [!hasPlaceholders, RUNNING.test(type) ? type : ''];
      if (name === 'cNvPr' && fallbacks === 0)
        add({ place: `${place}, alternative text`, text: title === descr ? descr : `${title} ${descr}` }, '');
      if (name === 'fld') isNumber = type === 'slidenum';
      if (name === 'Choice') hasChoice = true;
      if (name === 'Fallback' && hasChoice) fallbacks++;
      if (name === 'p') paragraphs.push('');
      if (name === 't') isText = true;
      if (name === 'br' || isFormulaPart(name)) addBlank();
      // Raised and lowered parts of a formula are collected apart.
      if (name === 'sup' || name === 'sub') paragraphs.push('');
    },
    text: (words) => {
      if (isText && !isNumber && !isSkipped && fallbacks === 0)
        paragraphs.push(withShifted(paragraphs.pop() ?? '', words, shift));
    },
    close: (name) => {
      if (name === 'AlternateContent') hasChoice = false;
      if (name === 'Fallback' && fallbacks > 0) fallbacks--;
      if (name === 't') isText = false;
      if (name === 'tr') row = '';
      if (name === 'fld') isNumber = false;
      if (name === 'sp') [isSkipped, running] = [false, ''];
      if (name === 'sup' || name === 'sub') {
        const script = paragraphs.pop() ?? '';
        paragraphs.push(withShifted(paragraphs.pop() ?? '', script, name === 'sup' ? '^' : '_'));
      }
      if (name === 'p') end();
    },
  });
  while (paragraphs.length > 0) end();
}

/** Counts a paragraph with words. @returns its decimal number; '' for none and for letters, which Markdown may write as numbers */
function numberOf(item: { level: number; numbering: Attributes | null }, counts: number[]): string {
  const { level, numbering } = item;
  counts.length = Math.min(counts.length, numbering ? level + 1 : level);
  if (!numbering) return '';
  const count = (counts[level] ?? (Number(numbering['startAt']) || 1) - 1) + 1;
  counts[level] = count;
  return numbering['type']?.startsWith('arabic') ? String(count) : '';
}

/**
 * Lists the pieces of a PowerPoint file: each paragraph of each slide, notes, comments, charts and diagrams, and texts
 * outside of placeholders in the layouts and masters that slides use, which each slide shows.
 *
 * @throws InventoryError for a damaged or oversized file
 */
export function listPresentation(bytes: Uint8Array, list: PieceList): void {
  const parts = new OfficePackage(bytes);
  const counts = new Map<string, number>();
  const layouts = usedLayouts(parts);
  for (const { path, root } of parts.shownParts()) {
    const number = (counts.get(root) ?? 0) + 1;
    counts.set(root, number);
    const own = /(\d{1,9})\.xml$/.exec(posix.basename(path).slice(-40))?.[1] ?? String(number);
    const xml = parts.text(path);
    if (root === 'sld') listDrawing(xml, list, `slide ${own}`);
    else if (root === 'notes') listDrawing(xml, list, `speaker notes ${own}`);
    else if (root === 'chartSpace') listChart(xml, list, `chart ${number}`);
    else if (root === 'dataModel') listDrawing(xml, list, `diagram ${number}`);
    else if (root === 'userShapes') listDrawing(xml, list, `chart shapes ${number}`);
    else if (layouts.has(path)) listLayout(xml, list, `slide layout ${number}`);
    else if (root === 'cmLst') listSlideComments(xml, list);
  }
}

/** Returns the paths of the layouts that slides use, and of their masters. */
function usedLayouts(parts: OfficePackage): Set<string> {
  const targets = (path: string, kind: string) =>
    [...parts.references(path).values()].filter(({ type }) => type === kind).map(({ target }) => target);
  const slides = parts.shownParts().filter(({ root }) => root === 'sld');
  const layouts = slides.flatMap(({ path }) => targets(path, 'slideLayout'));
  return new Set([...layouts, ...layouts.flatMap((path) => targets(path, 'slideMaster'))]);
}

function listSlideComments(xml: string, list: PieceList): void {
  // The words of a comment are plain text in `p:text`.
  listChart(xml.replace(/<(\/?)[\w-]*:?text\b/g, '<$1t'), list, 'comment');
}
