import { withoutQuery } from '#contracts/text.js';
import { scanMarkdown, splitLines } from '../scan/scan.js';
import {
  htmlReferences,
  includeReferences,
  latexReferences,
  restReferences,
  wikiReferences,
  lineCounter,
  withoutInlineCode,
  type SourceReference,
} from './markup.js';

/**
 * Finds references in Markdown or plain text: inline (`![a](b)`, `[a](b)`), by definition (`[a]: b`), and the
 * HTML, reStructuredText, wiki and LaTeX forms that people mix in. Code is first blanked out line by line, so
 * that line numbers stay valid.
 */
export function markdownReferences(text: string): SourceReference[] {
  const lines = splitLines(text);
  const scanned = scanMarkdown(lines, { frontMatter: true }).lines;
  const visible = scanned.map((line, i) =>
    line.kind === 'code' ||
    line.kind === 'fence_open' ||
    line.kind === 'fence_close' ||
    line.kind === 'front_matter'
      ? ''
      : (lines[i] as string),
  );
  const prose = paragraphsWithoutCode(visible);
  const unescaped = withoutEscapes(prose);
  return [
    ...inlineReferences(prose),
    ...htmlReferences(unescaped),
    ...restReferences(unescaped),
    ...latexReferences(prose),
    ...wikiReferences(unescaped, false),
    ...includeReferences(prose),
  ];
}

/** Blanks out escapes, since they are literal text; preserves the length. */
function withoutEscapes(text: string): string {
  return text.replace(/\\[!-/:-@[-`{-~]/g, '  ');
}

/** Blanks out code spans per paragraph: a span may cover several lines, but no blank one. */
function paragraphsWithoutCode(lines: string[]): string {
  const out: string[] = [];
  let paragraph: string[] = [];
  const flush = () => {
    if (paragraph.length > 0) out.push(withoutInlineCode(paragraph.join('\n')));
    paragraph = [];
  };
  for (const line of lines) {
    if (line.trim() !== '') {
      paragraph.push(line);
      continue;
    }
    flush();
    out.push('');
  }
  flush();
  return out.join('\n');
}

/**
 * Finds `](target "title")` with balanced parentheses or `<…>`, and `[label]: target` definitions, in one
 * pass with `indexOf`.
 */
function inlineReferences(text: string): SourceReference[] {
  const found: SourceReference[] = [];
  const lineAt = lineCounter(text);
  const opens = imageOpens(text);
  for (let at = text.indexOf(']'); at >= 0; at = text.indexOf(']', at + 1)) {
    const open = opens.get(at);
    if (open === undefined) continue;
    const image = text[open - 1] === '!' && text[open - 2] !== '\\';
    const next = text[at + 1];
    if (next === '(') {
      const ref = destination(text, at + 2, true);
      if (ref !== null) found.push({ ref, kind: image ? 'image' : 'link', line: lineAt(at) });
    } else if (next === ':' && startsLine(text, open)) {
      const ref = destination(text, at + 2, false);
      if (ref !== null) found.push({ ref, kind: looksLikeImage(ref) ? 'image' : 'link', line: lineAt(at) });
    }
  }
  return found;
}

/** Maps each `]` to its `[`; brackets do not pair across blank lines. */
function imageOpens(text: string): Map<number, number> {
  const opens = new Map<number, number>();
  let stack: number[] = [];
  for (let i = 0; i < text.length; i++) {
    const char = text[i];
    if (char === '\\') i++;
    else if (char === '\n' && text[i + 1] === '\n') stack = [];
    else if (char === '[') stack.push(i);
    else if (char === ']') {
      const open = stack.pop();
      if (open !== undefined) opens.set(i, open);
    }
  }
  return opens;
}

function startsLine(text: string, at: number): boolean {
  let i = at - 1;
  while (text[i] === ' ') i--;
  return i < 0 || text[i] === '\n';
}

const MAX_DESTINATION = 1024;
/** Deepest parentheses in a destination, as in the parser of Markdown. */
const MAX_DEPTH = 32;

function destination(text: string, from: number, inParentheses: boolean): string | null {
  let i = from;
  while (text[i] === ' ' || (text[i] === '\n' && i === from)) i++;
  const limit = Math.min(text.length, i + MAX_DESTINATION);
  if (text[i] === '<') {
    for (let end = i + 1; end < limit && text[end] !== '\n'; end++)
      if (text[end] === '\\') end++;
      else if (text[end] === '>') return unescapeMarkdown(text.slice(i + 1, end));
    return null;
  }
  let depth = 0;
  for (let end = i; end < limit; end++) {
    const char = text[end] as string;
    if (char === '\\') end++;
    else if (char === '(' && ++depth > MAX_DEPTH) return null;
    else if (char === ')' && inParentheses && depth-- === 0) return unescapeMarkdown(text.slice(i, end));
    else if (char === '\n' || char === ' ' || char === '\t') {
      // File names with blanks are not CommonMark, but people write them; a title starts with a quote.
      return inParentheses ? spaced(text, i, end, limit) : unescapeMarkdown(text.slice(i, end));
    }
  }
  return inParentheses ? null : unescapeMarkdown(text.slice(i, limit));
}

function spaced(text: string, from: number, blank: number, limit: number): string | null {
  const close = text.indexOf(')', blank);
  if (close < 0 || close >= limit) return null;
  const rest = text.slice(blank, close).trim();
  if (rest === '' || /^["'(=]/.test(rest)) return unescapeMarkdown(text.slice(from, blank));
  const whole = text.slice(from, close);
  return whole.includes('\n') || !/\.[a-z0-9]{1,8}$/i.test(whole) ? null : whole;
}

function unescapeMarkdown(text: string): string {
  return text.replace(/\\([!-/:-@[-`{-~])/g, '$1');
}

function looksLikeImage(ref: string): boolean {
  return /\.(?:png|jpe?g|gif|svg|webp|bmp|tiff?|avif|ico)$/i.test(withoutQuery(ref));
}
