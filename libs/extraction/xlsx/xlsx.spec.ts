import fc from 'fast-check';
import { excelFile, officeLinks, officePart } from '#testing/office-files.js';
import { extractText } from '../extract.js';

const read = async (sheet: string, more: Record<string, string> = {}) =>
  (await extractText(excelFile(sheet, more), 'a.xlsx')).text.trimEnd();
const rows = (...all: string[]) => `<s:sheetData>${all.join('')}</s:sheetData>`;
const cell = (reference: string, text: string) => `<s:c r="${reference}" t="str"><s:v>${text}</s:v></s:c>`;
const number = (reference: string, value: string, style = 0) =>
  `<s:c r="${reference}" s="${style}"><s:v>${value}</s:v></s:c>`;
const styles = (...codes: string[]) => ({
  'xl/styles.xml': officePart(
    's:styleSheet',
    `<s:numFmts>${codes.map((code, index) => `<s:numFmt numFmtId="${200 + index}" formatCode="${code.replace(/&/g, '&amp;').replace(/"/g, '&quot;').replace(/</g, '&lt;')}"/>`).join('')}</s:numFmts>` +
      `<s:cellXfs><s:xf numFmtId="0"/>${codes.map((_, index) => `<s:xf numFmtId="${200 + index}"/>`).join('')}</s:cellXfs>`,
  ),
});

