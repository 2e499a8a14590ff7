import fc from 'fast-check';
import { takeInventory } from '#inventory/take-inventory.js';
import { officeLinks } from '#testing/office-files.js';
import { wordFile, wordParagraph } from '#testing/sample-files.js';
import { extractText } from '../extract.js';
import { numberText } from '../number-formats.js';

/** Returns the text of a Word file; fails if the inventory finds missing words. */
async function read(body: string, parts: Record<string, string> = {}): Promise<string> {
  const bytes = wordFile(body, parts);
  const { text } = await extractText(bytes, 'a.docx');
  const { lost, problem } = await takeInventory(bytes, 'a.docx', { text, encoding: null });
  expect({ lost, problem }).toEqual({ lost: 0, problem: undefined });
  return text.trimEnd();
}

const run = (text: string, properties = '') =>
  `<w:r><w:rPr>${properties}</w:rPr><w:t xml:space="preserve">${text}</w:t></w:r>`;
const styled = (text: string, style: string) => run(text, `<w:rStyle w:val="${style}"/>`);
const paragraph = (...runs: string[]) => `<w:p>${runs.join('')}</w:p>`;
const item = (text: string, list: number, level?: number) =>
  wordParagraph(
    text,
    `<w:numPr>${level === undefined ? '' : `<w:ilvl w:val="${level}"/>`}<w:numId w:val="${list}"/></w:numPr>`,
  );
const mark = (type: string) => `<w:r><w:fldChar w:fldCharType="${type}"/></w:r>`;
const instruction = (text: string) => `<w:r><w:instrText xml:space="preserve">${text}</w:instrText></w:r>`;
const field = (words: string, result: string) =>
  mark('begin') + instruction(words) + mark('separate') + result + mark('end');
const W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"';
const styles = (...all: [type: string, id: string, content: string][]) => ({
  'word/styles.xml': `<w:styles ${W}>${all
    .map(([type, id, content]) => `<w:style w:type="${type}" w:styleId="${id}">${content}</w:style>`)
    .join('')}</w:styles>`,
});

