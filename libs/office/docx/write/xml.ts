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

/**
 * Replaces characters that XML 1.0 does not allow, as in logs, instead of dropping them: control characters
 * by their pictures (escape becomes ␛), lone surrogates and non-characters by the replacement character.
 */

const ILLEGAL =
  /[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]|[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/;
const ALL_ILLEGAL = new RegExp(ILLEGAL, 'g');

/** Replaces every character that XML 1.0 forbids. */
export function replaceIllegalXmlChars(text: string): string {
  return ILLEGAL.test(text) ? text.replace(ALL_ILLEGAL, picture) : text;
}

function picture(char: string): string {
  const code = char.charCodeAt(0);
  return code < 32 ? String.fromCharCode(0x2400 + code) : '\uFFFD';
}
