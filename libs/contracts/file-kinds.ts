import { isBinary, isRtf } from './byte-text.js';

/** Extensions of files that are not text. Every other name is treated as text and must be UTF-8. */
const BINARY_ENDINGS = new Set(
  (
    'png jpg jpeg gif webp bmp ico tif tiff heic avif psd ' +
    'pdf docx docm dotx dotm doc dot rtf eml msg xlsx xlsm xltx xls xlt pptx pptm ppsx potx ppt pps pot odt ott ods ots odp otp epub ' +
    'pages numbers key zip gz tgz bz2 xz 7z rar tar jar war ' +
    'mp3 mp4 wav ogg flac avi mov mkv webm ' +
    'exe dll so dylib bin class o a wasm pyc ' +
    'woff woff2 ttf otf eot sqlite db parquet p7s p7m'
  ).split(' '),
);

const IMAGE_ENDINGS = new Set('png jpg jpeg gif webp bmp svg tif tiff avif'.split(' '));

function endingOf(name: string): string {
  const base = name.slice(name.lastIndexOf('/') + 1);
  const dot = base.lastIndexOf('.');
  return dot <= 0 ? '' : base.slice(dot + 1).toLowerCase();
}

/** Returns whether a file of this name must be UTF-8 text. */
export function isTextName(name: string): boolean {
  return !BINARY_ENDINGS.has(endingOf(name)) && endingOf(name) !== 'svg';
}

/** Number of bytes read from the start of a file to distinguish text from other content. */
export const TEXT_SAMPLE_BYTES = 64 * 1024;

/**
 * Checks the start of a file against its name.
 *
 * @param sample first `TEXT_SAMPLE_BYTES` bytes, or the whole file
 * @returns `empty` for a UTF-16 byte order mark without text; `binary` for bytes that are not text, and for RTF
 * saved under a text name, because its codes are not the author's words; undefined for text and for files that
 * need not be text
 */
export function textProblem(name: string, sample: Uint8Array): 'empty' | 'binary' | undefined {
  if (!isTextName(name)) return undefined;
  if (isRtf(sample)) return 'binary';
  const [first, second, third, fourth] = sample;
  const isUtf16 = (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
  if (isUtf16) return sample.length === 2 ? 'empty' : undefined;
  const isUtf32 = first === 0 && second === 0 && third === 0xfe && fourth === 0xff;
  return !isUtf32 && isBinary(sample) ? 'binary' : undefined;
}

/** Documents from which text is extracted before the agent reads them. */
const EXTRACTED_ENDINGS = new Set(
  (
    'docx docm dotx dotm doc dot pdf html htm ipynb eml msg rtf odt ott ods ots odp otp xlsx xlsm xltx xls xlt ' +
    'pptx pptm ppsx potx ppt pps pot epub srt vtt'
  ).split(' '),
);

/** Returns whether the text of a file of this name must be extracted. */
export function isExtractedName(name: string): boolean {
  return EXTRACTED_ENDINGS.has(endingOf(name));
}

/**
 * Returns whether the manuscript must carry a file of this name: it is text, or contains extractable text.
 */
export function isSourceName(name: string): boolean {
  return isTextName(name) || isExtractedName(name);
}

/** Returns whether a file of this name is a picture that a document can show. */
export function isImageName(name: string): boolean {
  return IMAGE_ENDINGS.has(endingOf(name));
}

/** Returns whether a document can carry a file of this name, as text or as a picture. */
export function isCarriedName(name: string): boolean {
  return isSourceName(name) || isImageName(name);
}

/** Formats of an exported publication; `md` is a .zip with the Markdown and its images. */
export const exportFormats = ['docx', 'pdf', 'epub', 'md'] as const;
export type ExportFormat = (typeof exportFormats)[number];

/** Standards that a PDF can keep: accessible (PDF/UA-1), or for archives (PDF/A-2b). */
export const pdfStandards = ['ua-1', 'a-2b'] as const;
export type PdfStandard = (typeof pdfStandards)[number];

/** Page sizes of an exported book, the default first. */
export const trimSizes = ['a5', '5x8in', 'digest', '6x9in', 'a4', 'letter'] as const;
export type TrimSize = (typeof trimSizes)[number];
