import { baseName } from '#contracts/source-name.js';
import { escapeItem } from '#markdown/escape.js';
import { scanText } from '#markdown/fences.js';
import { type ScannedLine, splitLines } from '#markdown/scan/scan.js';
import { scanPlainText } from '#verbatim/source/plain-text.js';
import { buildLedger, ledgerIssues } from '#verbatim/ledger.js';
import { sourceForm } from '#verbatim/source/form.js';
import { ToolError, type InputPort, type ManuscriptPort } from '#kit/graph/ports.js';
import { titleFor } from '../../offline/sources/titles.js';
import { languageByName } from '../../offline/sources/languages.js';
import { countsUp, LIST_ITEM } from '../../offline/writers/dialect.js';
import { fenceContent } from '../../offline/writers/code.js';
import { writeMarkdown } from '../../offline/writers/markdown.js';
import { tableRows } from '../../offline/writers/table.js';
import { closesFence } from '#markdown/lines.js';
import { imageLine } from '../../offline/image-line.js';
import { isImage } from '../../offline/sources/kind.js';
import type { SourceLines } from './source-lines.js';

/** Ways to show lines of a source. */
export const PLACE_FORMS = ['fence', 'prose', 'table', 'list', 'image'] as const;
export type PlaceForm = (typeof PLACE_FORMS)[number];

/** Lines of a file, each with its line end, and how they are placed. */
interface PlacedLines {
  filename: string;
  text: string;
  /** Number of the first of the lines in the file. */
  from: number;
  /** Whether these are all lines of the file. */
  isWhole: boolean;
  /** Language of the code fence; derived from the file's name if absent. */
  language?: string | undefined;
  /** Level of the heading above the lines; null without a heading. */
  headingLevel: number | null;
}

/** Maximum number of items of a list, because it is traced when it is placed. */
const MAX_ITEMS = 2_000;

type Renderer = (lines: PlacedLines) => string;

/**
 * Renders lines of a file in the given form, so that a reader sees each character of them.
 *
 * @throws ToolError if the form does not suit the file
 */
export function renderLines(as: Exclude<PlaceForm, 'image'>, lines: PlacedLines): string {
  return RENDERERS[as](lines);
}

const RENDERERS: Record<Exclude<PlaceForm, 'image'>, Renderer> = {
  fence: ({ filename, text, language }) =>
    fenceContent(text, language ?? languageByName(filename)?.language ?? 'text'),

  prose(lines) {
    const form = sourceForm(lines.filename);
    if (form === 'markdown') return markdownProse(lines);
    if (form === 'text') return plainProse(lines);
    throw new ToolError(
      `"${lines.filename}" is code or data, whose lines must not wrap: place it as "fence"`,
    );
  },

  table({ filename, text, isWhole }) {
    if (sourceForm(filename) !== 'table') throw new ToolError(`"${filename}" is not a CSV or TSV file`);
    const rows = isWhole ? tableRows(text, filename) : null;
    if (rows !== null) return `${rows.join('\n')}\n`;
    throw new ToolError(
      `"${filename}" cannot be placed as a table: only a whole file with at most 500 records of equal length ` +
        'and 16 columns can. Place it as "fence".',
    );
  },

  list({ filename, text, from }) {
    if (sourceForm(filename) !== 'text')
      throw new ToolError(`"${filename}" cannot be placed as a list: only plain text can`);
    const items = proseLines(filename, text, from).filter((line) => line !== '');
    if (items.length === 0 || items.length > MAX_ITEMS)
      throw new ToolError(`a list has 1 to ${MAX_ITEMS} lines: place these as "prose" or "fence"`);
    const list = `${items.map((line) => (LIST_ITEM.test(line) ? line : `- ${line}`)).join('\n')}\n`;
    // The trace decides, because a list changes what blanks, marks and numbers at the start of a line mean.
    const [issue] = ledgerIssues(buildLedger(list, [{ name: filename, text }], { policy: 'verbatim' }));
    if (issue === undefined) return list;
    throw new ToolError(
      `"${filename}" cannot be placed as a list because of line ${from - 1 + (issue.source_line ?? 1)}: place it as "prose" or "fence"`,
    );
  },
};

/**
 * Returns Markdown with its headings moved below the given one. If none is given, a whole file becomes a separate chapter,
 * and a part is returned as written.
 */
function markdownProse({ filename, text, isWhole, headingLevel }: PlacedLines): string {
  if (!isWhole && scanText(text).openFence !== null)
    throw new ToolError(`the lines of "${filename}" end within a code block: end the span after it`);
  if (!isWhole && headingLevel === null) return trimBlankLines(text);
  const path: [number, number][] = [[0, headingLevel ?? 1]];
  const title = titleFor(baseName(filename), { kind: 'markdown' });
  const begun = headingLevel !== null;
  const state = { kind: 'markdown', title, level: 1, begun, path, open: null, unread: false } as const;
  return trimBlankLines(writeMarkdown(state, text, true, false).markdown);
}

