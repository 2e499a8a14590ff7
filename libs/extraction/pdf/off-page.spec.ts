import fc from 'fast-check';
import { pdfFile } from '#testing/sample-files.js';
import { extractText } from '../extract.js';

const textOf = async (operators: string, options?: Parameters<typeof pdfFile>[1]) =>
  (await extractText(pdfFile(operators, options), 'a.pdf')).text;
const at = (x: number, y: number, operators: string) => `1 0 0 1 ${x} ${y} Tm ${operators}`;
const OWN = at(50, 400, '(Words of the page) Tj');

describe('words of a PDF outside its visible pages', () => {
  it('X1 are reported line by line at the beginning of the page, and kept out of its text', async () => {
    const operators = `${at(50, 900, '(Far above,) Tj 0 -14 Td (in two lines) Tj')} ${OWN} ${at(-300, 400, '(Left) Tj')} ${at(50, -60, '(Below) Tj')}`;
    expect(await textOf(operators)).toBe(
      '<!-- page 1; left out: off the page: Far above, | off the page: in two lines | off the page: Left | off the page: Below -->\n\nWords of the page\n',
    );
  });

  it('X1 are reported once if they are drawn twice', async () => {
    const text = await textOf(
      `${at(50, 900, '(Harbour dues) Tj')} ${at(50.3, 900, '(Harbour dues) Tj')} ${OWN}`,
    );
    expect(text).toBe('<!-- page 1; left out: off the page: Harbour dues -->\n\nWords of the page\n');
  });

  it('X1 are reported if a crop box hides them', async () => {
    const boxes = '/MediaBox [0 0 600 800] /CropBox [40 40 560 760]';
    expect(await textOf(`${at(50, 20, '(book.indd 7) Tj')} ${OWN}`, { boxes })).toBe(
      '<!-- page 1; left out: off the page: book.indd 7 -->\n\nWords of the page\n',
    );
  });

  it('X1 are split from a line that extends beyond the page', async () => {
    const text = await textOf(at(540, 400, '(Words that run off) Tj'));
    expect(text).toMatch(/^<!-- page 1; left out: off the page: [^|]+ -->\n\nWords/);
    expect(text.replace(/<!--.*off the page: (.*) -->\n\n([^\n]*)\n/, '$2$1').replaceAll(' ', '')).toBe(
      'Wordsthatrunoff',
    );
  });

  it('X1 are whole if an edge of the page cuts a word', async () => {
    expect(await textOf(`${at(560, 400, '(the harbour) Tj')} ${at(-20, 300, '(berth 12) Tj')}`)).toBe(
      'the harbour\n\nberth 12\n',
    );
  });

  it('X1 are reported outside of the area that is drawn, also if a form is the area', async () => {
    const area = 'ET q 0 500 300 -300 re W n';
    const drawn = `BT ${OWN} ${at(330, 400, '(Beside) Tj')} ${at(50, 520, '(Above) Tj')} ET Q`;
    const text =
      '<!-- page 1; left out: off the page: Above | off the page: Beside -->\n\nWords of the page\n';
    expect(await textOf(`${area} ${drawn} BT`)).toBe(text);
    expect(await textOf(`${area} Q BT ${at(50, 520, '(Afterwards) Tj')} ${OWN}`)).not.toContain('left out');
    const file = Buffer.from(pdfFile('ET /X1 Do BT', { form: drawn.replace(/ Q$/, '') })).toString('latin1');
    const box = file
      .replace('-9999 -9999 9999 9999', '0 200 300 500')
      .replace('1 0 0 1 0 -900', '1 0 0 1 0 0');
    expect((await extractText(Buffer.from(box, 'latin1'), 'a.pdf')).text).toBe(text);
  });

  it.each([
    ['a form', '/X1 Do', { form: 'BT /F1 12 Tf 50 800 Td (Off) Tj ET' }],
    [
      'a matrix that is taken back',
      `ET q 1 0 0 1 0 900 cm BT (Off) Tj ET Q BT ${at(50, 300, '(On) Tj')}`,
      {},
    ],
    ['kerned letters', at(50, 900, '[(O) -20 (f) 30 (f)] TJ'), {}],
    ['spread letters', at(50, 900, '2 Tc (Off) Tj 0 Tc'), {}],
    ['raised letters', at(50, 790, '20 Ts (Off) Tj 0 Ts'), {}],
    ['the next line', at(50, 5, "16 TL T* (Off) Tj (Off) ' "), {}],
    ['a line that sets the leading', at(50, 5, '0 -20 TD (Off) Tj T* (Off) Tj'), {}],
    ['wide letters', at(560, 300, '400 Tz (On) Tj (Off) Tj 100 Tz'), {}],
    ['spread words', at(500, 300, '( ) Tj 200 Tw ( ) Tj 0 Tw (Off) Tj'), {}],
  ])('X1 are found in %s', async (_name, operators, options) => {
    const text = await textOf(`${OWN} ${operators}`, options);
    const [mark = '', ...rest] = text.split('\n');
    expect(mark).toMatch(/^<!-- page 1; left out: (?:off the page: Off(?: \| )?)+ -->$/);
    expect(rest.join('\n')).not.toContain('Off');
    if (operators.includes('(On)')) expect(rest.join('\n')).toContain('On');
  });

  it('X1 are carried or reported letter by letter, in any position', async () => {
    const place = fc.tuple(
      ...[fc.integer({ min: -200, max: 800 }), fc.integer({ min: -200, max: 1_000 }), fc.nat(3), fc.nat(20)],
    );
    await fc.assert(
      fc.asyncProperty(fc.array(place, { maxLength: 8 }), async (places) => {
        const turned = ['1 0 0 1', '0 1 -1 0', '-1 0 0 -1', '0 -1 1 0'];
        const drawn = places.map(
          ([x, y, turn, size], index) =>
            `/F1 ${5 + size!} Tf ${turned[turn!]} ${x} ${y} Tm (w${index}xyz) Tj`,
        );
        const text = await textOf(`${OWN} ${drawn.join(' ')}`);
        const letters = (words: string) => [...words.replace(/[^a-z\d]/gi, '')].sort().join('');
        const all = places.map((_, index) => `w${index}xyz`).join('');
        const carried = text.replace(/^<!-- page 1; left out: |off the page: |-->/gm, '');
        expect(letters(carried)).toBe(letters(`Words of the page${all}`));
      }),
      { numRuns: 100 },
    );
  });

  it('D4 are the reason to reject a PDF that has no others, with a message', async () => {
    await expect(textOf(at(50, 900, '(Off) Tj'))).rejects.toThrow(
      'a.pdf shows no text: its words are outside its pages',
    );
  });
});

