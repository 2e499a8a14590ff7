import { isHtmlFile } from '#contracts/text.js';
import { posix } from 'node:path';
import { decodeText } from './decode.js';
import { listHtml } from './html.js';
import { InventoryError, type PieceList } from './piece.js';
import { walkXml, xmlText } from './xml.js';
import { unzipParts } from './zip.js';

/**
 * Lists the pieces of an EPUB: of its documents in reading order, of its table of contents, and its title.
 *
 * @throws InventoryError for a damaged or oversized file, and for one without a reading order
 */
export function listEpub(bytes: Uint8Array, list: PieceList): void {
  const parts = unzipParts(
    bytes,
    (name) => !/\.(?:png|jpe?g|gif|webp|css|js|[ot]tf|woff2?|mp[34]|m4a)$/i.test(name),
  );
  const text = (path: string) => xmlText(parts.get(path) ?? new Uint8Array());
  let packagePath = '';
  walkXml(text('META-INF/container.xml'), {
    open: (name, attributes) => {
      if (name === 'rootfile' && packagePath === '') packagePath = attributes['full-path'] ?? '';
    },
    close: () => undefined,
  });
  const { paths, contents, title } = readPackage(text(packagePath), posix.dirname(packagePath));
  if (paths.length === 0) throw new InventoryError('it has no reading order');
  for (const [index, { path, isContents, isUnknown }] of paths.entries()) {
    const part = parts.get(path);
    const from = list.pieces.length;
    if (part) listHtml(decodeText(part), list, { prefix: `document ${index + 1}`, isXhtml: true });
    else if (!isContents && (isUnknown || isHtmlFile(path)))
      list.add({ place: `document ${index + 1}`, text: posix.basename(path) });
    if (isContents) for (const piece of list.pieces.slice(from)) piece.isContents = true;
  }
  const from = list.pieces.length;
  for (const path of contents) {
    const part = parts.get(path);
    if (!part) continue;
    if (path.endsWith('.ncx')) listLabels(xmlText(part), list);
    else listHtml(decodeText(part), list, { prefix: 'table of contents', isXhtml: true });
  }
  for (const piece of list.pieces.slice(from)) piece.isContents = true;
  list.add({ place: 'title of the book', text: title });
}

/** Lists the labels of a table of contents of EPUB 2. */
function listLabels(ncx: string, list: PieceList): void {
  let label = '';
  let isText = false;
  walkXml(ncx, {
    open: (name) => {
      isText = name === 'text';
      label = '';
    },
    text: (text) => {
      if (isText) label += text;
    },
    close: (name) => {
      if (name === 'text') list.add({ place: 'table of contents', text: label });
      isText = false;
    },
  });
}

interface Document {
  path: string;
  /** True if the package file declares the document as table of contents. */
  isContents: boolean;
  /** True if the list of files lacks the document; its path is then its ID in the reading order. */
  isUnknown?: boolean;
}

interface Package {
  /** Documents in their reading order. */
  paths: Document[];
  /** Paths of the tables of contents that are not in the reading order. */
  contents: string[];
  title: string;
}

function readPackage(xml: string, folder: string): Package {
  const items = new Map<string, Document>();
  const order: string[] = [];
  let title = '';
  let isTitle = false;
  walkXml(xml, {
    open: (name, attributes, fullName) => {
      const { id = '', href = '', idref = '', properties = '' } = attributes;
      isTitle = fullName === 'dc:title';
      const isContents =
        attributes['media-type'] === 'application/x-dtbncx+xml' || properties.split(/\s/).includes('nav');
      if (name === 'item') items.set(id, { path: posix.join(folder, decoded(href)), isContents });
      if (name === 'itemref') order.push(idref);
    },
    text: (text) => {
      if (isTitle) title += text;
    },
    close: () => {
      isTitle = false;
    },
  });
  const seen = new Set<string>();
  const paths = order
    .map((id) => items.get(id) ?? { path: id, isContents: false, isUnknown: true })
    // A small book may name a file thousands of times.
    .filter(({ path }) => !path.endsWith('.ncx') && !seen.has(path) && seen.add(path));
  const inOrder = new Set(paths.map(({ path }) => path));
  const contents = [...items.values()].filter(({ path, isContents }) => isContents && !inOrder.has(path));
  return { paths, contents: [...new Set(contents.map(({ path }) => path))], title };
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