describe('looks of runs in Word files', () => {
  it('D4 applies the raised, lowered and struck letters of styles', async () => {
    const parts = styles(
      ['character', 'Up', '<w:rPr><w:vertAlign w:val="superscript"/></w:rPr>'],
      ['character', 'Index', '<w:basedOn w:val="Base"/>'],
      ['character', 'Base', '<w:rPr><w:vertAlign w:val="subscript"/></w:rPr>'],
      ['character', 'Gone', '<w:rPr><w:strike/></w:rPr>'],
      ['paragraph', 'Old', '<w:rPr><w:dstrike/></w:rPr>'],
      ['table', 'Grid', '<w:tblStylePr><w:rPr><w:strike/></w:rPr></w:tblStylePr>'],
    );
    const line = paragraph(
      run('10') + styled('5', 'Up') + run(' h, CO') + styled('2', 'Index'),
      run(' ') + styled('640', 'Gone') + run(' 690'),
    );
    const back = '<w:rStyle w:val="Gone"/><w:strike w:val="0"/>';
    const old = `<w:p><w:pPr><w:pStyle w:val="Old"/></w:pPr>${run('a clause')}</w:p>`;
    expect(await read(line + old + paragraph(run('kept', back)), parts)).toBe(
      '10⁵ h, CO₂ ~~640~~ 690\n\n~~a clause~~\n\nkept',
    );
  });

  it('D4 reads manually raised or lowered numbers as exponents and indices', async () => {
    const up = '<w:position w:val="8"/>';
    const line = run('10') + run('6', up) + run(' x') + run('12', '<w:position w:val="-6"/>');
    expect(await read(paragraph(line) + paragraph(run('A long title 5', up)))).toBe(
      '10⁶ x₁₂\n\nA long title 5',
    );
  });

  it('D4 shows the letters of symbol fonts as symbols', async () => {
    const font = (name: string) => `<w:rFonts w:ascii="${name}" w:hAnsi="${name}"/>`;
    const line =
      run('5 ') +
      run('m', font('Symbol')) +
      run('g ') +
      run('\uf061', font('Symbol')) +
      run(' ', font('Symbol'));
    expect(await read(paragraph(line, run('\uf0fe', font('Wingdings')), run(' ü', font('Arial'))))).toBe(
      '5 μg α ☒ ü',
    );
  });

  it('D4 names hidden text, and hides what a style hides', async () => {
    const parts = styles(['character', 'Secret', '<w:rPr><w:vanish/></w:rPr>']);
    const line =
      run('The price is 640') + run(' margin 40', '<w:vanish/>') + styled(' or 41', 'Secret') + run('.');
    expect(await read(paragraph(line), parts)).toBe(
      'The price is 640.\n\n<!-- left out: hidden text: margin 40 or 41 -->',
    );
  });

  it('D4 separates the words of a header at tabs and line breaks', async () => {
    const parts = {
      'word/_rels/document.xml.rels':
        '<Relationships><Relationship Id="h" Type="http://x/header" Target="header1.xml"/></Relationships>',
      'word/header1.xml': `<w:hdr ${W}><w:p>${run('Pumps')}<w:r><w:ptab/></w:r>${run('No. 8')}<w:r><w:cr/><w:t>Quay</w:t><w:noBreakHyphen/><w:t>Row</w:t></w:r></w:p></w:hdr>`,
    };
    const section = '<w:sectPr><w:headerReference w:type="default" r:id="h"/></w:sectPr>';
    expect(await read(wordParagraph('Body') + section, parts)).toBe(
      'Body\n\n<!-- left out: header: Pumps No. 8 Quay‑Row -->',
    );
  });

  it('D4 reads a table in a text box as a table', async () => {
    const cell = (text: string) => `<w:tc>${wordParagraph(text)}</w:tc>`;
    const box = `<w:r><w:pict><v:textbox xmlns:v="urn:schemas-microsoft-com:vml"><w:txbxContent>${wordParagraph('In the box')}<w:tbl><w:tr>${cell('a')}${cell('b')}</w:tr></w:tbl></w:txbxContent></v:textbox></w:pict></w:r>`;
    const inCell = `<w:tbl><w:tr>${cell('x')}<w:tc>${paragraph(box, run('y'))}</w:tc></w:tr></w:tbl>`;
    expect(await read(paragraph(run('Before'), box) + inCell)).toBe(
      'Before\n\nIn the box\n\n| a | b |\n| --- | --- |\n\n| x | y<br>In the box<br>a<br>b |\n| --- | --- |',
    );
  });

  it('D4 references linked pictures, and reports those on a local disk', async () => {
    const picture = (id: string) =>
      `<w:r><w:drawing><wp:inline><wp:docPr descr="Yard"/><a:blip r:link="${id}"/></wp:inline></w:drawing></w:r>`;
    const link = (id: string, target: string) =>
      `<Relationship Id="${id}" Type="http://x/image" Target="${target}" TargetMode="External"/>`;
    const parts = {
      'word/_rels/document.xml.rels': `<Relationships>${link('a', 'https://example.com/y.png')}${link('b', 'file:///C:/y.png')}</Relationships>`,
    };
    expect(await read(paragraph(picture('a'), picture('b')), parts)).toBe(
      '![Yard](https://example.com/y.png)\n\n<!-- left out: alternative text: Yard -->\n\n<!-- left out: linked picture: file:///C:/y.png -->',
    );
    const deleted = `<w:del><w:r><w:delText>the</w:delText></w:r>${picture('a')}</w:del>`;
    expect(await read(paragraph(run('Kept'), deleted), parts)).toBe(
      'Kept\n\n<!-- left out: deleted text: the Yard -->',
    );
  });
});

