import { ToolError, type InputPort } from '#kit/graph/ports.js';
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

/**
 * Renders lines of a source, unchanged, as Markdown.
 *
 * @throws ToolError if the file is missing or of another kind, or the lines do not exist
 */
export async function placeSpan(
  { inputs, sources }: { inputs: InputPort; sources: SourceLines },
  span: Span,
): Promise<PlacedSpan> {
  const { filename, as, heading, language } = span;
  if (as === 'image') return placeImage(inputs, filename, heading);
  const all = await sources.read(filename);
  const from = span.from_line;
  const to = span.to_line ?? all.length;
  if (all.length === 0) throw new ToolError(`"${filename}" is empty; there is nothing to place`);
  if (from > to || to > all.length)
    throw new ToolError(`"${filename}" has the lines 1 to ${all.length}; ${from} to ${to} cannot be placed`);
  const block = renderLines(as, {
    filename,
    text: `${all.slice(from - 1, to).join('\n')}\n`,
    isWhole: from === 1 && to === all.length,
    language,
    headingLevel: heading === undefined ? null : heading.indexOf(' '),
  });
  return { markdown: withHeading(block, heading), from, to, lines: all.length };
}

/** @throws ToolError if the input does not exist or is not an image */
async function placeImage(
  inputs: InputPort,
  filename: string,
  heading: string | undefined,
): Promise<PlacedSpan> {
  const isInput = (await inputs.list()).some(({ name }) => name === filename);
  if (!isInput) throw new ToolError(`there is no input file "${filename}"; list_files returns the names`);
  if (!isImage(filename)) throw new ToolError(`"${filename}" is not an image`);
  return { markdown: withHeading(`${imageLine(filename)}\n`, heading), from: 1, to: 1, lines: 0 };
}

const withHeading = (block: string, heading: string | undefined) =>
  heading === undefined ? block : `${heading}\n\n${block}`;
