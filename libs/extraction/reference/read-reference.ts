import { isRtf } from '#contracts/byte-text.js';
import { isArchive } from '../archive.js';
import { readText } from '../encoding.js';
import { declaredEncoding } from '../declared-encoding.js';
import { isPdf } from '../pdf/pdf.js';
import { epubReference } from './epub.js';
import { frontMatterReference } from './front-matter.js';
import { htmlReference } from './html.js';
import { officeReference } from './office.js';
import { pdfReference } from './pdf.js';
import type { FileReference } from './properties.js';

export type { FileReference };

const NOTHING: FileReference = { reference: {} };

/**
 * Reads author, title, date and similar properties of a source from its metadata: the properties of a PDF, Word or other
 * Office file, the package of an EPUB, the head of an HTML page, the front matter of a text. A file without readable
 * metadata gives none.
 */
export async function readFileReference(bytes: Uint8Array, fileName: string): Promise<FileReference> {
  try {
    return await read(bytes, fileName);
  } catch {
    // The extraction of the text reports damaged files.
    return NOTHING;
  }
}

async function read(bytes: Uint8Array, fileName: string): Promise<FileReference> {
  const extension = /\.([^./]+)$/.exec(fileName)?.[1]?.toLowerCase() ?? '';
  if (isRtf(bytes)) return NOTHING;
  if (isPdf(bytes)) return pdfReference(bytes);
  if (isArchive(bytes))
    return {
      reference: extension === 'epub' ? epubReference(bytes, fileName) : officeReference(bytes, fileName),
    };
  if (['html', 'htm', 'xhtml'].includes(extension))
    return { reference: htmlReference(readText(bytes, fileName, declaredEncoding(bytes)).text) };
  if (['md', 'markdown', 'txt'].includes(extension))
    return { reference: frontMatterReference(readText(bytes, fileName).text) };
  return NOTHING;
}
