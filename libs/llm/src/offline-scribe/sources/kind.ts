import { detectLanguage } from './detect.js';
import { baseName, extensionOf, languageByName } from './languages.js';

/** How a source is carried: as markdown of its own, as notes (prose or fence, block by block), or wholly in one fence. */
export type SourceKind = { kind: 'markdown' } | { kind: 'notes' } | { kind: 'code'; language: string };

const MARKDOWN = new Set(['md', 'markdown', 'mdown', 'mkd', 'mkdn', 'qmd', 'rmd']);
const NOTES = new Set(['txt', 'text', 'docx', 'pdf', 'odt', 'rtf', 'eml', '']);
const IMAGES = new Set([
  'png',
  'jpg',
  'jpeg',
  'gif',
  'webp',
  'bmp',
  'tif',
  'tiff',
  'svg',
  'avif',
  'ico',
  'heic',
]);
const IMAGE_TEXT = new Set(['md', 'markdown', 'mdown', 'mkd', 'mkdn', 'qmd', 'rmd', 'txt', 'text', '']);

export function isImage(file: string): boolean {
  return IMAGES.has(extensionOf(file));
}

/** Whether a reference in this file puts the image into the manuscript (in a fence it would not). */
export function canPlaceImages(file: string): boolean {
  return IMAGE_TEXT.has(extensionOf(file));
}

/** @param text the beginning of the file, one page or more */
export function sourceKind(file: string, text: string): SourceKind {
  const extension = extensionOf(file);
  if (MARKDOWN.has(extension)) return { kind: 'markdown' };
  const named = languageByName(file);
  if (named?.sure) return { kind: 'code', language: named.language };
  const detected = detectLanguage(text);
  if (detected !== null && isUniform(text)) return { kind: 'code', language: detected };
  if (named !== null) return { kind: 'code', language: named.language };
  if (
    NOTES.has(extension) ||
    /^(?:readme|notes|changelog|todo|authors|license|licence|copying)\b/.test(baseName(file))
  )
    return { kind: 'notes' };
  return { kind: 'code', language: detected ?? 'text' };
}

/** A whole file is one thing only if no block of it reads like a paragraph of prose. */
function isUniform(text: string): boolean {
  const blocks = text.slice(0, 100_000).split(/(?:\r\n|\n|\r)[ \t]*(?:\r\n|\n|\r)/);
  return !blocks.some(
    (block) =>
      detectLanguage(block) === null &&
      /^[^\n]{40,}[.?!:]["')]?\s*$/.test(block.trim()) &&
      /^[\p{L}"'(]/u.test(block.trim()),
  );
}
