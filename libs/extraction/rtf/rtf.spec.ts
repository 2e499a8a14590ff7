import fc from 'fast-check';
import { extractText } from '../extract.js';

const FONTS =
  '{\\fonttbl{\\f0\\fswiss\\fcharset0 Arial;}{\\f1\\fnil\\fcharset238 Arial CE;}{\\f2\\fnil\\fcharset204 Arial Cyr;}' +
  '{\\f3\\ftech\\fcharset2 Symbol;}{\\f4\\fnil\\fcharset128 MS Mincho;}}';
const bytes = (text: string) => Uint8Array.from(Buffer.from(text, 'latin1'));
const read = async (body: string, name = 'a.rtf') =>
  (await extractText(bytes(`{\\rtf1\\ansi\\ansicpg1252\\deff0${FONTS}${body}}`), name)).text.trimEnd();

describe('rtfText', () => {
  it.each([
    ["na\\'efve \\u8364\\'80 5 {\\uc0\\u8211 }x \\u-10179?\\u-8704?", 'naïve € 5 –x 😀'],
    [
      "{\\f1 \\'b3\\'f3d\\'9f} {\\f2 \\'cf\\'f0} {\\f4 \\'93\\'fa\\'96\\'7b \\'83e} {\\f3 m}",
      'łódź Пр 日本 テ μ',
    ],
    [
      '{\\upr{\\*\\bkmkstart a?}{\\*\\ud{\\*\\bkmkstart a\\u261x}}}a\\~b\\_c\\-d\\emdash e\\{f\\}',
      'a\u00a0b\u2011c\u00add—e{f}',
    ],
    [
      '10{\\super 5} x{\\sub 1}{\\sub 2} {\\strike 640} 690\\strike  old\\strike0  new',
      '10⁵ x₁₂ ~~640~~ 690 ~~old~~ new',
    ],
    ['Ida\\line 9 Quay', 'Ida\\\n9 Quay'],
    [
      '{\\field{\\*\\fldinst HYPERLINK "https://example.com/a"}{\\fldrslt {\\ul click}}}',
      '[click](https://example.com/a)',
    ],
    [
      '{\\field{\\*\\fldinst HYPERLINK \\\\l "here"}{\\fldrslt below}} {\\field{\\*\\fldinst PAGE }{\\fldrslt 7}}',
      'below 7',
    ],
    [
      '{\\field{\\*\\fldinst FORMCHECKBOX{\\*\\formfield\\fftype1\\ffres25\\ffdefres1}}{\\fldrslt }} a ' +
        '{\\field{\\*\\fldinst FORMDROPDOWN{\\*\\formfield\\fftype2\\ffres1{\\*\\ffname d}{\\*\\ffl one}{\\*\\ffl two}}}{\\fldrslt }}',
      '☒ a two',
    ],
    ['{\\field{\\*\\fldinst SYMBOL 109 \\\\f "Symbol"}{\\fldrslt\\f3 }}g', 'μg'],
    [
      '{\\*\\unknown secret}{\\info{\\title T}}{\\pict\\pngblip }a{\\object{\\*\\objdata 00ff}{\\result shown}}',
      'ashown',
    ],
  ])('D4 reads %s', async (body, text) => {
    expect(await read(body)).toBe(text);
  });

  it('D4 reads headings, lists with their displayed numbers, and lists without numbers', async () => {
    const styles = '{\\stylesheet{\\s0 Normal;}{\\s1\\outlinelevel0 heading 1;}{\\s2 heading 2;}}';
    const lists =
      "{\\*\\listtable{\\list{\\listlevel\\levelnfc4\\levelstartat3{\\leveltext\\'02\\'00);}{\\levelnumbers\\'01;}}\\listid9}}" +
      '{\\*\\listoverridetable{\\listoverride\\listid9\\listoverridecount0\\ls4}}';
    const item = (label: string, words: string, level = 0) =>
      `\\pard{\\listtext\\tab ${label}\\tab}\\ls1\\ilvl${level} ${words}\\par`;
    const body =
      `${styles}${lists}\\pard\\s1 Title\\par\\pard\\s2 Part\\par` +
      item('1.', 'one') +
      item("{\\f3\\'b7}", 'dot', 1) +
      item('2.', 'two') +
      item('7.3', 'clause') +
      '\\pard\\ls4 third\\par\\pard\\ls4 fourth\\par';
    expect(await read(body)).toBe(
      '# Title\n\n## Part\n\n1. one\n   - dot\n2. two\n\n7.3 clause\n\nc) third\n\nd) fourth',
    );
  });

  it('D4 keeps cells in their columns: merged ones by their borders, and separates words after a table', async () => {
    const row = (borders: number[], cells: string[]) =>
      `\\trowd${borders.map((border) => `\\cellx${border}`).join('')}\\pard\\intbl ${cells.map((cell) => `${cell}\\cell`).join(' ')}\\row`;
    const body =
      row([1000, 3000], ['wide', 'both']) +
      row([1000, 2000, 3010], ['a', 'b\\par c', 'd']) +
      '\\pard behind\\par' +
      row(
        [1000],
        [
          '{\\trowd\\itap2\\pard\\intbl in\\nestcell{\\*\\nesttableprops\\trowd\\cellx5\\nestrow}}\\pard\\intbl out',
        ],
      );
    expect(await read(body)).toBe(
      '| wide | both |  |\n| --- | --- | --- |\n| a | b<br>c | d |\n\nbehind\n\n| in<br>out |\n| --- |',
    );
  });

  it('D4 attaches notes to their words, separates text boxes, and reports omissions', async () => {
    const body =
      '{\\header\\pard Firm\\par}{\\footerf Page{\\field{\\*\\fldinst PAGE}{\\fldrslt 1}}}' +
      'Sum{\\super\\chftn}{\\footnote\\pard\\plain\\chftn  see {\\i annex}\\par} due{\\v  secret}{\\deleted  gone}.' +
      '{\\shp{\\*\\shpinst{\\sp{\\sn x}{\\sv 1}}{\\shptxt boxed\\par}}{\\shprslt boxed}}{\\*\\annotation ask Ida}\\par end';
    expect(await read(body)).toBe(
      'Sum[^1] due.\n\nboxed\n\n<!-- left out: hidden text: secret -->\n\n<!-- left out: deleted text: gone -->\n\n' +
        '<!-- left out: comment: ask Ida -->\n\nend\n\n<!-- left out: header: Firm -->\n\n<!-- left out: footer: Page1 -->\n\n[^1]: see annex',
    );
  });

  it('D4 extracts hexadecimal and binary pictures', async () => {
    const png = '89504e470d0a1a0a';
    const pictures = `{\\*\\shppict{\\pict{\\*\\picprop{\\sp{\\sn wzDescription}{\\sv A chart}}}\\pngblip\n${png.slice(0, 6)}\n${png.slice(6)}}}{\\nonshppict{\\pict\\wmetafile8 00}}{\\pict\\jpegblip\\bin3 }}{}`;
    const { text, images } = await extractText(bytes(`{\\rtf1 ${pictures}}`), 'a.rtf');
    expect(text.trimEnd()).toBe('![A chart](a.rtf.image1.png)![](a.rtf.image2.jpg)');
    expect(images?.map(({ bytes: content }) => Buffer.from(content).toString('hex'))).toEqual([
      png,
      '7d7d7b',
    ]);
  });

  it('D4 recognizes RTF by its content, whatever its name, and rejects other files', async () => {
    expect(await read('words', 'letter.doc')).toBe('words');
    expect(await read('words', 'letter.txt')).toBe('words');
    await expect(extractText(bytes('plain'), 'a.rtf')).rejects.toThrow('a.rtf is not an RTF document');
  });

  const word = fc.nat({ max: 999_999 }).map((n) => `w${n}w`);
  const { node } = fc.letrec<{ node: string }>((tie) => ({
    node: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      word.map((text) => `${text} `),
      fc
        .tuple(
          fc.constantFrom(
            ...'\\b|\\super|\\v|\\deleted|\\strike|\\footnote|\\header|\\*\\annotation|\\shptxt|\\pard\\intbl|\\listtext|\\field{\\*\\fldinst PAGE}'.split(
              '|',
            ),
          ),
          fc.array(
            fc.oneof(
              tie('node'),
              fc.constantFrom('\\par ', '\\cell ', '\\row ', '\\pard ', '\\trowd\\cellx9 '),
            ),
            { maxLength: 5 },
          ),
        )
        .map(([start, children]) => `{${start} ${children.join('')}}`),
    ),
  }));

  it('X1 carries or reports every word of any document', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(node, { maxLength: 6 }), async (nodes) => {
        const body = nodes.join('');
        const text = await read(body);
        for (const each of body.match(/w\d+w/g) ?? []) expect(text).toContain(each);
      }),
    );
  });

  it('X1 reads any bytes without failing', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.oneof(
            fc.constantFrom('{', '}', '\\', '\\u', '\\bin9 ', "\\'", '\\row', '\\cell', '-1 ', 'x'),
            fc.string(),
          ),
          { maxLength: 60 },
        ),
        async (parts) => {
          await extractText(bytes(`{\\rtf1${parts.join('')}`), 'a.rtf');
        },
      ),
    );
  });

  it('D4 reads groups nested a hundred thousand levels deep', async () => {
    expect(await read(`${'{\\b'.repeat(100_000)} deep`)).toBe('deep');
    expect((await read('{\\shptxt x'.repeat(20_000))).match(/x/g)).toHaveLength(20_000);
  });
});
