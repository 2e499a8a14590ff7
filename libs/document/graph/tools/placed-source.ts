import { ToolError, type InputPort } from '#kit/graph/ports.js';
import { fenced } from '../../offline/writers/fence.js';
import { languageByName } from '../../offline/sources/languages.js';

/** A span of a source that the program copies into the manuscript. */
export interface Span {
  filename: string;
  /** First line, counted from 1. */
  from_line: number;
  /** Last line; the file's last if absent. */
  to_line?: number | undefined;
  as: 'fence' | 'markdown';
  /** Language of the fence; that of the file's name if absent. */
  language?: string | undefined;
  /** Heading line above the span, such as `## Log of the pump`. */
  heading?: string | undefined;
}

export interface PlacedSpan {
  /** Markdown to append, beginning with a blank line. */
  markdown: string;
  from: number;
  to: number;
  /** Number of lines of the file. */
  lines: number;
}

/**
 * Copies lines of a source byte for byte into Markdown.
 *
 * @throws ToolError if the file is missing or not text, or the lines do not exist
 */
export async function placeSpan(inputs: InputPort, span: Span): Promise<PlacedSpan> {
  const { filename, as, heading } = span;
  const all = await linesOf(inputs, filename);
  const from = span.from_line;
  const to = span.to_line ?? all.length;
  if (all.length === 0) throw new ToolError(`"${filename}" is empty; there is nothing to place`);
  if (from > to || to > all.length)
    throw new ToolError(`"${filename}" has the lines 1 to ${all.length}; ${from} to ${to} cannot be placed`);
  const content = `${all.slice(from - 1, to).join('\n')}\n`;
  const language = span.language ?? languageByName(filename)?.language ?? 'text';
  const block = as === 'fence' ? fenced(content, language) : content;
  return {
    markdown: `\n${heading === undefined ? '' : `${heading}\n\n`}${block}`,
    from,
    to,
    lines: all.length,
  };
}

async function linesOf(inputs: InputPort, filename: string): Promise<string[]> {
  let text = '';
  for (let cursor: number | null = 0; cursor !== null;) {
    const page = await inputs.readPage(filename, cursor);
    text += page.text;
    cursor = page.next_cursor;
  }
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines;
}
