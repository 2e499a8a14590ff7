import { scanText } from '#markdown/fences.js';
import { closesFence } from '#markdown/lines.js';
import { ToolError, type InputPort, type ManuscriptPort } from '#kit/graph/ports.js';
import { imageLine } from '../../offline/image-line.js';
import { isImage } from '../../offline/sources/kind.js';
import { type PlaceForm, renderLines } from './place-forms.js';
import type { SourceLines } from './source-lines.js';

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
