import { takeInventory } from '#inventory/take-inventory.js';
import { pdfFile } from '#testing/sample-files.js';
import { extractText } from '../extract.js';

async function read(file: Uint8Array): Promise<string> {
  const { text } = await extractText(file, 'a.pdf');
  expect((await takeInventory(file, 'a.pdf', { text, encoding: null })).lost).toBe(0);
  return text.trimEnd();
}

/** Returns a PDF whose letters `a` to `d` have these characters (UTF-16, hexadecimal) by the file. */
function withCharacters(operators: string, characters: string): Uint8Array {
  const map = `/CIDInit /ProcSet findresource begin begincmap 1 begincodespacerange <00> <FF> endcodespacerange 1 beginbfrange <20> <60> <0020> endbfrange 4 beginbfchar ${characters
    .split(' ')
    .map((code, at) => `<${(0x61 + at).toString(16)}> <${code}>`)
    .join(' ')} endbfchar endcmap end`;
  return pdfFile(operators, {
    font: '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding /ToUnicode 9 0 R >>',
    objects: [`<< /Length ${map.length} >>\nstream\n${map}\nendstream`],
  });
}

describe('PDF files of browsers', () => {
  it('D4 reads exponents and indices in the sizes that browsers use', async () => {
    const small = (raise: number, text: string) =>
      `/F1 10 Tf 0 ${raise} Td (${text}) Tj /F1 12 Tf 0 ${-raise} Td`;
    const line = `(It lasts 10) Tj 51.5 0 Td ${small(4.9, '5')} 5.6 0 Td ( hours, CO) Tj 58 0 Td ${small(-2.4, '2')} 0 -30 Td (Next line) Tj`;
    expect(await read(pdfFile(line))).toMatch(/^It lasts 10⁵ hours, CO₂/);
  });

  it('D4 reads ligatures, small capitals and old-style digits with private codes', async () => {
    expect(await read(withCharacters('(aNE Nb cd) Tj', 'F001 F002 F761 F735'))).toBe('fiNE Nfl A5');
  });
});