describe('fields of Word files', () => {
  it('D4 shows only the result of a field, and reports the words of its condition', async () => {
    const condition = mark('begin') + instruction('IF ') + field('MERGEFIELD Sex', run('code 1'));
    const rest = instruction(' = "1" "Mr" "Ms"') + mark('separate') + run('Mr') + mark('end');
    expect(await read(paragraph(run('Dear '), condition + rest, run(' Reed')))).toBe(
      'Dear Mr Reed\n\n<!-- left out: condition of a field: code 1 -->',
    );
  });

  it('D4 finds the addresses of links in all forms', async () => {
    const parts = {
      'word/_rels/document.xml.rels':
        '<Relationships><Relationship Id="r" Type="http://x/hyperlink" Target="https://example.com/d" TargetMode="External"/></Relationships>',
    };
    const links = [
      field(' HYPERLINK https://example.com/a ', run('a')),
      field(' HYPERLINK "https://example.com/b" \\l "part" ', run('b')),
      `<w:fldSimple w:instr=" HYPERLINK &quot;https://example.com/c&quot; ">${run('c')}</w:fldSimple>`,
      `<w:hyperlink r:id="r" w:anchor="top">${run('d')}</w:hyperlink>`,
      field(' HYPERLINK \\l "here" ', run('e')),
    ];
    expect(await read(paragraph(links.join(run(' '))), parts)).toBe(
      '[a](https://example.com/a) [b](https://example.com/b#part) [c](https://example.com/c) [d](https://example.com/d#top) e',
    );
  });

  it('D4 shows symbols that appear only in the instruction of a field', async () => {
    const symbol = (words: string) => mark('begin') + instruction(` SYMBOL ${words} `) + mark('end');
    const runs = [
      symbol('109 \\f "Symbol"'),
      symbol('128'),
      symbol('0x2192 \\u'),
      field('SYMBOL 65', run('')),
    ];
    expect(await read(paragraph(runs.join(run(' '))))).toBe('μ € → A');
  });
});