describe('xlsxText', () => {
  it.each([
    ['General', '1234567890123', '1234567890123'],
    ['General', '123456789012345678901', '123456789012345678901'],
    ['General', '0.30000000000000004', '0.3'],
    ['General', '1.5E-9', '1.5E-09'],
    ['0', '12345678901234567', '12345678901234567'],
    ['0.0%', '0.256', '25.6%'],
    ['#,##0.00 [$€-407]', '1234.5', '1,234.50 €'],
    ['_("$"* #,##0.00_);_("$"* \\(#,##0.00\\)', '-7', '$(7.00)'],
    ['yyyy-mm-dd hh:mm', '45000.75', '2023-03-15 18:00'],
    ['[h]:mm', '1.25', '30:00'],
    ['[$-40C]d mmmm yyyy', '45000', '15 mars 2023'],
    ['000-000', '1234', '001-234'],
    ['# ?/?', '2.5', '2 1/2'],
  ])('D4 shows numbers as displayed: %s of %s', async (code, value, shown) => {
    expect(await read(rows(`<s:row>${number('A1', value, 1)}</s:row>`), styles(code))).toBe(
      `## One\n\n| ${shown} |\n| --- |`,
    );
  });

  it('D4 reads all kinds of cells, in their columns', async () => {
    const strings = officePart(
      's:sst',
      '<s:si><s:t>plain | one</s:t></s:si><s:si><s:r><s:t>10</s:t></s:r><s:r><s:rPr><s:vertAlign val="superscript"/></s:rPr><s:t>5</s:t></s:r><s:rPh><s:t>no</s:t></s:rPh></s:si>',
    );
    const sheet =
      rows(
        `<s:row r="2"><s:c r="B2" t="s"><s:v>0</s:v></s:c><s:c r="D2" t="s"><s:v>1</s:v></s:c></s:row>`,
        `<s:row r="5"><s:c r="B5" t="b"><s:v>1</s:v></s:c><s:c r="D5" t="e"><s:v>#N/A</s:v></s:c></s:row>`,
        `<s:row r="6"><s:c r="B6" t="inlineStr"><s:is><s:t>in\nline</s:t></s:is></s:c><s:c r="D6"><s:f>1+2</s:f></s:c></s:row>`,
        `<s:row r="7"><s:c r="D7"><s:f>SUM(A1)</s:f><s:v>7</s:v></s:c></s:row>`,
      ) + '<s:hyperlinks><s:hyperlink ref="D7" r:id="rId1"/></s:hyperlinks>';
    const more = {
      'xl/sharedStrings.xml': strings,
      'xl/worksheets/_rels/sheet1.xml.rels': officeLinks([['rId1', 'hyperlink', 'https://example.com/s']]),
    };
    expect(await read(sheet, more)).toBe(
      '## One\n\n| plain \\| one | 10⁵ |\n| --- | --- |\n| TRUE | #N/A |\n| in<br>line | =1+2 |\n|  | [7](https://example.com/s) |',
    );
  });

  it('D4 reports what a sheet hides, and reads dates of the 1904 system', async () => {
    const sheet =
      '<s:cols><s:col min="3" max="3" hidden="1"/></s:cols>' +
      rows(
        `<s:row r="1">${cell('A1', 'a')}${cell('B1', 'covered')}${cell('C1', 'secret')}${number('D1', '1', 1)}${number('E1', '1.5', 3)}</s:row>`,
        `<s:row r="2" hidden="1">${cell('A2', 'filtered')}</s:row>`,
        `<s:row r="3">${number('D3', '5', 2)}</s:row>`,
      ) +
      '<s:mergeCells><s:mergeCell ref="A1:B1"/></s:mergeCells><s:headerFooter><s:oddHeader>&amp;C&amp;"Arial,Bold"&amp;Kff0000&amp;pFirm &amp;&amp; Co &amp;P</s:oddHeader></s:headerFooter>';
    const more = {
      ...styles('yyyy-mm-dd', ';;;', '[h]:mm'),
      'xl/workbook.xml': officePart(
        's:workbook',
        '<s:workbookPr date1904="1"/><s:sheets><s:sheet name="One" r:id="rId1"/><s:sheet name="Two" state="veryHidden" r:id="rId2"/></s:sheets>',
      ),
      'xl/_rels/workbook.xml.rels': officeLinks([
        ['rId1', 'worksheet', 'worksheets/sheet1.xml'],
        ['rId2', 'worksheet', '/xl/worksheets/sheet2.xml'],
      ]),
      'xl/worksheets/sheet2.xml': officePart('s:worksheet', rows(`<s:row>${cell('A1', 'salary')}</s:row>`)),
      'xl/worksheets/_rels/sheet1.xml.rels': officeLinks([['rId9', 'comments', '../comments1.xml']]),
      'xl/comments1.xml': officePart(
        's:comments',
        '<s:authors><s:author>Ida</s:author></s:authors><s:commentList><s:comment ref="A1"><s:text><s:t>why?</s:t></s:text></s:comment></s:commentList>',
      ),
    };
    expect(await read(sheet, more)).toBe(
      [
        '## One',
        '| a | 1904-01-02 | 36:00 |\n| --- | --- | --- |',
        '<!-- left out: covered cell: B1 covered -->',
        '<!-- left out: hidden column: C1 secret -->',
        '<!-- left out: hidden row: A2 filtered -->',
        '<!-- left out: hidden value: D3 5 -->',
        '<!-- left out: comment: A1 why? -->',
        '<!-- left out: header: Firm & Co -->',
        '<!-- left out: hidden sheet: Two: salary -->',
      ].join('\n\n'),
    );
  });

  it('D4 reads text boxes and charts of a sheet', async () => {
    const more = {
      'xl/worksheets/_rels/sheet1.xml.rels': officeLinks([['rId1', 'drawing', '../drawings/drawing1.xml']]),
      'xl/drawings/_rels/drawing1.xml.rels': officeLinks([['rId1', 'chart', '../charts/chart1.xml']]),
      'xl/drawings/drawing1.xml': officePart(
        'xdr:wsDr',
        '<xdr:sp><xdr:txBody><a:p><a:r><a:t>boxed</a:t></a:r></a:p></xdr:txBody></xdr:sp><xdr:graphicFrame><c:chart r:id="rId1"/></xdr:graphicFrame>',
      ),
      'xl/charts/chart1.xml': officePart(
        'c:chartSpace',
        '<c:title><c:tx><c:rich><a:p><a:r><a:t>Catch</a:t></a:r></a:p></c:rich></c:tx></c:title><c:ser><c:tx><c:strRef><c:strCache><c:pt idx="0"><c:v>2026</c:v></c:pt></c:strCache></c:strRef></c:tx>' +
          '<c:cat><c:strRef><c:strCache><c:pt idx="0"><c:v>East</c:v></c:pt><c:pt idx="1"><c:v>West</c:v></c:pt></c:strCache></c:strRef></c:cat>' +
          '<c:val><c:numRef><c:numCache><c:formatCode>0%</c:formatCode><c:pt idx="0"><c:v>0.25</c:v></c:pt><c:pt idx="1"><c:v>0.5</c:v></c:pt></c:numCache></c:numRef></c:val></c:ser>',
      ),
    };
    expect(await read('<s:drawing r:id="rId1"/>', more)).toBe(
      '## One\n\nboxed\n\nCatch\n\n|  | 2026 |\n| --- | --- |\n| East | 25% |\n| West | 50% |',
    );
  });

  it('D4 rejects encrypted, damaged and foreign files with a message', async () => {
    const encrypted = Uint8Array.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1]);
    await expect(extractText(encrypted, 'a.xlsx')).rejects.toThrow('a.xlsx is protected by a password');
    await expect(read('<s:row>')).rejects.toThrow('a.xlsx is damaged');
    await expect(extractText(excelFile(''), 'a.pptx')).rejects.toThrow('a.pptx is not a PowerPoint');
  });

  it('D4 X1 shows every cell of any sheet, also if few cells are far apart, in bounded space', async () => {
    const place = fc.tuple(fc.integer({ min: 1, max: 1_000_000 }), fc.integer({ min: 0, max: 700 }));
    await fc.assert(
      fc.asyncProperty(fc.uniqueArray(place, { maxLength: 300, selector: String }), async (places) => {
        const column = (at: number) =>
          (at < 26 ? '' : String.fromCharCode(64 + Math.floor(at / 26))) +
          String.fromCharCode(65 + (at % 26));
        const sheet = rows(
          ...places.map(
            ([row, at], index) => `<s:row r="${row}">${cell(`${column(at)}${row}`, `w${index}w`)}</s:row>`,
          ),
        );
        const text = await read(sheet);
        places.forEach((_, index) => expect(text).toContain(`w${index}w`));
        expect(text.length).toBeLessThan(100_000);
      }),
      { numRuns: 20 },
    );
  });
});
