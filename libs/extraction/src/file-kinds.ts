/** Endings of files whose bytes are not text; any other name is taken for text and has to be UTF-8. */
const BINARY_ENDINGS = new Set(
  (
    'png jpg jpeg gif webp bmp ico tif tiff heic avif psd ' +
    'pdf docx doc eml xlsx xls pptx ppt odt ods odp ' +
    'zip gz tgz bz2 xz 7z rar tar jar war ' +
    'mp3 mp4 wav ogg flac avi mov mkv webm ' +
    'exe dll so dylib bin class o a wasm pyc ' +
    'woff woff2 ttf otf eot sqlite db parquet'
  ).split(' '),
);

const IMAGE_ENDINGS = new Set('png jpg jpeg gif webp bmp svg tif tiff avif'.split(' '));

function endingOf(name: string): string {
  const base = name.slice(name.lastIndexOf('/') + 1);
  const dot = base.lastIndexOf('.');
  return dot <= 0 ? '' : base.slice(dot + 1).toLowerCase();
}

/** Whether the bytes of a file of this name have to be UTF-8 text. */
export function isTextName(name: string): boolean {
  return !BINARY_ENDINGS.has(endingOf(name)) && endingOf(name) !== 'svg';
}

/** Bytes from the beginning of a file that tell text from anything else. */
export const TEXT_SAMPLE_BYTES = 64 * 1024;

/**
 * Checks the beginning of a file against its name.
 *
 * @param sample its first `TEXT_SAMPLE_BYTES` bytes, or all of them
 * @returns why the file holds no text: `empty` for a lone byte order mark of UTF-16, `binary` for other bytes than text; undefined for a
 *   text, and for a file that need not be one
 */
export function textProblem(name: string, sample: Uint8Array): 'empty' | 'binary' | undefined {
  if (!isTextName(name)) return undefined;
  const [first, second] = sample;
  const isUtf16 = (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
  if (isUtf16) return sample.length === 2 ? 'empty' : undefined;
  return sample.includes(0) ? 'binary' : undefined;
}

/** Documents whose text is extracted before the agent reads them. */
const EXTRACTED_ENDINGS = new Set('docx pdf html htm ipynb eml'.split(' '));

/** Whether the text of a file of this name has to be extracted. */
export function isExtractedName(name: string): boolean {
  return EXTRACTED_ENDINGS.has(endingOf(name));
}

/** Whether the manuscript has to carry a file of this name: it is text, or text can be extracted from it. */
export function isSourceName(name: string): boolean {
  return isTextName(name) || isExtractedName(name);
}

/** Whether a file of this name is a picture that a document can show. */
export function isImageName(name: string): boolean {
  return IMAGE_ENDINGS.has(endingOf(name));
}

/** Whether a document can carry a file of this name at all: as text or as a picture. */
export function isCarriedName(name: string): boolean {
  return isSourceName(name) || isImageName(name);
}
