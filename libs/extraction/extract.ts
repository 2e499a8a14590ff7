import { phrase } from '#contracts/phrases/phrase.js';
import { isArchive } from './archive.js';
import { docxText } from './docx/docx.js';
import { declaredEncoding } from './declared-encoding.js';
import { readText } from './encoding.js';
import { EmbeddedImages } from './embedded-images.js';
import { emailText } from './email/email.js';
import { outlookAsMail } from './email/outlook.js';
import { epubText } from './epub/epub.js';
import { ExtractionError } from './errors.js';
import type { ExtractedText } from './extracted-text.js';
import { savedPageText } from './html/html.js';
import { isPdf, pdfText } from './pdf/pdf.js';
import { notebookText } from './notebook/notebook.js';
import { odfText } from './odf/odf.js';
import { pptxText } from './pptx/pptx.js';
import { rtfText } from './rtf/rtf.js';
import { isRtf } from '#contracts/byte-text.js';
import { transcriptText } from './transcript.js';
import { xlsxText } from './xlsx/xlsx.js';

export { detectEncoding } from './encoding.js';
export { ExtractionError, UndecodedError } from './errors.js';

/**
 * Extracts the text of a source by its file extension, checked against its first bytes.
 *
 * @param encoding fallback for text that is neither UTF-8 nor marked by a byte order mark
 * @throws ExtractionError with a message for people if no text can be extracted: damaged, encrypted, binary,
 * not UTF-8 (UndecodedError)
 * @param readsPictures whether OCR reads the pictures afterwards: a PDF needs no text
 */
export async function extractText(
  bytes: Uint8Array,
  fileName: string,
  encoding?: string,
  readsPictures = false,
): Promise<ExtractedText> {
  const images = new EmbeddedImages(fileName, readsPictures);
  const extracted = await extract(bytes, fileName, encoding, images, 0);
  return extracted.format === 'pdf' && images.hasOnlyImages
    ? { ...extracted, onlyPictures: true }
    : extracted;
}

/** Formats of OpenDocument files by their extensions; templates have the content of documents. */
const ODF_FORMATS: Record<string, string> = {
  odt: 'odt',
  ott: 'odt',
  ods: 'ods',
  ots: 'ods',
  odp: 'odp',
  otp: 'odp',
};

/** Maximum nesting depth of e-mails. */
const DEEPEST = 3;

/**
 * @param images collects the images of the uploaded file and its attachments
 * @param depth nesting depth of an attachment; 0 for the file itself
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
  switch (isRtf(bytes) ? 'rtf' : extension) {
    case 'docx':
    case 'docm':
    case 'dotx':
    case 'dotm':
      if (!isArchive(bytes))
        throw new ExtractionError(
          phrase('unreadable.not', { name: fileName, kind: phrase('file_kind.word_docx') }),
        );
      return withImages(await docxText(bytes, fileName, images), 'docx');
    case 'xlsx':
    case 'xlsm':
    case 'xltx':
      return withImages(xlsxText(bytes, fileName, images), 'xlsx');
    case 'pptx':
    case 'pptm':
    case 'ppsx':
    case 'potx':
      return withImages(pptxText(bytes, fileName, images), 'pptx');
    case 'odt':
    case 'ott':
    case 'ods':
    case 'ots':
    case 'odp':
    case 'otp':
      return withImages(odfText(bytes, fileName, images), ODF_FORMATS[extension]!);
    case 'epub':
      return withImages(epubText(bytes, fileName, images), 'epub');
    case 'rtf':
      return withImages(rtfText(bytes, fileName, images), 'rtf');
    case 'pdf':
      if (!isPdf(bytes))
        throw new ExtractionError(
          phrase('unreadable.not', { name: fileName, kind: phrase('file_kind.pdf') }),
        );
      return withImages(await pdfText(bytes, fileName, images), 'pdf');
    case 'html':
    case 'htm':
    case 'xhtml':
      return read(
        (html) => withImages(savedPageText(html, images), 'html'),
        encoding ?? declaredEncoding(bytes),
      );
    case 'msg': {
      const mail = await outlookAsMail(bytes, fileName);
      return extract(mail, fileName.replace(/msg$/i, 'eml'), encoding, images, depth);
    }
    case 'eml':
      if (depth > DEEPEST) throw new ExtractionError(phrase('unreadable.nested_emails', { name: fileName }));
      return withImages(await emailText(bytes, fileName, images, attachment), 'eml');
    case 'ipynb':
      return read((json) => withImages(notebookText(json, fileName, images), 'ipynb'));
    case 'csv':
    case 'tsv':
      return read((text) => ({ text, format: 'csv' }));
    case 'srt':
    case 'vtt':
      return read((text) => captionsText(text, fileName, extension));
    default:
      return read((text) => ({ text, format: 'text' }));
  }
}

/** Returns the text of captions. A file without any time or mark of captions is text: other programs use these extensions for notes. */
const captionsText = (text: string, fileName: string, format: string): ExtractedText =>
  /^\uFEFF?WEBVTT|-->/.test(text)
    ? { text: transcriptText(text, fileName), format }
    : { text, format: 'text' };
