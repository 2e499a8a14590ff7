import type { EmbeddedImages } from '../embedded-images.js';
import { fenceLines } from '../inline-text.js';
import { leftOutMark } from '../left-out.js';
import { notebookCells, type Cell } from './cells.js';
import { outputBlocks } from './outputs.js';

/**
 * Returns a Jupyter notebook (formats 1 to 4) as Markdown. Markdown cells are unchanged; raw cells, code cells
 * and textual outputs become code fences; outputs in HTML, Markdown and TeX are shown as such.
 *
 * @throws ExtractionError if the text is not a notebook
 */
export function notebookText(json: string, fileName: string, images: EmbeddedImages): string {
  const blocks = notebookCells(json, fileName).flatMap((cell) => cellBlocks(cell, images));
  return blocks.length > 0 ? `${blocks.join('\n\n')}\n` : '';
}

function cellBlocks(cell: Cell, images: EmbeddedImages): string[] {
  const source = cell.source.replace(/\n$/, '');
  const fenced = (language: string) => fenceLines(source, language).join('\n');
  if (cell.kind === 'code')
    return [
      ...(source === '' ? [] : [fenced(cell.language)]),
      ...cell.outputs.flatMap((output) => outputBlocks(output, images)),
    ];
  if (cell.kind === 'markdown') return markdownBlocks(source, cell.attachments, images);
  return source.trim() === '' ? [] : [fenced('text')];
}

/** Reference to a file in the cell: in angle brackets, or without blanks and with parentheses in pairs. */
const REFERENCE = /<attachment:([^<>\n]{1,500})>|\battachment:((?:[^\s()<>"']|\([^\s()<>]{0,200}\)){1,500})/g;

/** Replaces `attachment:plot.png` with the name of the extracted picture. */
function markdownBlocks(source: string, attachments: Cell['attachments'], images: EmbeddedImages): string[] {
  const names = new Map<string, string>();
  const leftOut: string[] = [];
  for (const [file, kinds] of Object.entries(attachments)) {
    const [mediaType = '', value] = Object.entries(kinds)[0] ?? [];
    const content = Array.isArray(value) ? value.join('') : value;
    const name = typeof content === 'string' ? images.addBase64(mediaType, content) : null;
    if (name === null) leftOut.push(leftOutMark('file in a cell', `${file} (${mediaType})`));
    else for (const written of [file, encodeURI(file)]) names.set(written, name);
  }
  const text = source.replace(REFERENCE, (whole, bracketed: string | undefined, bare: string | undefined) => {
    const written = bracketed ?? bare ?? '';
    const name = names.get(written) ?? names.get(decoded(written));
    return name === undefined ? whole : encodeURI(name).replace(/[()]/g, encodeURIComponent);
  });
  return [...(text.trim() === '' ? [] : [text]), ...leftOut];
}

function decoded(written: string): string {
  try {
    return decodeURI(written);
  } catch {
    return written;
  }
}