describe('list numbers of Word files', () => {
  const level = (at: number, content: string) => `<w:lvl w:ilvl="${at}">${content}</w:lvl>`;
  const shown = (format: string, text: string) => `<w:numFmt w:val="${format}"/><w:lvlText w:val="${text}"/>`;
  const lists = (...all: string[]) => ({
    'word/numbering.xml': `<w:numbering ${W} xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006">${all
      .map((content, at) => `<w:abstractNum w:abstractNumId="${at}">${content}</w:abstractNum>`)
      .join(
        '',
      )}${all.map((_, at) => `<w:num w:numId="${at + 1}"><w:abstractNumId w:val="${at}"/></w:num>`).join('')}</w:numbering>`,
  });

  it.each([
    ['ordinal', 1, '1st'],
    ['ordinal', 12, '12th'],
    ['ordinal', 122, '122nd'],
    ['cardinalText', 21, 'Twenty-one'],
    ['cardinalText', 340, 'Three hundred forty'],
    ['ordinalText', 3, 'Third'],
    ['ordinalText', 20, 'Twentieth'],
    ['ordinalText', 101, 'One hundred first'],
    ['lowerLetter', 28, 'bb'],
    ['alphabetLower', 28, 'ab'],
    ['upperRoman', 14, 'XIV'],
    ['decimalZero', 7, '07'],
    ['chicago', 6, '††'],
    ['hex', 26, '1A'],
    ['numberInDash', 3, '- 3 -'],
    ['decimalEnclosedCircle', 20, '⑳'],
    ['decimalEnclosedCircle', 51, '51'],
    ['decimalEnclosedParen', 2, '⑵'],
    ['russianUpper', 10, 'К'],
    ['decimalFullWidth', 10, '１０'],
    ['ideographDigital', 20, '二〇'],
    ['chineseCounting', 12, '十二'],
    ['japaneseCounting', 345, '三百四十五'],
    ['japaneseLegal', 10, '壱拾'],
    ['ideographTraditional', 11, '甲'],
    ['ganada', 3, '다'],
    ['lowerLetter', 0, '0'],
    ['some other format', 4, '4'],
  ])('D4 writes %s %d as %s', (format, value, text) => {
    expect(numberText(value, format)).toBe(text);
  });

  it('D4 reads padded formats, and the levels of a list style', async () => {
    const padded =
      '<mc:AlternateContent><mc:Choice><w:numFmt w:val="custom" w:format="001, 002, ..."/></mc:Choice><mc:Fallback><w:numFmt w:val="decimal"/></mc:Fallback></mc:AlternateContent><w:lvlText w:val="A-%1"/>';
    const legal = level(0, shown('upperLetter', 'Part %1:')) + level(1, shown('decimal', '%1-%2'));
    const parts = lists(
      level(0, padded),
      `<w:styleLink w:val="Legal"/>${legal}`,
      '<w:numStyleLink w:val="Legal"/>',
    );
    expect(await read(item('one', 1) + item('two', 1) + item('part', 3) + item('sub', 3, 1), parts)).toBe(
      'A-001 one\n\nA-002 two\n\nPart A: part\n\nA-1 sub',
    );
  });

  it('D4 restarts a level only after the level that it names', async () => {
    const parts = lists(
      level(0, shown('decimal', '%1.')) +
        level(1, shown('decimal', '%1.%2.')) +
        level(2, `${shown('lowerLetter', '%3)')}<w:lvlRestart w:val="1"/>`),
    );
    const levels = [0, 1, 2, 1, 2, 0, 1, 2];
    const text = await read(levels.map((at) => item('x', 1, at)).join(''), parts);
    expect(text.match(/^\S+(?= x)/gm)).toEqual(['1.', '1.1.', 'a)', '1.2.', 'b)', '2.', '2.1.', 'a)']);
  });

  it('D4 numbers headings on the levels that name their styles', async () => {
    const parts = {
      ...lists(
        level(0, `<w:pStyle w:val="H1"/>${shown('decimal', '%1')}`) +
          level(1, `<w:pStyle w:val="H2"/>${shown('decimal', '%1.%2')}`),
      ),
      ...styles(
        [
          'paragraph',
          'H1',
          '<w:name w:val="heading 1"/><w:pPr><w:numPr><w:numId w:val="1"/></w:numPr></w:pPr>',
        ],
        [
          'paragraph',
          'H2',
          '<w:name w:val="heading 2"/><w:pPr><w:numPr><w:numId w:val="1"/></w:numPr></w:pPr>',
        ],
      ),
    };
    const heading = (id: string, text: string) => wordParagraph(text, `<w:pStyle w:val="${id}"/>`);
    expect(await read(heading('H1', 'Safety') + heading('H2', 'Before'), parts)).toBe(
      '# 1 Safety\n\n## 1.1 Before',
    );
  });

  it('D4 reads a file with other bytes before its first entry', async () => {
    const main = { '_rels/.rels': officeLinks([['r', 'officeDocument', 'word/document.xml']]) };
    const file = wordFile(wordParagraph('Words'), main);
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 300 }), async (prefix) => {
        const bytes = Buffer.concat([prefix, file, Buffer.from('\r\n')]);
        const { text } = await extractText(bytes, 'a.docx');
        expect(text).toBe('Words\n');
        expect(await takeInventory(bytes, 'a.docx', { text, encoding: null })).toMatchObject({
          pieces: 1,
          lost: 0,
        });
      }),
    );
    // Some programs count the bytes before the archive in its directory.
    const prefix = Buffer.from('MZ, a program');
    const counted = Buffer.concat([prefix, file]);
    const end = counted.lastIndexOf('PK\x05\x06', undefined, 'latin1');
    const directory = counted.readUInt32LE(end + 16) + prefix.length;
    counted.writeUInt32LE(directory, end + 16);
    for (let at = directory; at < end && at >= 0; at = counted.indexOf('PK\x01\x02', at + 4, 'latin1'))
      counted.writeUInt32LE(counted.readUInt32LE(at + 42) + prefix.length, at + 42);
    const { text } = await extractText(counted, 'a.docx');
    expect(text).toBe('Words\n');
    expect(await takeInventory(counted, 'a.docx', { text, encoding: null })).toMatchObject({
      pieces: 1,
      lost: 0,
    });
    await expect(extractText(Buffer.from('PDF, not Word'), 'a.docx')).rejects.toThrow(
      'is not a Word document',
    );
  });
});

