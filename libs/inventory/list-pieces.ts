import { fileEnding } from '#contracts/text.js';
import { decodeText } from './decode.js';
import { listEpub } from './epub.js';
import { listHtml } from './html.js';
import { declaredEncoding, listMail } from './mail/mail.js';
import { readMime, type MimePart } from './mail/mime.js';
import { listNotebook } from './notebook.js';
import { listPresentation } from './office/drawing-text.js';
import { listSpreadsheet } from './office/spreadsheet.js';
import { listWord } from './office/word.js';
import { listOpenDocument } from './open-document.js';
import { listPdf } from './pdf.js';
import { InventoryError, PieceList, type Piece } from './piece.js';
import { listRtf } from './rtf/rtf.js';
import { listTranscript } from './transcript.js';

/** Kinds of file from which text is extracted and pieces are listed. */
const CONTAINERS = new Set(
  'docx docm dotx dotm odt ott ods ots odp otp rtf epub html htm xhtml eml ipynb pdf xlsx xlsm xltx pptx pptm ppsx potx srt vtt'.split(
    ' ',
  ),
);
/** Kinds of file without text for readers. */
const BINARY = new Set(
  (
    'png jpg jpeg gif webp bmp ico tif tiff heic avif psd svg doc xls ppt zip gz tgz bz2 xz 7z rar tar jar war mp3 mp4 wav ogg flac ' +
    'avi mov mkv webm exe dll so dylib bin class o a wasm pyc woff woff2 ttf otf eot sqlite db parquet dat p7s p7m'
  ).split(' '),
);
const MAX_DEPTH = 4;

/** Returns whether a file is RTF. Word writes it under other names, too. */
const isRtf = (bytes: Uint8Array): boolean =>
  /^\s{0,10}\{\\rtf/.test(String.fromCharCode(...bytes.subarray(bytes[0] === 0xef ? 3 : 0, 20)));

/** Returns whether a file name belongs to a container. Other files are lines of text. */
export const isContainer = (name: string): boolean => CONTAINERS.has(fileEnding(name));

/** Like `isContainer`, for a file whose name may not show its type. */
export const isContainerFile = (name: string, bytes: Uint8Array): boolean =>
  isContainer(name) || isRtf(bytes);

/**
 * Lists the pieces of a file that can show text, by the ending of its name. Shares no code with the extraction.
 *
 * @param encoding encoding of a text file that is not UTF-8, as a person chose it
 * @throws InventoryError for a damaged, encrypted or oversized file
 */
export async function listPieces(bytes: Uint8Array, name: string, encoding?: string): Promise<Piece[]> {
  const list = new PieceList();
  await listInto(bytes, name, { list, prefix: '', encoding, depth: 0 });
  return list.pieces;
}

interface Into {
  list: PieceList;
  /** Place of an attached or included file in the outer one; empty for the outer file. */
  prefix: string;
  encoding?: string | undefined;
  depth: number;
}

async function listInto(bytes: Uint8Array, name: string, into: Into): Promise<void> {
  const { list, prefix, encoding } = into;
  const from = list.pieces.length;
  switch (isRtf(bytes) ? 'rtf' : fileEnding(name)) {
    case 'docx':
    case 'docm':
    case 'dotx':
    case 'dotm':
      await listWord(bytes, list, (part, file, place) =>
        listIncluded(part, file, { ...into, prefix: place }),
      );
      break;
    case 'odt':
    case 'ott':
    case 'ods':
    case 'ots':
    case 'odp':
    case 'otp':
      listOpenDocument(bytes, list);
      break;
    case 'rtf':
      listRtf(bytes, list);
      break;
    case 'epub':
      listEpub(bytes, list);
      break;
    case 'html':
    case 'htm':
    case 'xhtml':
      return listHtml(decodeText(bytes, encoding ?? declaredEncoding(bytes)), list, {
        prefix,
        hasTitle: true,
      });
    case 'eml':
      return listMail(bytes, list, prefix, (part, file, place, charset) =>
        listAttached(part, file, { ...into, prefix: place, encoding: charset }),
      );
    case 'ipynb':
      listNotebook(bytes, list);
      break;
    case 'pdf':
      await listPdf(bytes, list);
      break;
    case 'xlsx':
    case 'xlsm':
    case 'xltx':
      listSpreadsheet(bytes, list);
      break;
    case 'pptx':
    case 'pptm':
    case 'ppsx':
    case 'potx':
      listPresentation(bytes, list);
      break;
    case 'srt':
    case 'vtt':
      listTranscript(decodeText(bytes, encoding), list);
      break;
    default:
      list.addLines(decodeText(bytes, encoding), (line) => `line ${line}`);
  }
  if (prefix !== '') for (const piece of list.pieces.slice(from)) piece.place = `${prefix}, ${piece.place}`;
}

/** Lists an attached file. If it cannot be read, returns false; then only its name is listed. */
async function listAttached(bytes: Uint8Array, name: string, into: Into): Promise<boolean> {
  if (BINARY.has(fileEnding(name)) || name === '' || into.depth >= MAX_DEPTH) return false;
  const isText = !isContainer(name);
  if (isText && bytes.includes(0) && decodeText(bytes).includes('\0')) return false;
  try {
    await listInto(bytes, name, { ...into, depth: into.depth + 1 });
    return true;
  } catch (error) {
    if (!(error instanceof InventoryError)) throw error;
    return false;
  }
}

/** Lists a file that a Word file includes: a page, a web archive, a text, or another document. */
async function listIncluded(bytes: Uint8Array, name: string, into: Into): Promise<void> {
  if (!/^mht(?:ml)?$/.test(fileEnding(name)))
    return void (await listAttached(bytes, name, { ...into, encoding: undefined }));
  const page = pageOf(readMime(bytes));
  if (page)
    listHtml(decodeText(page.content, page.parameters.get('charset')), into.list, { prefix: into.prefix });
}

function pageOf(part: MimePart): MimePart | undefined {
  if (part.type === 'text/html') return part;
  for (const each of part.parts) {
    const found = pageOf(each);
    if (found) return found;
  }
  return undefined;
}
