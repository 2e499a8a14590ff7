import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { gunzipSync } from 'node:zlib';

/** Word with its certainty, 0…100. */
export interface OcrWord {
  text: string;
  certainty: number;
}

/** Paragraph as lines of words. */
export type OcrParagraph = OcrWord[][];

/** Functions of Tesseract that the product calls. Results of `Init` and `SetImageFile` are 0 if they succeed. */
interface Tesseract {
  FS: { writeFile(path: string, bytes: Uint8Array): void };
  TessBaseAPI: new () => {
    Init(folder: null, languages: string, engine: number): number;
    SetVariable(name: string, value: string): void;
    SetImageFile(orientation: number, angle: number): number;
    Recognize(monitor: null): number;
    GetTSVText(page: number): string;
    End(): void;
  };
}

/** Build with the same results on every processor; the one with relaxed SIMD may differ. */
const CORE = 'tesseract.js-core/tesseract-core-simd-lstm.js';
/** Languages that are used if their data are installed. */
const LANGUAGES = ['eng', 'deu', 'pol'];
const dataOf = (language: string) =>
  `@tesseract.js-data/${language}/4.0.0_best_int/${language}.traineddata.gz`;
const NEURAL_ENGINE = 1;
/** Page segmentation that finds columns, and lines from bottom to top. */
const AUTOMATIC = '3';
/** Numbers of EXIF for the position of a picture. */
const [UPRIGHT, UPSIDE_DOWN] = [1, 3];
/** Words from this certainty on, of 100, are certain. */
export const CERTAIN = 80;
/** Share of certain words in letters below which a picture may be upside down. */
const MAYBE_TURNED = 1 / 3;

const MOST_PIXELS = 80_000_000;
/** Longest edge in pixels of a page of A4 at 300 dots per inch, for which Tesseract is trained; smaller pictures are enlarged. */
const WANTED_EDGE = 3_500;
const MOST_ENLARGED = 3;

const { resolve } = createRequire(import.meta.url);
function isInstalled(file: string): boolean {
  try {
    return resolve(file) !== '';
  } catch {
    return false;
  }
}

/** Returns the languages that OCR can read on this machine; none if its optional packages are not installed. */
export const ocrLanguages = (): string[] =>
  isInstalled(CORE) ? LANGUAGES.filter((language) => isInstalled(dataOf(language))) : [];

let loading: Promise<Tesseract> | undefined;
const loadCore = async (): Promise<Tesseract> => {
  const { default: create } = (await import(CORE)) as { default: (module: object) => Promise<Tesseract> };
  const core = await create({});
  for (const language of ocrLanguages())
    core.FS.writeFile(`${language}.traineddata`, gunzipSync(await readFile(resolve(dataOf(language)))));
  return core;
};

/**
 * Reads the words in a picture by Tesseract in WebAssembly, from local files only, also of one that is turned by 90, 180
 * or 270 degrees. Run it in a separate process with limits.
 *
 * @returns paragraphs in reading order
 * @throws Error for a picture that cannot be decoded
 */
export async function recognize(picture: Uint8Array): Promise<OcrParagraph[]> {
  const prepared = await prepare(picture);
  const languages = ocrLanguages().join('+');
  try {
    const core = await (loading ??= loadCore());
    core.FS.writeFile('/input', prepared);
    const read = (position: number) => paragraphsOf(wordTable(core, languages, position));
    const upright = read(UPRIGHT);
    const { certain, all } = letters(upright);
    if (certain > 0 && certain >= all * MAYBE_TURNED) return upright;
    const turned = read(UPSIDE_DOWN);
    return letters(turned).certain > certain ? turned : upright;
  } catch (error) {
    // A module that has failed, such as for want of memory, cannot be used again.
    loading = undefined;
    throw error;
  }
}

/** Returns the numbers of letters in certain words and in all. */
function letters(paragraphs: readonly OcrParagraph[]): { certain: number; all: number } {
  const count = (words: readonly OcrWord[]) => words.reduce((sum, { text }) => sum + text.length, 0);
  const words = paragraphs.flat(2);
  return { certain: count(words.filter(({ certainty }) => certainty >= CERTAIN)), all: count(words) };
}

function wordTable(core: Tesseract, languages: string, position: number): string {
  // A new instance for each picture, so that none depends on those before.
  const api = new core.TessBaseAPI();
  if (api.Init(null, languages, NEURAL_ENGINE) !== 0) throw new Error('Tesseract does not start');
  api.SetVariable('tessedit_pageseg_mode', AUTOMATIC);
  api.SetVariable('user_defined_dpi', '300');
  if (api.SetImageFile(position, 0) !== 0) throw new Error('Tesseract cannot read the picture');
  api.Recognize(null);
  const table = api.GetTSVText(0);
  api.End();
  return table;
}

/** Returns a picture upright, gray, on white and in a size for OCR, as PNG. */
async function prepare(picture: Uint8Array): Promise<Uint8Array> {
  const { default: sharp } = await import('sharp');
  const image = sharp(picture, { limitInputPixels: MOST_PIXELS });
  const { width, height } = await image.metadata();
  const edge = Math.min(WANTED_EDGE, MOST_ENLARGED * Math.max(width, height));
  return image
    .rotate()
    .flatten({ background: '#fff' })
    .grayscale()
    .resize({ width: edge, height: edge, fit: 'inside' })
    .png({ compressionLevel: 1 })
    .toBuffer();
}

/** Columns of Tesseract's table of words: place in the page, four numbers of the box, certainty, text. */
function paragraphsOf(table: string): OcrParagraph[] {
  const paragraphs = new Map<string, Map<string, OcrWord[]>>();
  for (const row of table.split('\n')) {
    const [level, , block, paragraph, line = '', , , , , , certainty, text = ''] = row.split('\t');
    if (level !== '5' || text.trim() === '') continue;
    const key = `${block} ${paragraph}`;
    const lines = paragraphs.get(key) ?? new Map<string, OcrWord[]>();
    lines.set(line, [...(lines.get(line) ?? []), { text: text.trim(), certainty: Number(certainty) }]);
    paragraphs.set(key, lines);
  }
  return [...paragraphs.values()].map((lines) => [...lines.values()]);
}
