import { isMeantAsTable, tableCells, type ScannedDocument, type ScannedLine } from '#markdown/scan/scan.js';
import { fenceContent } from './code.js';
import { mapLevel, renderHeading, type SourceHeading } from './headings.js';

interface Part {
  lines: string[];
  scanned: ScannedDocument;
  last: boolean;
}

/** Lines that are rendered as a block instead of line by line. */
interface Block {
  from: number;
  to: number;
  text: string;
}

/**
 * Renders the lines of a source with its headings on the given path (see `mapLevel`), which is not empty. Puts blank
 * lines around headings and fences and merges consecutive ones; preserves all words.
 *
 * @param inFence whether the first lines are inside a code fence opened by an earlier part
 * @param own the heading that is the chapter's
 */
export function renderMarkdown(
  part: Part,
  headings: SourceHeading[],
  path: [number, number][],
  inFence: boolean,
  own: SourceHeading | null = null,
): { markdown: string; path: [number, number][] } {
  let open = path;
  const blocks = new Map<number, Block>();
  for (const heading of headings) {
    open = heading === own ? [...open, [heading.level, open.at(-1)![1]]] : mapLevel(open, heading.level);
    const text = renderHeading(part.lines.slice(heading.from, heading.to), heading, open.at(-1)![1]);
    blocks.set(heading.from, { from: heading.from, to: heading.to, text });
  }
  for (const block of [...frontMatter(part), ...raggedTables(part)]) blocks.set(block.from, block);
  return { markdown: new Renderer(part, blocks, inFence).run(), path: open };
}

class Renderer {
  private readonly out: string[] = [];
  private blankDue = false;
  private readonly endings: Map<number, string>;

  constructor(
    private readonly part: Part,
    private readonly blocks: Map<number, Block>,
    private inFence: boolean,
  ) {
    this.endings = fenceEndings(part);
  }

  run(): string {
    const { lines, scanned } = this.part;
    for (let index = 0; index < lines.length;) {
      const block = this.blocks.get(index);
      if (block !== undefined) this.block(block);
      else this.line(lines[index] ?? '', scanned.lines[index]);
      index = block?.to ?? index + 1;
      const ending = this.endings.get(index);
      if (ending !== undefined) this.out.push(ending);
    }
    while (!this.inFence && this.out.at(-1) === '') this.out.pop();
    return this.out.length === 0 ? '' : `${this.out.join('\n')}\n`;
  }

  private block(block: Block): void {
    this.blank();
    this.out.push(block.text);
    this.blankDue = true;
  }

  private blank(): void {
    if (this.out.length > 0 && this.out.at(-1) !== '') this.out.push('');
  }

  private line(raw: string, line: ScannedLine | undefined): void {
    const outside = line !== undefined && line.quotes + line.lists === 0;
    // A bare quote mark separates paragraphs of one quote, so it is kept like any other line.
    if (line?.kind === 'blank' && line.quotes === 0) {
      if (!this.inFence) this.blank();
      return;
    }
    // A blank line within a quote would end it.
    const isQuoted = line !== undefined && line.quotes > 0;
    if (this.blankDue || (line?.kind === 'fence_open' && !isQuoted)) this.blank();
    this.blankDue = line?.kind === 'fence_close' && !isQuoted;
    if (outside) this.inFence = line.kind === 'fence_open' || (this.inFence && line.kind === 'code');
    this.out.push(raw);
  }
}

/**
 * Returns closing lines for fences that the source leaves open, by the index of the line that they precede.
 */
function fenceEndings({ lines, scanned, last }: Part): Map<number, string> {
  const endings = new Map<number, string>();
  for (const fence of scanned.fences) {
    if (fence.closedBy === 'fence' || (fence.closedBy === 'eof' && !last)) continue;
    const opening = lines[fence.line - 1] ?? fence.marker;
    const prefix = opening.slice(0, Math.max(0, opening.indexOf(fence.marker))).replace(/[^>\s]/g, ' ');
    endings.set(fence.lastLine, `${prefix}${fence.marker}`);
  }
  return endings;
}

/** Returns front matter as a YAML code block, because it has a meaning only at the start of a file. */
function frontMatter({ lines, scanned }: Part): Block[] {
  const to = scanned.lines.findIndex((line) => line.kind !== 'front_matter');
  const end = to < 0 ? scanned.lines.length : to;
  return end === 0
    ? []
    : [{ from: 0, to: end, text: fenceContent(lines.slice(0, end).join('\n'), 'yaml').trimEnd() }];
}

/**
 * Repairs tables with rows of different lengths, which would lose cells, and tables right below a line of text,
 * which would not be read as tables: pads shorter rows and inserts a blank line before. Preserves all words.
 */
function raggedTables({ lines, scanned }: Part): Block[] {
  const blocks: Block[] = [];
  for (let from = 0; from < lines.length;) {
    const to = tableEnd(scanned.lines, from);
    const cells = scanned.lines.slice(from, to).map(cellCount);
    const columns = Math.max(...cells);
    const isRead = to === from || scanned.lines[from]?.kind === 'table';
    if (!isRead || cells.some((count) => count < columns)) {
      const rows = lines
        .slice(from, to)
        .map((row, index) => padRow(row, columns - (cells[index] ?? 0), index === 1));
      blocks.push({ from, to, text: rows.join('\n') });
    }
    from = Math.max(to, from + 1);
  }
  return blocks;
}

const cellCount = (line: ScannedLine): number => tableCells(line.text)?.length ?? 1;

function padRow(row: string, missing: number, isDelimiter: boolean): string {
  if (missing <= 0) return row;
  const text = row.trimEnd();
  const border = text.endsWith('|') && !text.endsWith('\\|') ? '' : ' |';
  return `${text}${border}${(isDelimiter ? ' --- |' : '  |').repeat(missing)}`;
}

/**
 * Returns the end of the table, or intended table, that begins at line `from`; otherwise `from`.
 */
function tableEnd(lines: ScannedLine[], from: number): number {
  const [before, first, second] = [lines[from - 1], lines[from], lines[from + 1]];
  if (first === undefined || second === undefined || first.quotes + first.lists > 0) return from;
  const isTable = first.kind === 'table' && second.kind === 'delimiter';
  if (!isTable && (before?.text.startsWith('<') || !isMeantAsTable(first, second))) return from;
  const isRow = (line: ScannedLine): boolean =>
    isTable ? line.kind === 'table' : line.kind === 'prose' && tableCells(line.text) !== null;
  let to = from + 2;
  for (
    let line = lines[to];
    line !== undefined && isRow(line) && line.quotes + line.lists === 0;
    line = lines[to]
  )
    to += 1;
  return to;
}
