import { insertWords, type PictureWords } from '#extraction/ocr/insert-words.js';
import { type OcrParagraph, recognize } from '#extraction/ocr/recognize.js';
import { translatorFor } from '#contracts/phrases/translator.js';
import { withoutMarks } from '#extraction/left-out.js';
import { languageOf } from '#writing/language.js';

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
  const { text, name, pictures } = input;
  const read = pictures.flatMap((picture) => ('paragraphs' in picture ? picture.paragraphs.flat(2) : []));
  const words = read.map((word) => word.text).join(' ');
  const translate = await translatorFor(languageOf(`${words}\n${withoutMarks(text)}`) ?? 'en');
  return insertWords(text, name, pictures, translate);
}
