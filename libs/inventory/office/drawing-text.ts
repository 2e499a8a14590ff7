import type { PieceList } from '../piece.js';
import { walkXml } from '../xml.js';

/** Lists the words of a chart: titles, names of series and categories, values. Each series repeats the names of the categories. */
export function listChart(xml: string, list: PieceList, place: string): void {
  let text = '';
  let element = '';
  const names = new Set<string>();
  walkXml(xml, {
    open: (name) => {
      if (name === 't' || name === 'v') [element, text] = [name, ''];
    },
    text: (words) => {
      if (element !== '') text += words;
    },
    close: (name) => {
      if (name !== element) return;
      element = '';
      const isAgain = names.has(text) && Number.isNaN(Number(text));
      names.add(text);
      list.add({ place, text, ...(isAgain ? { again: 'a name that the chart repeats' } : {}) });
    },
  });
}

/**
 * Lists the paragraphs of a part in DrawingML: a slide, a note, a diagram, the text boxes of a sheet.
 *
 * @param again reason why the part repeats another one
 */
export function listDrawing(xml: string, list: PieceList, place: string, again?: string): void {
  const paragraphs: string[] = [];
  let isText = false;
  let fallbacks = 0;
  let hasChoice = false;
  const end = () =>
    list.add({ place, text: paragraphs.pop() ?? '', ...(again === undefined ? {} : { again }) });
  walkXml(xml, {
    open: (name) => {
      if (name === 'Choice') hasChoice = true;
      if (name === 'Fallback' && hasChoice) fallbacks++;
      if (name === 'p') paragraphs.push('');
      if (name === 't') isText = true;
      if (name === 'br' && paragraphs.length > 0) paragraphs[paragraphs.length - 1] += ' ';
    },
    text: (words) => {
      if (isText && fallbacks === 0) paragraphs.push((paragraphs.pop() ?? '') + words);
    },
    close: (name) => {
      if (name === 'AlternateContent') hasChoice = false;
      if (name === 'Fallback' && fallbacks > 0) fallbacks--;
      if (name === 't') isText = false;
      if (name === 'p') end();
    },
  });
  while (paragraphs.length > 0) end();
}
