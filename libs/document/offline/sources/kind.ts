import { sourceForm } from '#verbatim/source/form.js';
import { scanText } from '#markdown/fences.js';
import { extensionOf, languageByName } from './languages.js';

const TIMESTAMP =
  /^\s*[[(<]?(?:\d{4}[-/.]\d\d?[-/.]\d\d?[T ]\d\d?:\d\d|\d{1,2}:\d\d:\d\d(?:[.,]\d+)?\b|\d\d?\/[A-Z][a-z]{2}\/\d{4}:\d\d|[A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d|\d{10}(?:\d{3})?\b)/;
const LEVEL = /^\s*\[?(?:TRACE|DEBUG|INFO|NOTICE|WARN(?:ING)?|ERROR|FATAL|CRITICAL|SEVERE)\b/;
const ACCESS = /^\S+ \S+ \S+ \[\d\d\/[A-Z][a-z]{2}\/\d{4}:/;
const STACK =
  /^\s+at [\w$.<>[\] /@:-]+|^Traceback \(most recent call last\)|^\s+File ".*", line \d+|^Caused by: |^\w+(?:\.\w+)*(?:Error|Exception)\b|^goroutine \d+ \[/;
const PROMPT =
  /^(?:\[?[\w.-]+@[\w.-]+[^$#%]{0,80}[$#%]|\$|PS [A-Z]:\\[^>]*>|[A-Z]:\\[^>]*>|>>>|(?:[\w-]+=[#>]|mysql>|sqlite>|redis> )) \S/;
const DIFF = /^(?:diff --git |@@ -\d+(?:,\d+)? \+\d+|Index: \S+$|\+\+\+ \S|--- a\/)/;
const SQL =
  /^\s*(?:SELECT|INSERT INTO|UPDATE|DELETE FROM|CREATE (?:TABLE|INDEX|UNIQUE|VIEW|OR REPLACE|FUNCTION|SCHEMA|DATABASE|TYPE)|ALTER TABLE|DROP TABLE|BEGIN;|COMMIT;|WITH \w+ AS)\b/i;
const SHELL =
  /^\s*(?:sudo|kubectl|docker|git|npm|npx|curl|ssh|scp|systemctl|journalctl|psql|redis-cli|aws|gcloud|helm|terraform|export \w+=|grep|tail -|cat \S|ls -|cd \S|chmod|apt(?:-get)?|make) \S.*[^.,;:?!]$/;
const YAML_LINE = /^\s*(?:- |[\w.$"'/-]+:(?: \S|\s*$)|#)/;
const INI = /^\s*(?:\[[^\]\n]+\]\s*$|[\w.-]+\s*=\s*\S|[#;])/;
const CODE_END =
  /[;{}]\s*$|^\s*(?:import|from|def|class|function|const|let|var|public|private|return|if|for|while|#include)\b.*[:;{(]?\s*$/;

const share = (lines: string[], test: RegExp): number =>
  lines.length === 0 ? 0 : lines.filter((line) => test.test(line)).length / lines.length;

/** Returns the lines that detection reads: the first 200 non-blank ones, cut at 500 characters. */
function sample(text: string): string[] {
  return text
    .slice(0, 100_000)
    .split(/\r\n|\n|\r/)
    .filter((line) => line.trim() !== '')
    .slice(0, 200)
    .map((line) => line.slice(0, 500));
}

function isJson(text: string): boolean {
  const trimmed = text.trim();
  if (!/^[[{]/.test(trimmed)) return false;
  try {
    JSON.parse(trimmed);
    return true;
  } catch {
    // A page of a long file, or one JSON value per line.
    return /^\{\s*"[^"\n]*"\s*:/.test(trimmed) || /^\[\s*\{\s*"[^"\n]*"\s*:/.test(trimmed);
  }
}

/**
 * Detects the language of a text from its content. Returns null for prose and in doubt. Used for blocks within
 * notes and for files with uninformative names.
 */
export function detectLanguage(text: string): string | null {
  const lines = sample(text);
  const first = lines[0];
  if (first === undefined) return null;
  if (/^#!.*\b(?:ba|z|k|da)?sh\b/.test(first)) return 'bash';
  if (/^#!.*\bpython/.test(first)) return 'python';
  if (/^#!.*\bnode\b/.test(first)) return 'js';
  if (/^<\?xml\b/.test(first)) return 'xml';
  if (/^<!doctype html|^<html\b/i.test(first)) return 'html';
  if (isJson(text)) return 'json';
  if (lines.some((line) => DIFF.test(line)) && share(lines, /^[-+ @]|^diff |^index /) > 0.8) return 'diff';
  // A session may be mostly output; one prompt at its start suffices.
  if (PROMPT.test(first) || share(lines, PROMPT) > 0.3) return 'console';
  if (share(lines, STACK) > 0.4 || (STACK.test(first) && share(lines, STACK) > 0.2)) return 'text';
  if (share(lines, TIMESTAMP) >= 0.5 || share(lines, LEVEL) >= 0.5 || share(lines, ACCESS) >= 0.5)
    return 'log';
  return detectSyntax(lines, first);
}

function detectSyntax(lines: string[], first: string): string | null {
  const last = lines.at(-1) ?? '';
  if (SQL.test(first) && /;\s*$/.test(last)) return 'sql';
  if (share(lines, SHELL) > 0.6) return 'console';
  if (
    lines.length >= 2 &&
    share(lines, /^\s*(?:server|location|upstream|listen|proxy_\w+|root|return)\b.*[;{]$|^\s*\}$/) > 0.5
  )
    return 'nginx';
  if (lines.length >= 3 && lines.some((line) => /^\[[^\]]+\]\s*$/.test(line)) && share(lines, INI) > 0.9)
    return 'ini';
  if (
    lines.length >= 3 &&
    lines.some((line) => /^\s+\S/.test(line)) &&
    lines.some((line) => /:\s*$/.test(line)) &&
    share(lines, YAML_LINE) > 0.9
  )
    return 'yaml';
  if (lines.length >= 3 && share(lines, CODE_END) > 0.6 && lines.some((line) => /[;{}]\s*$/.test(line)))
    return 'text';
  return null;
}

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
