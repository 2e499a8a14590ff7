import { extractText } from '#extraction/extract.js';
import { excelFile, officeLinks, officePart, powerPointFile, zipFile } from '#testing/office-files.js';
import { wordFile, wordParagraph } from '#testing/sample-files.js';
import { takeInventory } from '../take-inventory.js';

const NS = `xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math"
  xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships" xmlns:v="urn:schemas-microsoft-com:vml"
  xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" xmlns:c="http://schemas.openxmlformats.org/drawingml/2006/chart"
  xmlns:cx="http://schemas.microsoft.com/office/drawing/2014/chartex"
  xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing" xmlns:o="urn:schemas-microsoft-com:office:office"`;
const main = (part: string) => ({ '_rels/.rels': officeLinks([['rId1', 'officeDocument', part]]) });
const root = (name: string, content: string) => `<${name} ${NS}>${content}</${name}>`;

/** Returns the outcomes of the pieces that contain each word. */
async function outcomesOf(bytes: Uint8Array, name: string, words: readonly string[]) {
  const { text } = await extractText(bytes, name);
  const { entries, lost } = await takeInventory(bytes, name, { text, encoding: null });
  const shown = text.replace(/<!--.*?-->/g, '');
  const outcomeOf = (word: string) =>
    shown.includes(word) ? 'carried' : (entries.find((entry) => entry.words.includes(word))?.outcome ?? null);
  return { outcomes: Object.fromEntries(words.map((word) => [word, outcomeOf(word)])), lost };
}

const TREEMAP = root(
  'cx:chartSpace',
  `<cx:chartData><cx:data id="0"><cx:strDim type="cat"><cx:f>A</cx:f><cx:lvl><cx:pt idx="0">Harbour</cx:pt><cx:pt idx="1">Ferry</cx:pt></cx:lvl></cx:strDim>
   <cx:numDim type="size"><cx:lvl formatCode="0.0"><cx:pt idx="0">7125</cx:pt><cx:pt idx="1">88</cx:pt></cx:lvl></cx:numDim></cx:data></cx:chartData>
   <cx:chart><cx:title><cx:tx><cx:txData><cx:v>Shares</cx:v></cx:txData></cx:tx><cx:txPr><a:p><a:r><a:t>Shares</a:t></a:r></a:p></cx:txPr></cx:title>
   <cx:plotArea><cx:plotAreaRegion><cx:series><cx:tx><cx:txData><cx:v>Tonnes</cx:v></cx:txData></cx:tx><cx:dataId val="0"/></cx:series></cx:plotAreaRegion></cx:plotArea></cx:chart>`,
);
const CHART = root(
  'c:chartSpace',
  `<c:pivotSource><c:name>[book]One!Pivot</c:name></c:pivotSource><c:chart><c:plotArea><c:barChart><c:ser><c:trendline><c:name>Growth</c:name>
   <c:trendlineLbl><c:tx><c:rich><a:p><a:r><a:t>Slope</a:t></a:r></a:p></c:rich></c:tx></c:trendlineLbl></c:trendline></c:ser></c:barChart>
   <c:valAx><c:dispUnits><c:dispUnitsLbl><c:tx><c:rich><a:p><a:r><a:t>Thousands</a:t></a:r></a:p></c:rich></c:tx></c:dispUnitsLbl></c:dispUnits></c:valAx></c:plotArea></c:chart>`,
);
const SHAPES = root('c:userShapes', '<a:p><a:r><a:t>Record year</a:t></a:r></a:p>');
const CHART_PARTS = (folder: string) => ({
  [`${folder}/charts/chart1.xml`]: CHART,
  [`${folder}/charts/_rels/chart1.xml.rels`]: officeLinks([['rId1', 'chartUserShapes', '../shapes.xml']]),
  [`${folder}/shapes.xml`]: SHAPES,
  [`${folder}/charts/chartEx1.xml`]: TREEMAP,
});
const CHART_LINKS = (folder: string): [string, string, string][] => [
  ['rId7', 'chart', `${folder}charts/chart1.xml`],
  ['rId8', 'chartEx', `${folder}charts/chartEx1.xml`],
];
const CHART_WORDS = 'Harbour Ferry Shares Tonnes Growth Slope Thousands'.split(' ');

