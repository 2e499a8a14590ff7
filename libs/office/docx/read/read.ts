import { unzipSync } from 'fflate';
import { readBody } from './body.js';
import { readNumbering } from './numbering.js';
import { readProperties } from './properties.js';
import { readRelationships } from './relationships.js';
import { readStyles } from './styles.js';
import type { DocxBlock, DocxContent } from './types.js';

export type {
  DocxBlock,
  DocxContent,
  DocxHeading,
  DocxImage,
  DocxLink,
  DocxParagraph,
  DocxTable,
} from './types.js';

/** Maximum unpacked size in bytes: a small file can unpack to more than the disk holds. */
const UNPACKED_LIMIT = 1_000_000_000;

/**
 * Reads the visible content of any DOCX, in order. Shares no code with the writer, so that each can verify
 * the other (D24).
 *
 * @throws Error if the bytes are not a DOCX or unpack to more than a gigabyte
 */
export function readDocx(bytes: Uint8Array): DocxContent {
  const files = unpack(bytes);
  const text = (path: string): string => {
    const file = files[path];
    return file ? Buffer.from(file.buffer, file.byteOffset, file.byteLength).toString('utf8') : '';
  };
  const documentXml = text('word/document.xml');
  if (documentXml === '') throw new Error('not a DOCX: word/document.xml is missing');
  const styles = readStyles(text('word/styles.xml'));
  const numbering = readNumbering(text('word/numbering.xml'));
  const part = (xml: string, name: string) =>
    readBody(xml, {
      styles,
      numbering,
      relationships: readRelationships(text(`word/_rels/${name}.rels`)),
      files,
    });
  const body = part(documentXml, 'document.xml');
  const notesXml = text('word/footnotes.xml');
  const notes = notesXml === '' ? new Map<string, DocxBlock[]>() : part(notesXml, 'footnotes.xml').notes;
  return {
    blocks: body.blocks,
    toc: body.toc,
    notes,
    bookmarks: body.bookmarks,
    properties: readProperties(text('docProps/core.xml'), text('docProps/custom.xml')),
  };
}

function unpack(bytes: Uint8Array): Record<string, Uint8Array> {
  let total = 0;
  try {
    return unzipSync(bytes, {
      filter: (file) => {
        total += file.originalSize;
        return total <= UNPACKED_LIMIT && /\.(xml|rels)$|^word\/media\//.test(file.name);
      },
    });
  } catch (error) {
    throw new Error('not a DOCX: the file is not a ZIP archive', { cause: error });
  }
}
