import type { PieceList } from '../piece.js';
import { walkXml } from '../xml.js';
import { numberVersions } from './number-formats.js';

/** What the points of a chart say; numbers have a format. */
interface Point {
  text: string;
  format: string | null;
}

/** Lists the words of a chart: titles, names of series and categories, values. Each series repeats the categories. */
export function listChart(xml: string, list: PieceList, place: string): void {
  let text = '';
  let element = '';
  /** Number format of the current values; null for texts. */
  let format: string | null = null;
  /** Categories of the current series; null outside of them. */
  let categories: Point[] | null = null;
  let before = '';
  const names = new Set<string>();
  const add = (point: Point, isRepeated = false) => {
    const isAgain =
      isRepeated || (point.format === null && names.has(point.text) && Number.isNaN(Number(point.text)));
    names.add(point.text);
    if (isAgain) list.add({ place, text: point.text, again: 'a name that the chart repeats' });
    else if (point.format !== null) listNumber(point.text, point.format, list, place);
    else list.add({ place, text: point.text });
  };
  walkXml(xml, {
    open: (name) => {
      if (name === 't' || name === 'v' || name === 'formatCode') [element, text] = [name, ''];
      if (name === 'numCache' || name === 'numLit') format = 'General';
      if (name === 'cat' || name === 'xVal') categories = [];
    },
    text: (words) => {
      if (element !== '') text += words;
    },
    close: (name) => {
      if (name === 'numCache' || name === 'numLit') format = null;
      if (name === 'cat' || name === 'xVal') {
        const key = JSON.stringify(categories);
        for (const point of categories ?? []) add(point, key === before);
        [before, categories] = [key, null];
      }
      if (name !== element) return;
      element = '';
      if (name === 'formatCode') format = text;
      else if (categories) categories.push({ text, format });
      else add({ text, format });
    },
  });
}

/** Adds a number in the forms in which it may be shown; the text needs one of them. */
export function listNumber(value: string, format: string, list: PieceList, place: string): void {
  const versions = [...numberVersions(value, format)];
  const group = list.newGroup();
  versions.forEach((text, index) =>
    list.add({
      place,
      text,
      alternative: { group, version: `form ${index + 1}`, isGenerated: true, isForm: true },
    }),
  );
}

/**
 * Lists the paragraphs of a part in DrawingML: a slide, a note, a diagram, the text boxes of a sheet.
 *
 * @param again reason why the part repeats another one
 */
export function listDrawing(xml: string, list: PieceList, place: string, again?: string): void {
  const paragraphs: string[] = [];
  let isText = false;
  /** Whether the text is the number of the slide, which programs fill in. */
  let isNumber = false;
  let fallbacks = 0;
  let hasChoice = false;
  const end = () =>
    list.add({ place, text: paragraphs.pop() ?? '', ...(again === undefined ? {} : { again }) });
  walkXml(xml, {
    open: (name, { type = '' }) => {
      if (name === 'fld') isNumber = type === 'slidenum';
      if (name === 'Choice') hasChoice = true;
      if (name === 'Fallback' && hasChoice) fallbacks++;
      if (name === 'p') paragraphs.push('');
      if (name === 't') isText = true;
      if (name === 'br' && paragraphs.length > 0) paragraphs[paragraphs.length - 1] += ' ';
    },
    text: (words) => {
      if (isText && !isNumber && fallbacks === 0) paragraphs.push((paragraphs.pop() ?? '') + words);
    },
    close: (name) => {
      if (name === 'AlternateContent') hasChoice = false;
      if (name === 'Fallback' && fallbacks > 0) fallbacks--;
      if (name === 't') isText = false;
      if (name === 'fld') isNumber = false;
      if (name === 'p') end();
    },
  });
  while (paragraphs.length > 0) end();
}
