import { scanText } from '#markdown/fences.js';
import { scanMarkdown, type ScannedDocument } from '#markdown/scan/scan.js';
import { canBeTitle } from '#markdown/title.js';
import { isHardToRead } from '#markdown/parse-cost.js';
import { isFaithful, mayStayOpen, missingEnding } from './dialect.js';
import { fenceContent } from './code.js';
import { chapterHeading, chapterLine, findHeadings } from './headings.js';
import { renderMarkdown } from './markdown-render.js';
import { MAX_BLOCK_LENGTH, type Written } from './writer.js';

export interface MarkdownState {
  kind: 'markdown';
  title: string;
  /** Level of the chapter's heading. */
  level: number;
  begun: boolean;
  /** Open headings: [level in the source, level in the manuscript]. */
  path: [number, number][];
  /** Delimiter of the code fence open at the end of the last stretch. */
  open: string | null;
  /**
   * A stretch was too hard to parse and is fenced. So is the rest of the source, which would read differently
   * without it.
   */
  unread: boolean;
}

/** Scanned lines of a stretch, ready to be rendered. */
interface Part {
  lines: string[];
  scanned: ScannedDocument;
  last: boolean;
}

/**
 * Carries a Markdown source: one `#` for the chapter, the other headings below it without gaps, everything
 * else unchanged. Closes blocks that the source leaves open, so that they do not absorb the next chapter.
 */
export function writeMarkdown(
  state: MarkdownState,
  text: string,
  last: boolean,
  isTooHard: boolean,
): Written<MarkdownState> {
  const wait = { markdown: '', consumed: 0, state };
  const long = text.length >= MAX_BLOCK_LENGTH;
  const all = toLines(text, last);
  const isUnread =
    all.length > 0 && (state.unread || isTooHard || isHardToRead(inFence(state, all.join('\n'))));
  if (isUnread) {
    const written = unread(state, all, last ? text.length : lengthOf(text, all.length));
    return { ...written, state: { ...written.state, unread: true }, isTooHard: true };
  }
  const cut = last ? all.length : findCut(state, all, long);
  if (cut === 0 && !last) return wait;
  const lines = all.slice(0, cut);
  const part: Part = { lines, scanned: scan(state, lines), last };
  const open = last ? null : openMarker(part);
  const written = endPart(state, writePart(state, part), open);
  if (!written.isEnded && !last && !long) return wait;
  const consumed = last ? text.length : lengthOf(text, cut);
  if (written.isEnded)
    return {
      markdown: written.markdown,
      consumed,
      state: { ...state, begun: true, path: written.path, open },
    };
  return unread(state, lines, consumed);
}

/** Fences lines verbatim if their markup cannot be closed or takes too long to parse. */
function unread(state: MarkdownState, lines: string[], consumed: number): Written<MarkdownState> {
  const title = state.begun ? '' : `${chapterLine(state)}\n\n`;
  const before = title + (state.open === null ? '' : `${state.open}\n\n`);
  return {
    markdown: before + fenceContent(lines.join('\n'), 'markdown'),
    consumed,
    state: { ...state, begun: true, open: null },
  };
}

interface RenderedPart {
  markdown: string;
  path: [number, number][];
}

/**
 * Closes everything that the part leaves open, except the fence that continues in the next part. `isEnded` is
 * false if that is impossible, or if the tools, which know only fences, would read the part differently.
 */
function endPart(
  state: MarkdownState,
  part: RenderedPart,
  open: string | null,
): RenderedPart & { isEnded: boolean } {
  const ending = open === null ? missingEnding(inFence(state, part.markdown)) : '';
  const isComplete = ending === '' || (ending !== null && open === null);
  const markdown = part.markdown + (ending ? `${ending}\n` : '');
  return { ...part, markdown, isEnded: isComplete && scanText(inFence(state, markdown)).openFence === open };
}

/** Renders the lines, with the chapter heading if this is the first part. */
function writePart(state: MarkdownState, part: Part): RenderedPart {
  const headings = findHeadings(part.scanned.lines);
  if (state.begun) return renderMarkdown(part, headings, state.path, state.open !== null);
  const own = chapterHeading(part.scanned.lines, headings, state.title);
  if (own !== null) return renderMarkdown(part, headings, state.path, false, own);
  const title = frontMatterTitle(part) ?? state.title;
  const { markdown, path } = renderMarkdown(part, headings, state.path, false);
  return {
    markdown: `${chapterLine({ ...state, title })}\n\n${markdown === '' ? 'The file is empty.\n' : markdown}`,
    path,
  };
}

/** Maximum number of characters of a front matter line that may be a title. */
const MAX_TITLE_LENGTH = 1_000;

function frontMatterTitle({ lines, scanned }: Part): string | null {
  const matter = lines.filter((_, index) => scanned.lines[index]?.kind === 'front_matter');
  const title = matter
    .filter(({ length }) => length <= MAX_TITLE_LENGTH)
    .flatMap((line) => /^title:\s*(["']?)(\S.*?)\1\s*$/.exec(line)?.[2] ?? [])[0];
  return title !== undefined && canBeTitle(title) && isFaithful([title]) ? title : null;
}

const inFence = (state: MarkdownState, markdown: string): string =>
  state.open === null ? markdown : `${state.open}\n${markdown}`;

/** Returns complete lines without their ends; removes carriage returns at line ends. */
function toLines(text: string, last: boolean): string[] {
  const lines = text.split('\n');
  const tail = lines.pop() ?? '';
  if (last && tail !== '') lines.push(tail);
  return lines.map((line) => (line.endsWith('\r') ? line.slice(0, -1) : line));
}

function lengthOf(text: string, lines: number): number {
  let at = 0;
  for (let line = 0; line < lines; line++) at = text.indexOf('\n', at) + 1;
  return at;
}

/** Scans lines that may begin inside a code fence. */
function scan(state: MarkdownState, lines: string[]): ScannedDocument {
  if (state.open === null) return scanMarkdown(lines, { frontMatter: !state.begun });
  const { lines: scanned, fences } = scanMarkdown([state.open, ...lines]);
  return {
    lines: scanned.slice(1),
    fences: fences.map((fence) => ({ ...fence, line: fence.line - 1, lastLine: fence.lastLine - 1 })),
  };
}

/**
 * Returns the delimiter of the code fence that the last line leaves open; fences in lists and quotes are not
 * cut.
 */
function openMarker({ lines, scanned }: Part): string | null {
  const fence = scanned.fences.at(-1);
  const end = scanned.lines.at(-1);
  if (fence?.closedBy !== 'eof' || end === undefined || fence.lastLine !== lines.length) return null;
  return end.quotes + end.lists === 0 ? fence.marker : null;
}

const BLOCK_STARTS = new Set(['prose', 'heading', 'setext', 'fence_open', 'table']);

/**
 * Returns how many lines can be written before the rest is known: up to the last blank line between blocks,
 * or all if inside a code fence.
 */
function findCut(state: MarkdownState, lines: string[], long: boolean): number {
  const scanned = scan(state, lines);
  if (long || (openMarker({ lines, scanned, last: false }) !== null && !mayStayOpen(lines.join('\n'))))
    return lines.length;
  for (let index = lines.length - 1; index > 0; index--) {
    const line = scanned.lines[index];
    const outside = line !== undefined && line.quotes + line.lists === 0 && BLOCK_STARTS.has(line.kind);
    if (outside && scanned.lines[index - 1]?.kind === 'blank') return index;
  }
  return 0;
}
