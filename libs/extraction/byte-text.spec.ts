import fc from 'fast-check';
import iconv from 'iconv-lite';
import { isBinary, wideEncoding } from '#contracts/byte-text.js';
import { detectEncoding } from './encoding.js';
import { extractText, UndecodedError } from './extract.js';
import { textProblem } from '#contracts/file-kinds.js';

const bytes = (text: string) => new TextEncoder().encode(text);
const TEXTS = [
  'The dock opens at ten.\r\n',
  'Причал открыт с 9 до 17.\nЛодка 5.\n',
  '桟橋は 十時に\n開く。\n',
  'Η αποβάθρα 7\n',
];

describe('text by its bytes', () => {
  it.each(TEXTS)('D7 recognises UTF-16 without a mark: %j', async (text) => {
    for (const encoding of ['utf-16le', 'utf-16be']) {
      const wide = iconv.encode(text, encoding);
      expect(detectEncoding(wide)).toMatchObject({ encoding, utf8: false, binary: false });
      expect(textProblem('a.txt', wide)).toBeUndefined();
      await expect(extractText(wide, 'a.txt')).rejects.toThrow(UndecodedError);
      await expect(extractText(wide, 'a.txt')).rejects.toThrow(encoding);
      expect((await extractText(wide, 'a.txt', encoding)).text).toBe(text);
    }
  });

  it('D7 carries text with NUL bytes, and reports their number', async () => {
    const log = bytes(`${'\0'.repeat(64)}started\nserial\0 read\nstopped\n`);
    expect(textProblem('a.log', log)).toBeUndefined();
    expect(await extractText(log, 'a.log')).toEqual({
      format: 'text',
      text: '[64 NUL bytes]started\nserial[1 NUL byte] read\nstopped\n',
    });
    const old = iconv.encode('Größe fünf\0\nfür Jörg\n', 'windows-1252');
    expect((await extractText(old, 'a.log', 'windows-1252')).text).toContain('fünf[1 NUL byte]\n');
    const hole = bytes(`${'\0'.repeat(1_000_000)}end of the hole\n`);
    expect((await extractText(hole, 'a.log')).text).toBe('[1000000 NUL bytes]end of the hole\n');
    const late = bytes(`${'line\n'.repeat(60_000)}\0end\n`);
    expect((await extractText(late, 'a.log')).text).toContain('[1 NUL byte]end');
  });

  it.each([
    ['only NUL bytes', new Uint8Array(100)],
    ['numbers of 16 bits', new Uint8Array(Int16Array.from({ length: 200 }, (_, i) => i).buffer)],
    ['a program', Uint8Array.from([127, 69, 76, 70, 2, 1, 1, 0, 0, 0, 0, 3, 0, 62, 0, 1, 0, 0, 0])],
    ['control characters', Uint8Array.from({ length: 90 }, (_, i) => 1 + (i % 7))],
  ])('D7 does not treat %s as text', (_, sample) => {
    expect(isBinary(sample)).toBe(true);
    expect(textProblem('a.log', sample)).toBe('binary');
  });

  it('D7 does not confuse UTF-16 with other texts that contain NUL bytes', () => {
    const line = fc.stringMatching(/^[a-z]{3,12}( [a-z]{1,8}){2,6}$/);
    fc.assert(
      fc.property(fc.array(line, { minLength: 2, maxLength: 20 }), fc.nat(), (lines, at) => {
        const text = lines.join('\n');
        const cut = at % text.length;
        const log = bytes(`${text.slice(0, cut)}\0${text.slice(cut)}`);
        expect([wideEncoding(log), isBinary(log)]).toEqual([null, false]);
        expect(wideEncoding(iconv.encode(text, 'utf-16be'))).toBe('utf-16be');
      }),
    );
  });
});
