import { z } from 'zod';
import { scanText } from '#markdown/fences.js';
import { scanMarkdown, type ScannedDocument } from '#markdown/scan/scan.js';
import { isHardToRead } from '#markdown/parse-cost.js';
import { isFaithful, mayStayOpen, missingEnding } from './dialect.js';
import { fenced } from './fence.js';
import { chapterHeading, findHeadings } from './headings.js';
import { renderMarkdown } from './markdown-render.js';
import { LONGEST_BLOCK, type Written } from './writer.js';

export const markdownStateSchema = z.object({
  kind: z.literal('markdown'),
  title: z.string(),
  begun: z.boolean(),
  /** Open headings: [level in the source, level in the manuscript]. */
  path: z.array(z.tuple([z.number(), z.number()])),
  /** The marker of a fence that the last stretch ended in. */
  open: z.string().nullable(),
  /** A stretch was too hard to read and stands in a fence: so does the rest of the source, which would read as something else by itself. */
  unread: z.boolean().default(false),
});
export type MarkdownState = z.infer<typeof markdownStateSchema>;

/** Lines of a stretch with what they are, ready to be rendered. */
interface Part {
  lines: string[];
  scanned: ScannedDocument;
  last: boolean;
}

/**
 * Carries a markdown source: one `#` for the chapter, the other headings below it without a gap, everything else as it stands. Blocks
 * that the source leaves open are closed at its end, so that the next chapter is not swallowed.
 */
export function writeMarkdown(
  state: MarkdownState,
  text: string,
  last: boolean,
  isTooHard: boolean,
): Written<MarkdownState> {
  const wait = { markdown: '', consumed: 0, state };
  const long = text.length >= LONGEST_BLOCK;
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

/** Where markup cannot be ended, or takes too long to read, the lines go into a fence as they are. */
function unread(state: MarkdownState, lines: string[], consumed: number): Written<MarkdownState> {
  const path: [number, number][] = state.begun ? state.path : [[0, 1]];
  const title = state.begun ? '' : `# ${state.title}\n\n`;
  const before = title + (state.open === null ? '' : `${state.open}\n\n`);
  return {
    markdown: before + fenced(lines.join('\n'), 'markdown'),
    consumed,
    state: { ...state, begun: true, path, open: null },
  };
}

interface RenderedPart {
  markdown: string;
  path: [number, number][];
}

/**
 * Closes what the part leaves open, but for the fence that goes on in the next one. `isEnded` is false when that cannot be done, or
 * when the part looks different to the tools, which know fences and no other blocks.
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

/** The heading of the chapter, when this is its first part, and the lines below it. */
function writePart(state: MarkdownState, part: Part): RenderedPart {
  const headings = findHeadings(part.scanned.lines);
  if (state.begun) return renderMarkdown(part, headings, state.path, state.open !== null);
  const own = chapterHeading(part.scanned.lines, headings, state.title);
  if (own !== null) return renderMarkdown(part, headings, [], false);
  const title = frontMatterTitle(part) ?? state.title;
  const { markdown, path } = renderMarkdown(part, headings, [[0, 1]], false);
  return { markdown: `# ${title}\n\n${markdown === '' ? 'The file is empty.\n' : markdown}`, path };
}

/** Characters of a line of front matter that may be a title. */
const LONGEST_TITLE = 1_000;

function frontMatterTitle({ lines, scanned }: Part): string | null {
  const matter = lines.filter((_, index) => scanned.lines[index]?.kind === 'front_matter');
  const title = matter
    .filter(({ length }) => length <= LONGEST_TITLE)
    .flatMap((line) => /^title:\s*(["']?)(\S.*?)\1\s*$/.exec(line)?.[2] ?? [])[0];
  return title !== undefined && isFaithful([title]) ? title : null;
}

const inFence = (state: MarkdownState, markdown: string): string =>
  state.open === null ? markdown : `${state.open}\n${markdown}`;

/** Complete lines without their ends; a byte order mark and carriage returns at line ends are no text. */
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

/** Scans lines that may begin inside a fence. */
function scan(state: MarkdownState, lines: string[]): ScannedDocument {
  if (state.open === null) return scanMarkdown(lines, { frontMatter: !state.begun });
  const { lines: scanned, fences } = scanMarkdown([state.open, ...lines]);
  return {
    lines: scanned.slice(1),
    fences: fences.map((fence) => ({ ...fence, line: fence.line - 1, lastLine: fence.lastLine - 1 })),
  };
}

/** The marker of the fence that the last line leaves open; fences in lists and quotes are not cut. */
function openMarker({ lines, scanned }: Part): string | null {
  const fence = scanned.fences.at(-1);
  const end = scanned.lines.at(-1);
  if (fence?.closedBy !== 'eof' || end === undefined || fence.lastLine !== lines.length) return null;
  return end.quotes + end.lists === 0 ? fence.marker : null;
}

const BLOCK_STARTS = new Set(['prose', 'heading', 'setext', 'fence_open', 'table']);

/** How many lines can be written before the rest is known: up to the last blank line between blocks, or all inside a fence. */
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
