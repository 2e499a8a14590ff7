const START = '<!-- read by OCR: ';
const CERTAINTY = '; certainty ';
const END = '<!-- end of the words read by OCR -->';

/** How a line of a text was read by OCR. */
export interface OcrLine {
  /** Page or picture in the file, such as `page 3`. */
  place: string;
  /** Mean certainty of the words on the page or in the picture, 0…100. */
  certainty: number;
}

/** Returns Markdown of words that OCR read in a picture, between comments that mark them as such. */
export const markedAsOcr = (markdown: string, { place, certainty }: OcrLine): string =>
  `${START}${place}${CERTAINTY}${certainty} % -->\n\n${markdown}\n\n${END}`;

/** Returns for each line of an extracted text how OCR read it; null for lines that it did not read. */
export function ocrLines(lines: readonly string[]): (OcrLine | null)[] {
  let open: OcrLine | null = null;
  return lines.map((line) => {
    if (line === END) open = null;
    else if (line.startsWith(START)) open = readMark(line);
    else if (line !== '') return open;
    return null;
  });
}

function readMark(mark: string): OcrLine {
  const [place = '', certainty = ''] = mark.slice(START.length).split(CERTAINTY);
  return { place, certainty: Number.parseInt(certainty, 10) };
}
