import { scanMarkdown, splitLines, type ScannedLine } from '#markdown/scan/scan.js';

/**
 * A part of a text that stays whole if it fits: complete lines, from the first character to the end of the
 * last line.
 */
export interface Block {
  start: number;
  end: number;
  kind: 'heading' | 'prose' | 'list' | 'code' | 'table';
  /** Level of a heading, 1 to 6. */
  level: number;
  title: string;
}

interface Line extends ScannedLine {
  start: number;
  end: number;
}

/**
 * Splits a markdown text into blocks: headings, paragraphs, list items, code blocks, table rows. Blank lines
 * belong to none.
 */
export function blocksOf(text: string): Block[] {
  const blocks: Block[] = [];
  let previous: Line | undefined;
  for (const line of linesOf(text)) {
    const open = blocks.at(-1);
    if (line.kind === 'blank') previous = line;
    else {
      if (open && previous && continues(open, previous, line)) extend(open, line);
      else blocks.push(blockOf(line));
      previous = line;
    }
  }
  return blocks;
}

function* linesOf(text: string): Generator<Line> {
  const { lines } = scanMarkdown(splitLines(text), { frontMatter: true });
  let start = 0;
  for (const line of lines) {
    const feed = text.indexOf('\n', start);
    const stop = feed < 0 ? text.length : feed;
    const end = text[stop - 1] === '\r' && stop > start ? stop - 1 : stop;
    yield { ...line, start, end };
    start = stop + 1;
  }
}

const kindOf: Record<ScannedLine['kind'], Block['kind']> = {
  blank: 'prose',
  prose: 'prose',
  heading: 'heading',
  setext: 'heading',
  underline: 'heading',
  fence_open: 'code',
  fence_close: 'code',
  code: 'code',
  table: 'table',
  delimiter: 'table',
  front_matter: 'code',
};

function blockOf(line: Line): Block {
  const kind = line.kind === 'prose' && line.lists > 0 ? 'list' : kindOf[line.kind];
  const title = kind === 'heading' ? line.text.trim() : '';
  return { start: line.start, end: line.end, kind, level: line.level, title };
}

function extend(block: Block, line: Line): void {
  block.end = line.end;
  if (line.kind === 'setext') block.title += ` ${line.text.trim()}`;
}

/**
 * Returns whether a line continues the block before it; `previous` is the preceding line, which may be blank.
 */
function continues(open: Block, previous: Line, line: Line): boolean {
  if (line.marker !== '') return false;
  switch (line.kind) {
    case 'setext':
      return previous.kind === 'setext';
    case 'underline':
      return true;
    case 'fence_close':
      return true;
    case 'code':
    case 'front_matter':
      // A fenced block continues after blank lines; an indented one starts again.
      return open.kind === 'code' && previous.kind !== 'blank' && previous.kind !== 'fence_close';
    case 'delimiter':
      // Belongs to the line above it, which is then a table header instead of a paragraph.
      if (open.end === previous.end) open.kind = 'table';
      return true;
    case 'prose':
      return (open.kind === 'prose' || open.kind === 'list') && previous.kind === 'prose';
    default:
      return false;
  }
}
