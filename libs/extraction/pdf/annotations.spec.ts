import fc from 'fast-check';
import { pdfFile } from '#testing/sample-files.js';
import { extractText } from '../extract.js';

const OWN = '1 0 0 1 50 400 Tm (Name:) Tj 1 0 0 1 50 300 Tm (Words below) Tj';
const LOOK = 'BT /F1 12 Tf 2 5 Td (Drawn) Tj 40 0 Td (words) Tj ET';
const BESIDE = '/Rect [90 393 290 413]';
const field = (entries: string) => `/Subtype /Widget /F 4 /T (f) ${BESIDE} ${entries}`;

const textOf = async (...annotations: string[]) =>
  (await extractText(pdfFile(OWN, { annotations, look: LOOK }), 'a.pdf')).text;

describe('fields, notes and stamps of a PDF', () => {
  it.each([
    ['a field of text', field('/FT /Tx /V (Jan Kowalski)'), 'Name: Jan Kowalski'],
    [
      'a field with a look of its own',
      field('/FT /Tx /V (Drawn words) /AP << /N 8 0 R >>'),
      'Name: Drawn words',
    ],
    [
      'a choice, by what it shows',
      field('/FT /Ch /Opt [[(pl) (Poland)] [(de) (Germany)]] /V (pl)'),
      'Name: Poland',
    ],
    ['a choice of several', field('/FT /Ch /Ff 2097152 /Opt [(a b) (c)] /V [(a b) (c)]'), 'a b Name: c'],
    ['free text', `/Subtype /FreeText /Contents (Free words) /DA (/F1 10 Tf) ${BESIDE}`, 'Name: Free words'],
    [
      'free text with a look of its own',
      `/Subtype /FreeText /Contents (Drawn words) ${BESIDE} /AP << /N 8 0 R >>`,
      'Name: Drawn words',
    ],
    ['a stamp', `/Subtype /Stamp ${BESIDE} /AP << /N 8 0 R >>`, 'Name: Drawn words'],
    ['a button', field('/FT /Btn /Ff 65536 /AP << /N 8 0 R >>'), 'Name: Drawn words'],
  ])('X1 reads %s in its place', async (_, annotation, expected) => {
    const text = await textOf(annotation);
    expect(text.replace(/\s+/g, ' ')).toBe(`${expected.replace(/\s+/g, ' ')} Words below `);
    expect(text).not.toContain('left out');
  });

  it.each([
    ['letters in boxes of their own', 'J a n', 'Jan'],
    ['a long number that is wrapped', '123456789 123456789', '123456789123456789'],
  ])('X1 reads the value of a field that draws %s', async (_, drawn, value) => {
    const look = `BT /F1 12 Tf 2 5 Td ${drawn.replace(/(\S+) ?/g, '($1) Tj 20 0 Td ')} ET`;
    const annotations = [field(`/FT /Tx /V (${value}) /AP << /N 8 0 R >>`)];
    const { text } = await extractText(pdfFile(OWN, { annotations, look }), 'a.pdf');
    expect(text).toBe(`Name: ${value}\n\nWords below\n`);
  });

  it('X1 reads checked and unchecked boxes of a form, however they are drawn', async () => {
    const box = (y: number, entries: string) =>
      `/Subtype /Widget /FT /Btn /T (b) /Rect [30 ${y} 42 ${y + 12}] ${entries}`;
    const look = '/AP << /N << /Yes 8 0 R >> >>';
    expect(await textOf(box(397, `/V /Yes /AS /Yes ${look}`), box(297, `/V /Off /AS /Off ${look}`))).toBe(
      '- [x] Name:\n- [ ] Words below\n',
    );
    const button = (y: number, own: string) =>
      box(
        y,
        `/Ff 32768 /Parent << /V /One /FT /Btn /Ff 32768 >> /AS /${own} /AP << /N << /${own} 8 0 R >> >>`,
      );
    expect(await textOf(button(397, 'One'), button(297, 'Two'))).toBe('- [x] Name:\n- [ ] Words below\n');
  });

  it.each([
    ['a note', '/Subtype /Text /Contents (Ask -- Jan\nagain)', 'note: Ask - - Jan again'],
    [
      'a remark',
      '/Subtype /Highlight /QuadPoints [50 410 90 410 50 400 90 400] /Contents (Who?)',
      'note: Who?',
    ],
    ['what a stamp says besides', '/Subtype /Stamp /Contents (By Jan) /AP << /N 8 0 R >>', 'note: By Jan'],
    ['a remark on a file', '/Subtype /FileAttachment /Contents (See file)', 'note: See file'],
    [
      'a value that the look of its field does not show',
      `/Subtype /Widget /FT /Tx /T (f) /V (Newer) /AP << /N 8 0 R >>`,
      'field: Newer',
    ],
  ])('X1 reports %s at the beginning of the page', async (_, annotation, named) => {
    const text = await textOf(`${annotation} ${BESIDE}`);
    expect(text.split('\n')[0]).toBe(`<!-- page 1; left out: ${named} -->`);
  });

  it('X1 reports a note once, however often it is drawn, and omits notes that repeat the page', async () => {
    const note = `/Subtype /Text ${BESIDE}`;
    const text = await textOf(
      `${note} /Contents (A)`,
      `/Subtype /Popup ${BESIDE} /Parent 9 0 R`,
      `${note} /Contents (Words below)`,
    );
    expect(text).toBe('<!-- page 1; left out: note: A -->\n\nName:\n\nWords below\n');
  });

  it('X1 reports hidden text once, and ignores passwords and tooltips of links', async () => {
    const hidden = '/Subtype /Widget /FT /Tx /T (f) /V (Hidden)';
    const text = await textOf(
      `${hidden} /F 2 ${BESIDE}`,
      `${hidden} /F 32 ${BESIDE}`,
      `${hidden} /Ff 8192 ${BESIDE}`,
      `/Subtype /Link /Contents (Hidden) ${BESIDE} /A << /S /URI /URI (http://a.b) >>`,
    );
    expect(text).toBe('<!-- page 1; left out: hidden field or note: Hidden -->\n\nName:\n\nWords below\n');
  });

  it('X1 reports a field outside the page', async () => {
    expect(await textOf('/Subtype /Widget /FT /Tx /T (f) /V (Far) /Rect [90 900 290 920]')).toContain(
      'left out: off the page: Far -->',
    );
  });

  it('X1 reads a form that contains only fields, and rejects a file that contains only notes', async () => {
    const file = (annotation: string) => extractText(pdfFile('', { annotations: [annotation] }), 'a.pdf');
    expect((await file(field('/FT /Tx /V (Jan)'))).text).toBe('Jan\n');
    await expect(file(`/Subtype /Text /Contents (A) ${BESIDE}`)).rejects.toThrow(
      'outside its pages or in notes',
    );
  });

  it('X1 carries or reports every letter of any annotation', async () => {
    const kind = fc.constantFrom(
      '/Widget /FT /Tx /V',
      '/FreeText /Contents',
      '/Text /Contents',
      '/Stamp /Contents',
    );
    const annotation = fc.tuple(
      kind,
      fc.integer({ min: -100, max: 700 }),
      fc.integer({ min: -100, max: 900 }),
      fc.nat(60),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(annotation, { maxLength: 6 }), async (drawn) => {
        const words = drawn.map((_, index) => `w${index}xyz`);
        const text = await textOf(
          ...drawn.map(
            ([entries, x, y, high], index) =>
              `/Subtype ${entries} (${words[index]}) /Rect [${x} ${y} ${x + 200} ${y + high}]`,
          ),
        );
        for (const word of words) expect(text.match(new RegExp(word, 'g'))).toHaveLength(1);
      }),
    );
  });
});