describe('tables with tracked changes in Word files', () => {
  it('D4 D26 leaves out deleted rows and cells, and reports their words', async () => {
    const cell = (text: string, properties = '') =>
      `<w:tc><w:tcPr>${properties}</w:tcPr>${paragraph(run(text))}</w:tc>`;
    const row = (cells: string, properties = '') => `<w:tr><w:trPr>${properties}</w:trPr>${cells}</w:tr>`;
    const deleted = '<w:del w:id="1" w:author="a"/>';
    const former = '<w:trPrChange w:id="2"><w:trPr><w:del w:id="3"/></w:trPr></w:trPrChange>';
    const inner = `<w:tbl>${row(cell('inner'))}</w:tbl>`;
    const table = `<w:tbl>${[
      row(cell('Thing') + cell('Price')),
      row(cell('Anchor') + `<w:tc>${inner}${paragraph(run('310'))}</w:tc>`, deleted),
      row(cell('Rope') + cell('44'), former),
      row(cell('Buoy') + cell('9', '<w:cellDel w:id="4"/>') + cell('18')),
    ].join('')}</w:tbl>`;
    expect(await read(table + paragraph(run('Prices in EUR.')))).toBe(
      [
        '| Thing | Price |\n| --- | --- |\n| Rope | 44 |\n| Buoy | 18 |',
        ...['Anchor', 'inner', '310', '9'].map((words) => `<!-- left out: deleted text: ${words} -->`),
        'Prices in EUR.',
      ].join('\n\n'),
    );
  });
});

describe('content controls in Word files that are bound to values', () => {
  const ID = '{16BB3F27-0000-43F1-94EF-38FF097B8F70}';
  const store = (values: string) => ({
    '_rels/.rels': officeLinks([
      ['rId1', 'officeDocument', 'word/document.xml'],
      ['rId2', 'core-properties', 'docProps/core.xml'],
    ]),
    'word/_rels/document.xml.rels': officeLinks([['rId1', 'customXml', '../customXml/item1.xml']]),
    'customXml/_rels/item1.xml.rels': officeLinks([['rId1', 'customXmlProps', 'itemProps1.xml']]),
    'customXml/item1.xml': `<b:lease xmlns:b="urn:b">${values}</b:lease>`,
    'customXml/itemProps1.xml': `<ds:datastoreItem ds:itemID="${ID.toLowerCase()}" xmlns:ds="urn:ds"/>`,
    'docProps/core.xml':
      '<cp:coreProperties xmlns:cp="urn:cp"><dc:title xmlns:dc="urn:dc">New title</dc:title></cp:coreProperties>',
  });
  const control = (path: string, content: string, { id = ID, kind = '<w:text/>' } = {}) =>
    `<w:sdt><w:sdtPr>${kind}<w:dataBinding w:xpath="${path}" w:storeItemID="${id}"/></w:sdtPr><w:sdtContent>${content}</w:sdtContent></w:sdt>`;

  it('D4 D26 show the value of the store, and report a copy in the text that differs', async () => {
    const fees =
      '<b:fee>10</b:fee><b:fee>6450</b:fee><b:tenant>Ida  Fenn</b:tenant><b:note>wet</b:note><b:no/>';
    const body = [
      paragraph(run('Fee '), control('/b:lease[1]/b:fee[2]', run('53') + run('46')), run(' EUR')),
      paragraph(run('By '), control('/b:lease/b:tenant', run('Ida') + run(' Fenn'))),
      control('/b:lease[1]/b:note[1]', paragraph(run('dry'))),
      paragraph(control('/b:lease[1]/b:no[1]', run('Click here'))),
      paragraph(control('/b:lease[1]/b:fee[1]', run('ten'), { kind: '<w:dropDownList/>' })),
      paragraph(control('//b:fee', run('any'))),
      paragraph(
        control('/cp:coreProperties[1]/dc:title[1]', run('Old title'), {
          id: '{6C3C8BC8-F283-45AE-878A-BAB7291924A1}',
        }),
      ),
    ].join('');
    const outdated = (words: string) => `<!-- left out: outdated text of a form field: ${words} -->`;
    const text = await read(body, store(fees));
    expect(text.split('\n\n')).toEqual([
      'Fee 6450 EUR',
      outdated('5346'),
      'By Ida  Fenn',
      'wet',
      outdated('dry'),
      ...['Click here', 'ten', 'any', 'New title'],
      outdated('Old title'),
    ]);
  });

  it('D4 D26 keep the text of the document if a store is damaged', async () => {
    const body = paragraph(control('/b:lease[1]/b:fee[1]', run('5346')));
    const { text } = await extractText(await wordFile(body, store('<b:fee>10</b:tenant>')), 'a.docx');
    expect(text.trimEnd()).toBe('5346');
  });
});
