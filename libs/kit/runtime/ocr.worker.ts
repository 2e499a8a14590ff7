import { insertWords, type PictureWords } from '#extraction/ocr/insert-words.js';
import { type OcrParagraph, recognize } from '#extraction/ocr/recognize.js';

/** Text of a document, and the words of its pictures. */
export interface InsertionWork {
  text: string;
  name: string;
  pictures: PictureWords[];
}

/** Reads the words of a picture, or puts the words of all pictures into a document's text. Runs in a child process. */
export default async function work(
  input: { picture: Uint8Array } | InsertionWork,
): Promise<OcrParagraph[] | ReturnType<typeof insertWords>> {
  if ('picture' in input) return recognize(input.picture);
  return insertWords(input.text, input.name, input.pictures);
}
