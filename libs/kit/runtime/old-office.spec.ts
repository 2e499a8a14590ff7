import { writeDocx } from '#office/docx/write/write.js';
import { buildStructure } from '#office/structure/build.js';
import work, { type Extracted } from './extract.worker.js';
import { inCurrentFormat } from './old-office.js';

const bytes = (text: string) => new TextEncoder().encode(text);

describe('files of old Office formats', () => {
  it.each([
    ['a.docx', 'PK\u0003\u0004', 'a.docx'],
    ['a.txt', 'text', 'a.txt'],
    ['RTF under the name of a Word file.doc', '{\\rtf1 words}', 'RTF under the name of a Word file.doc'],
    ['a current file under an old name.XLS', 'PK\u0003\u0004', 'a current file under an old name.xlsx'],
  ])('B8 are recognized by their content, too: %s', async (name, text, expected) => {
    expect(await inCurrentFormat({ bytes: bytes(text), name })).toEqual({
      bytes: bytes(text),
      name: expected,
    });
  });

  it('B8 need LibreOffice, which the message says', async () => {
    const signature = new Uint8Array([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]);
    const file = { bytes: signature, name: 'a.ppt' };
    await expect(inCurrentFormat(file, 'no-such-program')).rejects.toThrow(
      'only be read where LibreOffice is installed; save it as .pptx',
    );
  });

  it('B8 do not reach LibreOffice if they are of another format', async () => {
    const file = { bytes: bytes('<img src="http://127.0.0.1/">'), name: 'a.doc' };
    await expect(inCurrentFormat(file, 'no-such-program')).rejects.toThrow('it is damaged');
  });

  it('B8 are converted once, for their text and for their inventory', async () => {
    const docx = await writeDocx(buildStructure('Words.\n'), () => Promise.resolve(null));
    const extracted = (await work({ bytes: docx, name: 'a.doc' })) as Extracted;
    expect(extracted).toMatchObject({ current: { bytes: docx, name: 'a.docx' } });
    expect(await work({ ...extracted.current!, extracted })).toMatchObject({ lost: 0 });
    expect(await work({ bytes: docx, name: 'a.docx' })).not.toHaveProperty('current');
  });
});
