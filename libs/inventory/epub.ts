import { posix } from 'node:path';
import { decodeText } from './decode.js';
import { listHtml } from './html.js';
import { InventoryError, type PieceList } from './piece.js';
import { walkXml, xmlText } from './xml.js';
import { unzipParts } from './zip.js';

const VOID = /^(?:area|base|br|col|embed|hr|img|input|link|meta|source|track|wbr)$/i;

/**
 * Lists the pieces of an EPUB: those of each document in its reading order.
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
  const paths = readingOrder(text(packagePath), posix.dirname(packagePath));
  if (paths.length === 0) throw new InventoryError('it has no reading order');
  for (const [index, path] of paths.entries()) {
    const part = parts.get(path);
    if (part) listHtml(asHtml(decodeText(part)), list, { prefix: `document ${index + 1}` });
  }
}

function readingOrder(xml: string, folder: string): string[] {
  const items = new Map<string, string>();
  const order: string[] = [];
  walkXml(xml, {
    open: (name, { id = '', href = '', idref = '' }) => {
      if (name === 'item') items.set(id, posix.join(folder, decoded(href)));
      if (name === 'itemref') order.push(idref);
    },
    close: () => undefined,
  });
  return order.flatMap((id) => items.get(id) ?? []).filter((path) => !path.endsWith('.ncx'));
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** XHTML may close any element in its tag; HTML reads on to the end of the page then. */
const asHtml = (xhtml: string): string =>
  xhtml.replace(/<([\w:-]{1,40})((?:\s[^<>]{0,4000})?)\/>/g, (tag, name: string, attributes: string) =>
    VOID.test(name) ? tag : `<${name}${attributes}></${name}>`,
  );
