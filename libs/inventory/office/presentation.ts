import { posix } from 'node:path';
import type { PieceList } from '../piece.js';
import { listChart, listDrawing } from './drawing-text.js';
import { OfficePackage } from './package.js';

/**
 * Lists the pieces of a PowerPoint file: each paragraph of each slide, notes, comments, charts and diagrams. Texts of layouts and masters
 * are placeholders and not listed.
 *
 * @throws InventoryError for a damaged or oversized file
 */
export function listPresentation(bytes: Uint8Array, list: PieceList): void {
  const parts = new OfficePackage(bytes);
  const counts = new Map<string, number>();
  for (const { path, root } of parts.shownParts()) {
    const number = (counts.get(root) ?? 0) + 1;
    counts.set(root, number);
    const own = /(\d{1,9})\.xml$/.exec(posix.basename(path).slice(-40))?.[1] ?? String(number);
    const xml = parts.text(path);
    if (root === 'sld') listDrawing(xml, list, `slide ${own}`);
    else if (root === 'notes') listDrawing(xml, list, `speaker notes ${own}`);
    else if (root === 'chartSpace') listChart(xml, list, `chart ${number}`);
    else if (root === 'dataModel') listDrawing(xml, list, `diagram ${number}`);
    else if (root === 'cmLst') listSlideComments(xml, list);
  }
}

function listSlideComments(xml: string, list: PieceList): void {
  // The words of a comment are plain text in `p:text`.
  listChart(xml.replace(/<(\/?)[\w-]*:?text\b/g, '<$1t'), list, 'comment');
}
