import { tokensOf } from '#llm/tokens.js';
import { fits, sumTokens, type Piece } from './measure.js';

/** Positions for cuts, from best to worst: after lines, sentences, words, characters. */
const CUTS = [/\n+/g, /[.!?…。！？]{1,9}["'»”)\]]{0,9}\s+|[。！？]/g, /\s+/g, /.\p{M}{0,8}/gsu];
/** Characters counted together at the last level: counting each would be slow. */
const CHARACTERS = 3;

/**
 * Cuts a part of a text that has too many tokens at its lines. A line that is still too long is cut at its
 * sentences, then at words, then between characters.
 *
 * @returns pieces in order, each within the limit and without surrounding white space (a line keeps its
 * indentation)
 */
export function cutLong(
  text: string,
  { start, end }: { start: number; end: number },
  maxTokens: number,
): Piece[] {
  return cutAt(text, start, end, maxTokens, 0);
}

function cutAt(text: string, start: number, end: number, maxTokens: number, level: number): Piece[] {
  const pieces: Piece[] = [];
  let open: Piece | null = null;
  for (const part of partsOf(text, start, end, level)) {
    const tokens = tokensOf(text.slice(part.start, part.end));
    const joined: Piece | null = open && {
      start: open.start,
      end: part.end,
      tokens: sumTokens(text, [open, { ...part, tokens }]),
    };
    if (tokens > maxTokens && level + 1 < CUTS.length) {
      if (open) pieces.push(open);
      open = null;
      pieces.push(...cutAt(text, part.start, part.end, maxTokens, level + 1));
    } else if (joined && fits(text, joined, maxTokens)) {
      open = joined;
    } else {
      if (open) pieces.push(open);
      open = { ...part, tokens };
    }
  }
  if (open) pieces.push(open);
  return pieces;
}

/**
 * Returns the parts between the cuts of a level, without surrounding white space; empty ones are left out.
 */
function* partsOf(text: string, start: number, end: number, level: number) {
  const isCharacters = level === CUTS.length - 1;
  const inside = text.slice(start, end);
  let from = 0;
  const trimmed = (to: number) => {
    const part = inside.slice(from, to);
    const lead = part.length - part.trimStart().length;
    // Keep the indentation of lines of code.
    const at = level === 0 ? from : from + lead;
    return { start: start + at, end: start + from + part.trimEnd().length };
  };
  for (const match of inside.matchAll(CUTS[level]!)) {
    const to = match.index + match[0].length;
    if (isCharacters && to - from < CHARACTERS && to < inside.length) continue;
    const part = trimmed(to);
    if (part.end > part.start) yield part;
    from = to;
  }
  const rest = trimmed(inside.length);
  if (rest.end > rest.start) yield rest;
}
