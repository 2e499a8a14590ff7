import { docxText } from './docx.js';
import { decodeBytes, labelledEncoding, readText } from './encoding.js';
import { EmbeddedImages, type EmbeddedImage } from './embedded-images.js';
import { emailText } from './email/email.js';
import { ExtractionError } from './errors.js';
import { htmlText } from './html/html.js';
import { notebookText } from './notebook.js';
import { pdfText } from './pdf/pdf.js';
import { transcriptText } from './transcript.js';

export { detectEncoding } from './encoding.js';
export { ExtractionError, UndecodedError } from './errors.js';

export interface ExtractedText {
  /** The text to write from: markdown for documents, the file itself for everything that is text already. */
  text: string;
  /** `docx`, `pdf`, `html`, `ipynb`, `eml`, `csv`, `srt`, `vtt` or `text`. */
  format: string;
  /** What it was converted from, when it was neither UTF-8 nor a format that says so; the page itself named it unless the caller did. */
  encoding?: string;
  /** Images inside a document, which the text refers to by name; absent when there is none. */
  images?: EmbeddedImage[];
}

/**
 * The text of a source by its extension, checked against its first bytes. Throws ExtractionError, with a message for a person, when there is
 * none: damaged, encrypted, binary, not UTF-8 (UndecodedError), an old `.doc`.
 *
 * @param encoding for text that is neither UTF-8 nor says what it is
 */
export async function extractText(
  bytes: Uint8Array,
  fileName: string,
  encoding?: string,
): Promise<ExtractedText> {
  return extract(bytes, fileName, encoding, new EmbeddedImages(fileName), 0);
}

/** E-mails within e-mails that are read. */
const DEEPEST = 3;

/**
 * @param images collects those of the file that was uploaded
 * @param depth of an attachment; 0 for the file itself
 */
async function extract(
  bytes: Uint8Array,
  fileName: string,
  encoding: string | undefined,
  images: EmbeddedImages,
  depth: number,
): Promise<ExtractedText> {
  const withImages = (text: string, format: string): ExtractedText =>
    images.found.length > 0 ? { text, format, images: images.found } : { text, format };
  const read = (make: (text: string) => ExtractedText, fallback = encoding): ExtractedText => {
    const source = readText(bytes, fileName, fallback);
    const made = make(source.text);
    return source.encoding === null ? made : { ...made, encoding: source.encoding };
  };
  const attachment = (content: Uint8Array, name: string) =>
    extract(content, name, undefined, images, depth + 1);
  const extension = /\.([^./]+)$/.exec(fileName)?.[1]?.toLowerCase() ?? '';
  switch (extension) {
    case 'docx':
      if (!startsWith(bytes, 'PK')) throw new ExtractionError(`${fileName} is no Word document (.docx)`);
      return withImages(docxText(bytes, fileName, images), 'docx');
    case 'doc':
      throw new ExtractionError(`${fileName} is in the old Word format; save it as .docx and upload that`);
    case 'pdf':
      if (!startsWith(bytes, '%PDF')) throw new ExtractionError(`${fileName} is no PDF`);
      return { text: await pdfText(bytes, fileName), format: 'pdf' };
    case 'html':
    case 'htm':
    case 'xhtml':
      return read((html) => withImages(htmlText(html, images), 'html'), encoding ?? declaredCharset(bytes));
    case 'eml':
      if (depth > DEEPEST) throw new ExtractionError(`${fileName} stands in too many other e-mails`);
      return withImages(await emailText(bytes, fileName, images, attachment), 'eml');
    case 'ipynb':
      return read((json) => withImages(notebookText(json, fileName, images), 'ipynb'));
    case 'csv':
    case 'tsv':
      return read((text) => ({ text, format: 'csv' }));
    case 'srt':
    case 'vtt':
      return read((text) => ({ text: transcriptText(text, fileName), format: extension }));
    default:
      return read((text) => ({ text, format: 'text' }));
  }
}

/** Returns the encoding that a page names at its head; undefined without one, or for an unknown name. */
function declaredCharset(bytes: Uint8Array): string | undefined {
  const head = decodeBytes(bytes.subarray(0, 2_048), 'latin1');
  const name = /<meta\b[^>]*?\bcharset\s*=\s*["']?\s*([\w-]+)/i.exec(head)?.[1];
  return name === undefined ? undefined : labelledEncoding(name);
}

function startsWith(bytes: Uint8Array, magic: string): boolean {
  return [...magic].every((char, at) => bytes[at] === char.charCodeAt(0));
}