function plainProse({ filename, text, from }: PlacedLines): string {
  return trimBlankLines(`${proseLines(filename, text, from).join('\n')}\n`);
}

const CODE_KINDS = new Set<ScannedLine['kind']>(['fence_open', 'code', 'fence_close']);

const isCode = ({ kind }: ScannedLine): boolean => CODE_KINDS.has(kind);

/** Escapes lines of plain text. @throws ToolError if some of them have to stay in a code block */
function proseLines(filename: string, text: string, from: number): string[] {
  const lines = splitLines(text);
  const scanned = scanPlainText(lines).lines;
  const first = scanned.findIndex(isCode);
  if (first >= 0) {
    const behind = scanned.findIndex((line, at) => at > first && !isCode(line) && line.kind !== 'blank');
    const last = scanned.slice(0, behind < 0 ? undefined : behind).findLastIndex(isCode);
    throw new ToolError(
      `the lines ${from + first} to ${from + last} of "${filename}" are code: place them as "fence", and the others apart`,
    );
  }
  if (!countsUp(lines))
    throw new ToolError(`Markdown would renumber these lines of "${filename}": place them as "fence"`);
  return lines.map(escapeItem);
}

function trimBlankLines(text: string): string {
  return `${text.replace(/^(?:[ \t]*\r?\n)+/, '').trimEnd()}\n`;
}

/** A span of a source that the program copies into the manuscript. */
interface Span {
  filename: string;
  /** First line, counted from 1. */
  from_line: number;
  /** Last line; the file's last if absent. */
  to_line?: number | undefined;
  as: PlaceForm;
  /** Language of the code fence; derived from the file's name if absent. */
  language?: string | undefined;
  /** Heading line above the span, such as `## Log of the pump`. */
  heading?: string | undefined;
}

interface PlacedSpan {
  /** Markdown to append. */
  markdown: string;
  from: number;
  to: number;
  /** Number of lines of the file; 0 for an image. */
  lines: number;
}

/** Where lines are put into the manuscript. */
interface Around {
  /** Marker of the code fence that is open there; null outside code. */
  fence: string | null;
  /** Blank line that has to separate a block from the line before, and from the one behind; "" if none. */
  before: string;
  behind: string;
}

/** Describes the place behind a line of the manuscript. */
export async function placeWithin(
  manuscripts: ManuscriptPort,
  manuscript: string | null,
  line: number,
): Promise<Around> {
  const lines = await manuscripts.lines(manuscript);
  const { openFence: fence } = scanText(
    lines
      .slice(0, line)
      .map((text) => `${text}\n`)
      .join(''),
  );
  const separator = (text = '') => (text.trim() === '' ? '' : '\n');
  return { fence, before: separator(lines[line - 1]), behind: separator(lines[line]) };
}

/**
 * Renders lines of a source, unchanged, as Markdown: a separate block, or lines of the code block around them.
 *
 * @throws ToolError if the file is missing or of another kind, or the lines do not exist
 */
export async function placeSpan(
  { inputs, sources }: { inputs: InputPort; sources: SourceLines },
  span: Span,
  around: Around | null = null,
): Promise<PlacedSpan> {
  const { filename, as, heading, language } = span;
  const fence = around?.fence ?? null;
  if (fence !== null && (heading !== undefined || as === 'image'))
    throw new ToolError('after_line is within a code block, where neither a heading nor an image can be');
  const apart = (block: string) =>
    fence === null
      ? `${around?.before ?? ''}${heading === undefined ? '' : `${heading}\n\n`}${block}${around?.behind ?? ''}`
      : block;
  if (as === 'image') {
    await requireImage(inputs, filename);
    return { markdown: apart(`${imageLine(filename)}\n`), from: 1, to: 1, lines: 0 };
  }
  const all = await sources.read(filename);
  const from = span.from_line;
  const to = span.to_line ?? all.length;
  if (all.length === 0) throw new ToolError(`"${filename}" is empty; there is nothing to place`);
  if (from > to || to > all.length)
    throw new ToolError(`"${filename}" has the lines 1 to ${all.length}; ${from} to ${to} cannot be placed`);
  const lines = all.slice(from - 1, to);
  const text = `${lines.join('\n')}\n`;
  const isWhole = from === 1 && to === all.length;
  if (fence !== null && lines.some((line) => closesFence(line, fence)))
    throw new ToolError(
      'these lines would end the code block around after_line: place them as a block of their own',
    );
  const headingLevel = heading === undefined ? null : heading.indexOf(' ');
  const block =
    fence === null ? renderLines(as, { filename, text, from, isWhole, language, headingLevel }) : text;
  return { markdown: apart(block), from, to, lines: all.length };
}

/** @throws ToolError if the input does not exist or is not an image */
async function requireImage(inputs: InputPort, filename: string): Promise<void> {
  const isInput = (await inputs.list()).some(({ name }) => name === filename);
  if (!isInput) throw new ToolError(`there is no input file "${filename}"; list_files returns the names`);
  if (!isImage(filename)) throw new ToolError(`"${filename}" is not an image`);
}
