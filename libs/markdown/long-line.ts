import { hasSpace } from '#contracts/text.js';
import type { Nodes, Paragraph, PhrasingContent, RootContent } from 'mdast';

/** Lines with more characters are parsed in parts. */
const LONG_LINE = 8_000;
/** Characters per part; a part ends after a whole word. */
const PART = 4_000;

/** Characters that may open, close or escape markup, except URLs in angle brackets and `_` within words. */
const MARK =
  /[[\]*~`$|\n\\]|(?<![A-Za-z0-9])_|_(?![A-Za-z0-9])|<(?![A-Za-z][\w+.-]{1,31}:[^\s<>]*>|[\w.+-]{1,64}@[\w.-]{1,255}>)/;
/** Position where a part may end: the text after it cannot start a block. */
const CUT = / (?=[A-Za-z])/g;

/** Returns whether a block is one long line that can be parsed in parts. */
export function isLongLine(block: string): boolean {
  return block.length > LONG_LINE && /^[A-Za-z]/.test(block) && !MARK.test(block);
}

/**
 * Parses in parts a paragraph that is one long line without paired markup: the parser's time grows with the
 * square of the number of addresses in a paragraph.
 *
 * @param block one line, with or without its line end
 * @param parse parses Markdown; positions are relative to its argument
 * @returns the paragraph, with positions relative to `block`; null if the block is something else
 */
export function parseLongLine(block: string, parse: (markdown: string) => RootContent[]): Paragraph | null {
  const line = block.trimEnd();
  if (!isLongLine(line)) return null;
  const children: PhrasingContent[] = [];
  let start = 0;
  for (const end of [...cutsOf(line), line.length]) {
    const [part, ...others] = parse(line.slice(start, end));
    if (part?.type !== 'paragraph' || others.length > 0) return null;
    moveRight(part, start);
    if (start > 0) joinTexts(children, [blankAt(start - 1)]);
    joinTexts(children, part.children);
    start = end + 1;
  }
  // Like the parser, count trailing blanks as part of the paragraph.
  const end = point(/^[^\n]*/.exec(block)![0].length);
  return { type: 'paragraph', children, position: { start: point(0), end } };
}

/** Returns the offsets of the blanks between the parts of a line. */
function cutsOf(line: string): number[] {
  const cuts: number[] = [];
  CUT.lastIndex = PART;
  for (let cut = CUT.exec(line); cut !== null; cut = CUT.exec(line)) {
    if (hasSpace(line[cut.index - 1] ?? '')) continue;
    cuts.push(cut.index);
    CUT.lastIndex = cut.index + PART;
  }
  return cuts;
}

const point = (offset: number) => ({ line: 1, column: offset + 1, offset });

const blankAt = (offset: number): PhrasingContent => ({
  type: 'text',
  value: ' ',
  position: { start: point(offset), end: point(offset + 1) },
});

/** Appends nodes; merges adjacent text nodes. */
function joinTexts(children: PhrasingContent[], added: PhrasingContent[]): void {
  for (const node of added) {
    const last = children.at(-1);
    if (last?.type !== 'text' || node.type !== 'text') children.push(node);
    else {
      last.value += node.value;
      if (last.position && node.position) last.position.end = node.position.end;
      else delete last.position;
    }
  }
}

function moveRight(node: Nodes, characters: number): void {
  const { position } = node;
  if (position) {
    const moved = (offset = 0) => point(offset + characters);
    node.position = { start: moved(position.start.offset), end: moved(position.end.offset) };
  }
  if ('children' in node) for (const child of node.children) moveRight(child, characters);
}
