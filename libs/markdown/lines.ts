/**
 * Recognizes CommonMark's block starts in single lines at the top level of a document, as far as the splitter
 * needs them. All functions expect lines without line endings.
 */
import { trimBlanks } from './trim.js';

/** Returns the width of the leading white space in columns; a tab extends to the next multiple of four. */
export function indentOf(line: string): number {
  let columns = 0;
  for (let i = 0; i < line.length; i++) {
    const code = line.charCodeAt(i);
    if (code === 32) columns++;
    else if (code === 9) columns += 4 - (columns % 4);
    else break;
  }
  return columns;
}

export interface FenceStart {
  indent: number;
  marker: string;
  info: string;
}

/**
 * Parses the opening of a fenced code block (CommonMark 0.31, 4.5); null for other lines. Every Markdown scan
 * uses this function.
 */
export function fenceStart(line: string): FenceStart | null {
  const match = /^( {0,3})(`{3,}|~{3,})(.*)$/s.exec(line);
  if (!match) return null;
  const [, indent = '', marker = '', info = ''] = match;
  if (marker.startsWith('`') && info.includes('`')) return null;
  return { indent: indent.length, marker, info: trimBlanks(info) };
}

/** Returns whether a line closes a block opened with `marker` (backticks, tildes or dollars). */
export function closesFence(line: string, marker: string): boolean {
  let i = 0;
  while (i < 3 && line[i] === ' ') i++;
  const start = i;
  while (line[i] === marker[0]) i++;
  return i - start >= marker.length && trimBlanks(line.slice(i)) === '';
}

/** Returns the dollars that open a math block, or null. */
export function mathStart(line: string): string | null {
  return /^ {0,3}(\${2,})[^$]*$/s.exec(line)?.[1] ?? null;
}

interface ItemStart {
  /** Column where the item's content starts: lines indented this far belong to the item. */
  offset: number;
  empty: boolean;
  /** Whether the item may interrupt a paragraph: only a non-empty bullet item or one with number 1 may. */
  interrupts: boolean;
}

/** Parses a list item's marker at the top level; null for other lines. */
export function itemStart(line: string): ItemStart | null {
  const match = /^( {0,3})([-+*]|\d{1,9}[.)])([ \t]+|$)/.exec(line);
  if (!match || isThematicBreak(line)) return null;
  const [all, indent = '', marker = '', gap = ''] = match;
  const empty = all.length === line.length;
  const markerEnd = indent.length + marker.length;
  const gapColumns = gap.includes('\t') ? indentOf(' '.repeat(markerEnd) + gap) - markerEnd : gap.length;
  const width = empty || gapColumns > 4 ? 1 : gapColumns;
  return {
    offset: markerEnd + width,
    empty,
    interrupts: !empty && (marker.length === 1 || /^1[.)]$/.test(marker)),
  };
}

function isThematicBreak(line: string): boolean {
  return /^ {0,3}(?:(?:-[ \t]*){3,}|(?:_[ \t]*){3,}|(?:\*[ \t]*){3,})$/.test(line);
}

export function isFootnoteStart(line: string): boolean {
  return /^ {0,3}\[\^[^\]]+\]:/.test(line);
}

const RAW_HTML: readonly [RegExp, RegExp][] = [
  [/^ {0,3}<(?:script|pre|style|textarea)(?:[ \t>]|$)/i, /<\/(?:script|pre|style|textarea)>/i],
  [/^ {0,3}<!--/, /-->/],
  [/^ {0,3}<\?/, /\?>/],
  [/^ {0,3}<![a-z]/i, />/],
  [/^ {0,3}<!\[CDATA\[/, /\]\]>/],
];

/** Returns the end pattern of an HTML block that may contain blank lines; null if the line starts none. */
export function rawHtmlEnd(line: string): RegExp | null {
  return RAW_HTML.find(([start]) => start.test(line))?.[1] ?? null;
}

const HTML_BLOCK =
  /^ {0,3}<\/?(?:address|article|aside|base|basefont|blockquote|body|caption|center|col|colgroup|dd|details|dialog|dir|div|dl|dt|fieldset|figcaption|figure|footer|form|frame|frameset|h[1-6]|head|header|hr|html|iframe|legend|li|link|main|menu|menuitem|nav|noframes|ol|optgroup|option|p|param|search|section|summary|table|tbody|td|tfoot|th|thead|title|tr|track|ul)(?:[ \t>]|\/>|$)/i;

/** Returns whether a line starts HTML that ends at a blank line and may interrupt a paragraph. */
export function isHtmlBlock(line: string): boolean {
  return HTML_BLOCK.test(line);
}

const LONE_TAG =
  /^ {0,3}<(?:[A-Za-z][A-Za-z0-9-]*(?:[ \t]+[A-Za-z_:][\w.:-]*(?:[ \t]*=[ \t]*(?:[^\s"'=<>`]+|'[^']*'|"[^"]*"))?)*[ \t]*\/?|\/[A-Za-z][A-Za-z0-9-]*[ \t]*)>[ \t]*$/;

/**
 * Returns whether a line is a single complete tag. It starts HTML that ends at a blank line and cannot
 * interrupt a paragraph.
 */
export function isLoneTag(line: string): boolean {
  return LONE_TAG.test(line);
}

/** Returns whether the line may start any HTML. */
export function startsWithTag(line: string): boolean {
  return /^ {0,3}<[a-z/!?]/i.test(line);
}
