import { sourceForm } from '#verbatim/source/form.js';
import { scanText } from '#markdown/fences.js';
import { detectLanguage } from './detect.js';
import { extensionOf, languageByName } from './languages.js';

/**
 * Form in which a source is carried: as Markdown, as notes (prose or code fence, block by block), as a table
 * if it fits, or in one code fence.
 */
export type SourceKind =
  | { kind: 'markdown' }
  | { kind: 'notes' }
  | { kind: 'table'; language: string }
  | { kind: 'code'; language: string };

/** Markup other than Markdown: its marks mean nothing in a manuscript, so it is carried verbatim. */
const OTHER_MARKUP = new Set(
  'rst rest adoc asciidoc asc tex latex ltx org wiki mediawiki textile'.split(' '),
);
/** Signs that the raw file of a page or notebook is being read instead of its extracted text. */
const UNREAD_PAGE = /^\s*<(?:!|[a-z])/i;
const UNREAD_NOTEBOOK = /^\s*\{\s*"(?:cells|metadata|nbformat)/;
const IMAGES = new Set('png jpg jpeg gif webp bmp tif tiff svg avif ico heic'.split(' '));

export function isImage(file: string): boolean {
  return IMAGES.has(extensionOf(file));
}

/** Returns the inputs of a run that are images. */
export const imagesOf = ({
  input_files,
  text_files,
}: Record<'input_files' | 'text_files', string[]>): string[] =>
  input_files.filter((name) => !text_files.includes(name) && isImage(name));

/**
 * Returns whether a reference in this file places the image in the manuscript (in a code fence it would not).
 */
export function canPlaceImages(file: string): boolean {
  const form = sourceForm(file);
  return !isImage(file) && (form === 'markdown' || form === 'text') && !OTHER_MARKUP.has(extensionOf(file));
}

/**
 * Returns the form in which a source is carried. Follows the ledger: what counts there as code or as a table
 * is fenced verbatim.
 *
 * @param text the start of the file, one page or more
 */
export function sourceKind(file: string, text: string): SourceKind {
  const form = sourceForm(file);
  const extension = extensionOf(file);
  const named = languageByName(file);
  if (form === 'table') return { kind: 'table', language: named?.language ?? 'csv' };
  if (form === 'code') {
    if (named?.sure) return { kind: 'code', language: named.language };
    return { kind: 'code', language: detectLanguage(text) ?? named?.language ?? 'text' };
  }
  if (OTHER_MARKUP.has(extension)) return { kind: 'code', language: named?.language ?? 'text' };
  if (extension === 'ipynb' && UNREAD_NOTEBOOK.test(text)) return { kind: 'code', language: 'json' };
  if (/^x?html?$/.test(extension) && UNREAD_PAGE.test(text)) return { kind: 'code', language: 'html' };
  if (form === 'markdown') return { kind: 'markdown' };
  const detected = detectLanguage(text);
  // An unclosed fence is an ordinary line, which only a fence around the whole source can show.
  if (scanText(text).openFence !== null) return { kind: 'code', language: detected ?? 'text' };
  return detected !== null && isUniform(text) ? { kind: 'code', language: detected } : { kind: 'notes' };
}

/** Returns whether a whole file is of one language: no block of it reads like a sentence of prose. */
function isUniform(text: string): boolean {
  const blocks = text.slice(0, 100_000).split(/(?:\r\n|\n|\r)[ \t]*(?:\r\n|\n|\r)/);
  return !blocks.some(
    (block) => /^[\p{L}"'(][\s\S]{39,}[.?!:]["')]?\s*$/u.test(block.trim()) && detectLanguage(block) === null,
  );
}
