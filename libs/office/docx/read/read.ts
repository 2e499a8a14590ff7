import { OfficePackage } from '#extraction/ooxml/package.js';
import { readNumbering } from '#extraction/docx/read-numbering.js';
import { readBody, readStyles } from './body.js';
import type { DocxBlock, DocxContent } from './types.js';
import { readXml } from '#extraction/xml.js';

export type { DocxBlock, DocxContent, DocxImage, DocxParagraph } from './types.js';

/** Properties and pictures, which extraction does not unpack with the text. */
const ALSO = /^docProps\/|^word\/media\//;
/** Limits of our own documents, which may be larger than sources. A small malicious file could unpack to fill the disk. */
const LIMITS = { entries: 100_000, bytes: 1_000_000_000 };

/**
 * Reads the visible content of any DOCX, in order: the structure of the file, which extraction does not need. The parts of the
 * package, their names and prefixes, and the numbers of lists are read as extraction reads them. Shares no code with the writer, so that each can
 * verify the other (D24).
 *
 * @throws ExtractionError if the bytes are not a DOCX or unpack to more than a gigabyte
 */
export function readDocx(bytes: Uint8Array): DocxContent {
  const parts = openDocx(bytes);
  const styles = readStyles(parts.related('styles'));
  const numbering = readNumbering(parts.related('numbering'));
  const part = (path: string) =>
    readBody(parts.bytes(path)!, {
      ...{ styles, numbering, relationships: parts.relationshipsOf(path) },
      sizeOf: (target) => parts.bytes(target)?.length ?? 0,
    });
  const body = part(parts.main);
  const notesPath = [...parts.relationships.values()].find(({ type }) => type === 'footnotes')?.target ?? '';
  const notes = parts.bytes(notesPath) ? part(notesPath).notes : new Map<string, DocxBlock[]>();
  const { blocks, toc, bookmarks } = body;
  return { blocks, toc, notes, bookmarks, properties: readProperties(parts) };
}

/** Opens a DOCX; its content is read by part. @throws ExtractionError like `readDocx` */
export const openDocx = (bytes: Uint8Array): OfficePackage =>
  new OfficePackage(bytes, 'the document', 'word/document.xml', { also: ALSO, limits: LIMITS });

/** Reads core properties by their short names, and custom ones by name. */
export function readProperties(parts: OfficePackage): Record<string, string> {
  return Object.fromEntries([
    ...entriesOf(parts.text('docProps/core.xml'), (tag) =>
      tag === 'cp:coreProperties' ? null : tag.replace(/^[a-z]+:/, ''),
    ),
    ...entriesOf(parts.text('docProps/custom.xml'), (tag, attribute) =>
      tag === 'property' ? (attribute ?? '') : null,
    ),
  ]);
}

/** @param nameOf name of the property that an element has; null if it has none */
function entriesOf(
  xml: string | null,
  nameOf: (tag: string, attribute: string | undefined) => string | null,
): [string, string][] {
  const entries: [string, string][] = [];
  if (xml === null) return entries;
  let name = '';
  let value = '';
  readXml(xml, {
    open: (tag, attributes) => {
      const found = nameOf(tag, attributes['name']);
      if (found !== null) name = found;
      value = '';
    },
    text: (text) => {
      value += text;
    },
    close: () => {
      if (name !== '') entries.push([name, value]);
      name = '';
    },
  });
  return entries;
}
