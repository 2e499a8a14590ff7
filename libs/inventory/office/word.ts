import { posix } from 'node:path';
import type { Piece, PieceList } from '../piece.js';
import { listChart, listDrawing } from './drawing-text.js';
import { OfficePackage } from './package.js';
import { listWordPart } from './word-part.js';
import { StyleSheet } from './word-styles.js';

/** Lists the pieces of a file that another file includes; its places begin with `prefix`. */
type ListIncluded = (bytes: Uint8Array, name: string, prefix: string) => Promise<void>;

/** Root elements of the parts that show text, by their kind. */
const PARTS: Record<string, string> = {
  document: '',
  hdr: 'header',
  ftr: 'footer',
  footnotes: 'footnotes',
  endnotes: 'endnotes',
  comments: 'comments',
};

/**
 * Lists the pieces of a Word file: paragraphs and cells of the document, headers, footers, notes, comments, text boxes, charts, diagrams,
 * form fields, symbols, formulas, included files, the names of embedded files, deleted text. Numbers of lists are not listed.
 *
 * @throws InventoryError for a damaged or oversized file
 */
export async function listWord(bytes: Uint8Array, list: PieceList, included: ListIncluded): Promise<void> {
  const parts = new OfficePackage(bytes);
  const styles = new StyleSheet();
  const files: { path: string; kind: string; id: string }[] = [];
  const counts = new Map<string, number>();
  const seen = new Set<string>();
  const shown = parts.shownParts();
  for (const { path } of shown.filter(({ root }) => root === 'styles')) styles.read(parts.text(path));
  for (const { path, root } of shown) {
    const kind = PARTS[root];
    const number = (counts.get(root) ?? 0) + 1;
    counts.set(root, number);
    if (root === 'chartSpace') listChart(parts.text(path), list, `chart ${number}`);
    else if (root === 'userShapes') listDrawing(parts.text(path), list, `chart shapes ${number}`);
    else if (root === 'dataModel') listDrawing(parts.text(path), list, `diagram ${number}`);
    if (kind === undefined) continue;
    const from = list.pieces.length;
    listWordPart(parts.text(path), list, {
      part: kind === '' ? '' : `${kind} ${number}`,
      styles,
      onFile: (what, id) => files.push({ path, kind: what, id }),
    });
    if (kind === 'header' || kind === 'footer') markRepeated(list.pieces, from, kind, seen);
  }
  for (const { path, kind, id } of files) {
    const reference = parts.references(path).get(id);
    const content = reference && parts.bytes(reference.target);
    const name = posix.basename(reference?.target ?? id);
    if (kind === 'included' && content) await included(content, name, `included file ${name}`);
    else list.add({ place: 'embedded file', text: name });
  }
}

/** Marks pieces of a header or footer with the same words as in another section. */
function markRepeated(pieces: Piece[], from: number, kind: string, seen: Set<string>): void {
  const own = pieces.slice(from);
  const key = `${kind}: ${own.map(({ text }) => text.trim()).join('\n')}`;
  if (seen.has(key)) for (const piece of own) piece.again = `the same ${kind} as in another section`;
  seen.add(key);
}
