import { posix } from 'node:path';
import type { PieceList } from '../piece.js';
import { listChart, listDrawing, listLayout } from './drawing-text.js';
import { OfficePackage } from './package.js';

/**
 * Lists the pieces of a PowerPoint file: each paragraph of each slide, notes, comments, charts and diagrams, and texts
 * outside of placeholders in the layouts and masters that slides use, which each slide shows.
 *
 * @throws InventoryError for a damaged or oversized file
 */
export function listPresentation(bytes: Uint8Array, list: PieceList): void {
  const parts = new OfficePackage(bytes);
  const counts = new Map<string, number>();
  const layouts = usedLayouts(parts);
  for (const { path, root } of parts.shownParts()) {
    const number = (counts.get(root) ?? 0) + 1;
    counts.set(root, number);
    const own = /(\d{1,9})\.xml$/.exec(posix.basename(path).slice(-40))?.[1] ?? String(number);
    const xml = parts.text(path);
    if (root === 'sld') listDrawing(xml, list, `slide ${own}`);
    else if (root === 'notes') listDrawing(xml, list, `speaker notes ${own}`);
    else if (root === 'chartSpace') listChart(xml, list, `chart ${number}`);
    else if (root === 'dataModel') listDrawing(xml, list, `diagram ${number}`);
    else if (root === 'userShapes') listDrawing(xml, list, `chart shapes ${number}`);
    else if (layouts.has(path)) listLayout(xml, list, `slide layout ${number}`);
    else if (root === 'cmLst') listSlideComments(xml, list);
  }
}

/** Returns the paths of the layouts that slides use, and of their masters. */
function usedLayouts(parts: OfficePackage): Set<string> {
  const targets = (path: string, kind: string) =>
    [...parts.references(path).values()].filter(({ type }) => type === kind).map(({ target }) => target);
  const slides = parts.shownParts().filter(({ root }) => root === 'sld');
  const layouts = slides.flatMap(({ path }) => targets(path, 'slideLayout'));
  return new Set([...layouts, ...layouts.flatMap((path) => targets(path, 'slideMaster'))]);
}

function listSlideComments(xml: string, list: PieceList): void {
  // The words of a comment are plain text in `p:text`.
  listChart(xml.replace(/<(\/?)[\w-]*:?text\b/g, '<$1t'), list, 'comment');
}
