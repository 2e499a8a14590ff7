import type { EmbeddedImage } from './embedded-images.js';

/** Result of an extraction. */
export interface ExtractedText {
  /** Text to write from: Markdown for documents, the unchanged content for text files. */
  text: string;
  /** Format of a document: `docx`, `rtf`, `pdf`, `html`, `ipynb`, `eml`, … Otherwise `csv`, `srt`, `vtt` or `text`. */
  format: string;
  /**
   * Encoding from which the text was decoded, as given by its byte order mark, the caller or the HTML page;
   * absent for UTF-8.
   */
  encoding?: string;
  /** Images in the document, which the text refers to by name; absent without images. */
  images?: EmbeddedImage[];
  /** True if the document has no text, only pictures of it. */
  onlyPictures?: true;
}