describe('pieces in parts of Office files that are rarely used', () => {
  it('X1 finds the words of charts of both kinds, and of shapes on them, in Word, PowerPoint and Excel', async () => {
    const drawing = (chart: string) =>
      `<w:p><w:r><w:drawing><wp:inline><wp:docPr id="1"/>${chart}</wp:inline></w:drawing></w:r></w:p>`;
    const word = wordFile(
      `<w:sdt ${NS}><w:sdtContent>${drawing('<c:chart r:id="rId7"/>')}<w:p><mc:AlternateContent><mc:Choice Requires="cx1">${drawing('<cx:chart r:id="rId8"/>')}</mc:Choice>` +
        '<mc:Fallback><w:r><w:t>not available</w:t></w:r></mc:Fallback></mc:AlternateContent></w:p></w:sdtContent></w:sdt>',
      {
        ...main('word/document.xml'),
        'word/_rels/document.xml.rels': officeLinks(CHART_LINKS('')),
        ...CHART_PARTS('word'),
      },
    );
    const frame = (chart: string) => `<p:graphicFrame>${chart}</p:graphicFrame>`;
    const slide = `${frame('<c:chart r:id="rId7"/>')}${frame(`<cx:chart ${NS} r:id="rId8"/>`)}`;
    const slides = powerPointFile([slide], {
      ...main('ppt/presentation.xml'),
      'ppt/slides/_rels/slide1.xml.rels': officeLinks(CHART_LINKS('../')),
      ...CHART_PARTS('ppt'),
    });
    const sheet = excelFile('<s:drawing r:id="rId1"/>', {
      ...main('xl/workbook.xml'),
      'xl/worksheets/_rels/sheet1.xml.rels': officeLinks([['rId1', 'drawing', '../drawings/drawing1.xml']]),
      'xl/drawings/drawing1.xml': officePart(
        'xdr:wsDr',
        `<xdr:graphicFrame><c:chart r:id="rId7"/></xdr:graphicFrame><xdr:graphicFrame><cx:chart ${NS} r:id="rId8"/></xdr:graphicFrame>`,
      ),
      'xl/drawings/_rels/drawing1.xml.rels': officeLinks(CHART_LINKS('../')),
      ...CHART_PARTS('xl'),
    });
    for (const [name, bytes] of Object.entries({ 'a.docx': word, 'a.pptx': slides, 'a.xlsx': sheet })) {
      const words = [...CHART_WORDS, 'Record year'];
      const { outcomes, lost } = await outcomesOf(bytes, name, words);
      const expected = name === 'a.docx' ? 'left_out' : 'carried';
      expect({ name, outcomes, lost }).toEqual({
        ...{ name, lost: 0 },
        outcomes: Object.fromEntries(words.map((word) => [word, expected])),
      });
    }
  });

  it('X1 finds what Word shows outside paragraphs: fields, ornamental text, descriptions, included files', async () => {
    const field = (instruction: string) =>
      `<w:p><w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText>${instruction}</w:instrText></w:r><w:r><w:fldChar w:fldCharType="end"/></w:r></w:p>`;
    const inner = wordFile(wordParagraph('Annex'), main('word/document.xml'));
    const body =
      `<w:sdt ${NS}><w:sdtContent>${field(' MACROBUTTON run Press here ')}${field(' EQ \\f(tide,hour) ')}` +
      '<w:p><w:r><w:pict><v:shape alt="Seal"><v:textpath string="Sample"/></v:shape></w:pict></w:r></w:p>' +
      '<w:p><w:r><w:drawing><wp:inline><wp:docPr id="1" title="Quay" descr="Map of the quay"/></wp:inline></w:drawing></w:r></w:p>' +
      '<m:oMathPara><m:oMath><m:r><m:t>depth</m:t></m:r></m:oMath></m:oMathPara>' +
      `<w:tbl><w:tblPr><w:tblDescription w:val="Berths by length"/></w:tblPr><w:tr><w:tc>${wordParagraph('Berth')}</w:tc></w:tr></w:tbl>` +
      '<w:p><w:r><w:object><o:OLEObject r:id="rId4"/></w:object></w:r></w:p>' +
      '<w:altChunk r:id="rId2"/><w:altChunk r:id="rId3"/></w:sdtContent></w:sdt><w:sectPr><w:headerReference r:id="rId1"/></w:sectPr>';
    const bytes = wordFile(body, {
      ...main('word/document.xml'),
      'word/_rels/document.xml.rels': officeLinks([
        ['rId1', 'header', 'header1.xml'],
        ['rId2', 'aFChunk', 'annex.docx'],
        ['rId3', 'aFChunk', 'note.rtf'],
        ['rId4', 'package', 'embeddings/book.xlsx'],
        ['rId5', 'comments', 'comments.xml'],
      ]),
      'word/header1.xml': root(
        'w:hdr',
        `${wordParagraph('Port')}<w:p><w:r><w:pict><v:textpath string="Draft"/></w:pict></w:r><m:oMath><m:r><m:t>level</m:t></m:r></m:oMath>` +
          '<w:del><w:r><w:delText>Former</w:delText></w:r></w:del></w:p>',
      ),
      'word/comments.xml': root(
        'w:comments',
        `<w:comment w:id="1">${wordParagraph('Unanchored')}</w:comment>`,
      ),
      'word/annex.docx': inner,
      'word/note.rtf': '{\\rtf1 Remark\\par}',
      'word/embeddings/book.xlsx': zipFile({}),
    });
    const carried = 'Press tide Sample depth Berth Annex Remark'.split(' ');
    const leftOut = [
      'Seal',
      'Map of the quay',
      'Berths by length',
      'Port',
      'Draft',
      'level',
      'Former',
      'Unanchored',
      'book.xlsx',
    ];
    expect(await outcomesOf(bytes, 'a.docx', [...carried, ...leftOut])).toEqual({
      lost: 0,
      outcomes: {
        ...Object.fromEntries(carried.map((word) => [word, 'carried'])),
        ...Object.fromEntries(leftOut.map((word) => [word, 'left_out'])),
      },
    });
  });

  it('X1 finds what slides show in addition to their own shapes: layouts, descriptions, headers of notes', async () => {
    const shape = (text: string, inner = '') =>
      `<p:sp>${inner}<p:txBody><a:p><a:r><a:t>${text}</a:t></a:r></a:p></p:txBody></p:sp>`;
    const layout = officePart(
      'p:sldLayout',
      shape('Confidential') + shape('Click to edit', '<p:ph type="title"/>'),
    );
    const slides = powerPointFile([shape('Plan', '<p:cNvPr id="2" descr="A plan"/>'), shape('Costs')], {
      ...main('ppt/presentation.xml'),
      'ppt/slides/_rels/slide1.xml.rels': officeLinks([
        ['rId1', 'slideLayout', '../layout.xml'],
        ['rId2', 'notesSlide', '../notes.xml'],
      ]),
      'ppt/slides/_rels/slide2.xml.rels': officeLinks([['rId1', 'slideLayout', '../layout.xml']]),
      'ppt/layout.xml': layout,
      'ppt/notes.xml': officePart('p:notes', shape('Say it') + shape('Handout', '<p:ph type="hdr"/>')),
    });
    expect(
      await outcomesOf(slides, 'a.pptx', ['Confidential', 'A plan', 'Handout', 'Click', 'Say it']),
    ).toEqual({
      lost: 0,
      outcomes: {
        Confidential: 'left_out',
        'A plan': 'left_out',
        Handout: 'left_out',
        Click: null,
        'Say it': 'carried',
      },
    });
  });

  it('X1 finds what a sheet shows when a cell is selected, and characters that XML cannot store', async () => {
    const rules =
      '<s:dataValidations><s:dataValidation type="list" promptTitle="Berth" prompt="Choose_x000a_one" error="Unknown berth"><s:formula1>"East,West"</s:formula1></s:dataValidation>' +
      '<s:dataValidation type="whole"><s:formula1>7</s:formula1></s:dataValidation></s:dataValidations>';
    const cell =
      '<s:sheetData><s:row r="1"><s:c r="A1" t="inlineStr"><s:is><s:t>Quay_x000D_wall</s:t></s:is></s:c></s:row></s:sheetData>';
    const bytes = excelFile(cell + rules, main('xl/workbook.xml'));
    expect(await outcomesOf(bytes, 'a.xlsx', ['East,West', 'Choose', 'Unknown berth'])).toEqual({
      lost: 0,
      outcomes: { 'East,West': 'left_out', Choose: 'left_out', 'Unknown berth': 'left_out' },
    });
  });
});

describe('raised letters of slides', () => {
  it.each(['30000', '-25000', '30%', '0'])('X1 are compared as the text shows them: %s', async (look) => {
    const runs = `<p:sp><p:txBody><a:p><a:r><a:t>10</a:t></a:r><a:r><a:rPr baseline="${look}"/><a:t>6</a:t></a:r><a:r><a:t> old</a:t></a:r></a:p></p:txBody></p:sp>`;
    const file = powerPointFile([runs]);
    const { text } = await extractText(file, 'a.pptx');
    expect(await takeInventory(file, 'a.pptx', { text, encoding: null })).toMatchObject({ lost: 0 });
  });
});
