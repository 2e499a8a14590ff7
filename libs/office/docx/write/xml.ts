import { replaceIllegalXmlChars } from './illegal-xml-chars.js';

const SPECIAL = /[&<>]/;

/** Escapes text for an XML element and replaces characters that XML forbids. */
export function escapeText(text: string): string {
  const legal = replaceIllegalXmlChars(text);
  if (!SPECIAL.test(legal)) return legal;
  return legal.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** Escapes text for an XML attribute in double quotes. */
export function escapeAttribute(text: string): string {
  return escapeText(text)
    .replaceAll('"', '&quot;')
    .replace(/[\t\n\r]/g, ' ');
}

const LINE_BREAK = '<w:br/>';

/**
 * Writes the content of a run: `w:t` elements, with separate elements for tabs and line ends, which readers
 * would otherwise collapse.
 */
export function runText(text: string): string {
  if (!/[\t\r\n]/.test(text)) return wordText(text);
  return text
    .split(/\r\n|\r|\n/)
    .map((line) => (line.includes('\t') ? line.split('\t').map(wordText).join('<w:tab/>') : wordText(line)))
    .join(LINE_BREAK);
}

function wordText(text: string): string {
  return text === '' ? '' : `<w:t xml:space="preserve">${escapeText(text)}</w:t>`;
}

export const XML_HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';

export const NAMESPACES = [
  'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"',
  'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"',
  'xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math"',
  'xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing"',
  'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"',
  'xmlns:pic="http://schemas.openxmlformats.org/drawingml/2006/picture"',
].join(' ');
