import { pdfFile } from './sample-files.js';

/** Hebrew text of one line: `right` is its right end and `y` its baseline, in points. */
export interface HebrewLine {
  text: string;
  right: number;
  y: number;
  size?: number;
  /** Tag of the structure tree, such as `P` or `LBody`; absent for a line without one. */
  tag?: string;
}

const ALEF = 0x5d0;
const TAV = 0x5ea;
/** Code of alef in the font; the capitals and `[` stand for the Hebrew letters. */
const FIRST = 0x41;
/** Width of a letter of Courier, relative to the font size. */
const WIDE = 0.6;
const BRACKETS: Record<string, string> = { '(': ')', ')': '(' };

/**
 * Returns a page of Hebrew lines, which are drawn from left to right as browsers and office programs do.
 *
 * @param brackets characters that the file has for brackets: those that are seen, as of browsers, or those that were typed, as of LibreOffice
 */
export function hebrewPdf(
  lines: readonly HebrewLine[],
  { brackets = 'seen', rules = '' }: { brackets?: 'seen' | 'typed'; rules?: string } = {},
): Uint8Array {
  const map = `/CIDInit /ProcSet findresource begin begincmap 1 begincodespacerange <00> <FF> endcodespacerange 2 beginbfrange <20> <40> <0020> <61> <7e> <0061> endbfrange 1 beginbfrange <41> <5B> <05D0> endbfrange endcmap end`;
  const drawn = lines.map(({ text, right, y, size = 10, tag }, at) => {
    const codes = [...asSeen(text, brackets)].map(codeOf).join('');
    const shown = `/F1 ${size} Tf 1 0 0 1 ${right - text.length * size * WIDE} ${y} Tm (${codes.replace(/[\\()]/g, '\\$&')}) Tj`;
    return tag ? `/${tag} << /MCID ${at} >> BDC ${shown} EMC` : shown;
  });
  const elements = lines.flatMap(({ tag }, at) => (tag ? [{ tag, at }] : []));
  const [tree, parents] = [10, 11];
  return pdfFile(`${drawn.join(' ')} ET ${rules} BT`, {
    font: '<< /Type /Font /Subtype /Type1 /BaseFont /Courier /Encoding /WinAnsiEncoding /ToUnicode 9 0 R >>',
    objects: [
      `<< /Length ${map.length} >>\nstream\n${map}\nendstream`,
      `<< /Type /StructTreeRoot /K [${elements.map((_, at) => `${at + 12} 0 R`).join(' ')}] /ParentTree ${parents} 0 R >>`,
      `<< /Nums [0 [${lines.map((_, at) => `${elements.findIndex((each) => each.at === at) + 12} 0 R`).join(' ')}]] >>`,
      ...elements.map(
        ({ tag, at }) => `<< /Type /StructElem /S /${tag} /P ${tree} 0 R /Pg 3 0 R /K [${at}] >>`,
      ),
    ],
    ...(elements.length > 0 && {
      catalog: `/MarkInfo << /Marked true >> /StructTreeRoot ${tree} 0 R`,
      page: '/StructParents 0',
    }),
  });
}

/** Returns the characters of a Hebrew line from left to right; numbers and Latin words keep their order. */
function asSeen(text: string, brackets: 'seen' | 'typed'): string {
  const reversed = [...text].reverse().join('');
  const seen = brackets === 'seen' ? reversed.replace(/[()]/g, (bracket) => BRACKETS[bracket]!) : reversed;
  return seen.replace(/[a-z]+(?: [a-z]+)*|\d+(?:[.,:/-]\d+)*%?|%?\d+(?:[.,:/-]\d+)*/g, (run) =>
    [...run].reverse().join(''),
  );
}

function codeOf(character: string): string {
  const code = character.charCodeAt(0);
  return code >= ALEF && code <= TAV ? String.fromCharCode(code - ALEF + FIRST) : character;
}
