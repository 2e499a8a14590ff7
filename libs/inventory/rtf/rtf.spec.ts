import { extractText } from '#extraction/extract.js';
import { takeInventory } from '../take-inventory.js';

const FORMULA =
  '{\\mmath{\\*\\moMath{\\mr\\mscr0\\msty2 area=}{\\mf{\\mfPr{\\mtype bar}}{\\mnum{\\mr tide}}{\\mden{\\mr hour}}}{\\msSup{\\me{\\mr x}}{\\msup{\\mr 2}}}{\\mr\\mnor of water}}}';

async function account(body: string) {
  const bytes = new TextEncoder().encode(`{\\rtf1\\ansi ${body}}`);
  const { text } = await extractText(bytes, 'a.rtf');
  return { text: text.trimEnd(), ...(await takeInventory(bytes, 'a.rtf', { text, encoding: null })) };
}

describe('RTF of other programs', () => {
  it.each(['\u00ef\u00bb\u00bf', ' \r\n'])('X1 D4 begins after %j', async (before) => {
    const bytes = Buffer.from(`${before}{\\rtf1\\ansi Fee 640\\par}`, 'latin1');
    for (const name of ['a.rtf', 'a.txt']) {
      const { text } = await extractText(bytes, name);
      expect(text).toBe('Fee 640\n');
      expect(await takeInventory(bytes, name, { text, encoding: null })).toMatchObject({
        lost: 0,
        carried: 1,
      });
    }
  });

  it('X1 reads the letters of each symbol font as symbols', async () => {
    const bytes = Buffer.from(
      "{\\rtf1\\ansi{\\fonttbl{\\f1\\fcharset2 Symbol;}{\\f3\\fcharset2 Wingdings;}}{\\f1 m}g {\\f3\\'fc}\\par}",
    );
    const { text } = await extractText(bytes, 'a.rtf');
    expect(text).toBe('μg ✓\n');
    expect(await takeInventory(bytes, 'a.rtf', { text, encoding: null })).toMatchObject({ lost: 0 });
  });
});

describe('pieces of RTF texts', () => {
  it('X1 D4 carries formulas as TeX, on separate lines and within a line', async () => {
    const { text, entries, pieces, carried } = await account(
      `before ${FORMULA} behind\\par{\\mmathPara{\\*\\moMathPara{\\*\\moMathParaPr{\\mjc3}}${FORMULA}{\\*\\mmathPict{\\pict 00}}}}\\par`,
    );
    const tex = '$$area=\\frac{tide}{hour}x^{2}\\text{of water}$$';
    expect(text).toBe(`before ${tex} behind\n\n${tex}`);
    expect({ entries, pieces, carried }).toEqual({ entries: [], pieces: 2, carried: 2 });
  });

  it('X1 detects a formula that the text lacks', async () => {
    const bytes = new TextEncoder().encode(`{\\rtf1 ${FORMULA}}`);
    const { lost } = await takeInventory(bytes, 'a.rtf', { text: 'before', encoding: null });
    expect(lost).toBe(1);
  });

  it('X1 loses no formula of a header and no hidden text, because both are reported', async () => {
    const { lost, entries } = await account(
      `{\\header Port ${FORMULA}\\par}{\\v low}tide{\\deleted old}\\par`,
    );
    expect(lost).toBe(0);
    expect(entries.map(({ place, reason }) => `${place}: ${reason}`)).toEqual(
      expect.arrayContaining(['header 1: header', 'hidden text: hidden text', 'deleted text: deleted text']),
    );
  });

  it('X1 lists no alternative forms and no index entries', async () => {
    const { lost, pieces } = await account(
      '{\\xe entry}{\\shp{\\*\\shpinst{\\shptxt box\\par}}{\\shprslt box}}\\par',
    );
    expect({ lost, pieces }).toEqual({ lost: 0, pieces: 1 });
  });
});