describe('forms of a PDF that only one reader draws', () => {
  it('X1 are named', async () => {
    const xfa = '<< /Length 8 >>\nstream\n<form/>\n\nendstream';
    const text = await textOf('(Please wait) Tj', {
      objects: [xfa],
      catalog: '/AcroForm << /Fields [] /XFA 9 0 R >>',
    });
    expect(text).toMatch(/^Please wait\n\n<!-- left out: form: XFA, .* -->\n$/);
  });
});

describe('words of a PDF in layers', () => {
  it('X1 are kept out of the text and reported if the layer is switched off, with the forms in it', async () => {
    const layers = ['<< /Type /OCG /Name (On) >>', '<< /Type /OCG /Name (Off) >>'];
    const text = await textOf(
      `${at(50, 400, '/OC /A BDC (Price 640) Tj EMC')} ${at(50, 380, '/OC /B BDC /P BMC (Draft) Tj EMC (480) Tj EMC')} ${at(50, 360, '(In May) Tj')}`,
      {
        objects: layers,
        catalog: '/OCProperties << /OCGs [9 0 R 10 0 R] /D << /OFF [10 0 R] >> >>',
        resources: '/Properties << /A 9 0 R /B 10 0 R >>',
      },
    );
    expect(text).toBe(
      '<!-- page 1; left out: layer that is switched off: Draft480 -->\n\nPrice 640\n\nIn May\n',
    );
  });
});

describe('words of a PDF in fonts that it does not contain', () => {
  it.each([
    ['Japanese', 'UniJIS-UTF16-H', 'Adobe /Ordering (Japan1)', '船は五月に出る'],
    ['Chinese', 'UniGB-UTF16-H', 'Adobe /Ordering (GB1)', '价格为六百元'],
    ['Korean', 'UniKS-UTF16-H', 'Adobe /Ordering (Korea1)', '배는 부두에 있다'],
  ])('X1 are read by the character maps of every reader: %s', async (_name, encoding, ordering, words) => {
    const hex = Buffer.from(words, 'utf16le').swap16().toString('hex');
    const text = await textOf(`<${hex}> Tj`, {
      font: `<< /Type /Font /Subtype /Type0 /BaseFont /Plain /Encoding /${encoding} /DescendantFonts [9 0 R] >>`,
      objects: [
        `<< /Type /Font /Subtype /CIDFontType0 /BaseFont /Plain /CIDSystemInfo << /Registry (${ordering.replace(' ', ') ')} /Supplement 2 >> /FontDescriptor 10 0 R >>`,
        '<< /Type /FontDescriptor /FontName /Plain /Flags 4 /FontBBox [0 0 1000 1000] /ItalicAngle 0 /Ascent 800 /Descent -200 /StemV 80 >>',
      ],
    });
    expect(text).toBe(`${words}\n`);
  });
});
