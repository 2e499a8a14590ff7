import { strToU8, zipSync } from 'fflate';
import fc from 'fast-check';
import { wordFile, wordParagraph, xmlText } from '#testing/sample-files.js';
import { extractText } from '../extract.js';

const read = async (body: string, more: Record<string, string> = {}) =>
  (await extractText(wordFile(body, more), 'a.docx')).text.trimEnd();
const run = (text: string, properties = '') =>
  `<w:r><w:rPr>${properties}</w:rPr><w:t xml:space="preserve">${text}</w:t></w:r>`;
const paragraph = (...runs: string[]) => `<w:p>${runs.join('')}</w:p>`;
const item = (text: string, numId: number, level = 0) =>
  wordParagraph(text, `<w:numPr><w:ilvl w:val="${level}"/><w:numId w:val="${numId}"/></w:numPr>`);
const relationships = (...all: [string, string, string][]) => ({
  'word/_rels/document.xml.rels': `<Relationships>${all
    .map(
      ([id, type, target]) =>
        `<Relationship Id="${id}" Type="http://x/${type}" Target="${target}"${/^\w+:/.test(target) ? ' TargetMode="External"' : ''}/>`,
    )
    .join('')}</Relationships>`,
});

describe('docxText', () => {
  it.each([
    [run('10') + run('5', '<w:vertAlign w:val="superscript"/>') + run(' hours'), '10⁵ hours'],
    [run('1') + run('st ', '<w:vertAlign w:val="superscript"/>') + run('day'), '1<sup>st</sup> day'],
    [
      run('x') + run('1', '<w:vertAlign w:val="subscript"/>') + run('2', '<w:vertAlign w:val="subscript"/>'),
      'x₁₂',
    ],
    [
      run('690 ') + run('64', '<w:strike/>') + run('0 ', '<w:strike/>') + run('EUR', '<w:strike w:val="0"/>'),
      '690 ~~640~~ EUR',
    ],
    ['<w:r><w:t>5 </w:t><w:sym w:font="Symbol" w:char="F06D"/><w:t>g</w:t></w:r>', '5 μg'],
    [
      '<w:r><w:t>ok </w:t></w:r><w:r><mc:AlternateContent xmlns:mc="mc" xmlns:w16se="symex"><mc:Choice Requires="w16se"><w16se:symEx w16se:font="Emoji" w16se:char="1F60A"/></mc:Choice><mc:Fallback><w:t>x</w:t></mc:Fallback></mc:AlternateContent></w:r>',
      'ok 😊',
    ],
    [
      '<w:r><w:sym w:font="Wingdings" w:char="F0FE"/><w:sym w:font="Odd" w:char="F041"/></w:r>',
      '☒\\[Odd F041]',
    ],
    [
      '<w:r><w:ruby><w:rt><w:r><w:t>きょうと</w:t></w:r></w:rt><w:rubyBase><w:r><w:t>京都</w:t></w:r></w:rubyBase></w:ruby></w:r>',
      '京都(きょうと)',
    ],
    ['<w:r><w:t>Ida</w:t><w:br/><w:t>Quay</w:t><w:br w:type="page"/><w:t>on</w:t></w:r>', 'Ida\\\nQuay on'],
    [
      '<w:r><w:fldChar w:fldCharType="begin"><w:ffData><w:checkBox><w:default w:val="0"/><w:checked/></w:checkBox></w:ffData></w:fldChar></w:r>' +
        run(' yes'),
      '☒ yes',
    ],
    [
      '<w:r><w:fldChar w:fldCharType="begin"><w:ffData><w:ddList><w:result w:val="1"/><w:listEntry w:val="slow"/><w:listEntry w:val="fast"/></w:ddList></w:ffData></w:fldChar></w:r>',
      'fast',
    ],
    [
      '<m:oMath><m:f><m:num><m:r><m:t>1</m:t></m:r></m:num><m:den><m:r><m:t>a+b</m:t></m:r></m:den></m:f></m:oMath>' +
        run(' of it'),
      '$$\\frac{1}{a+b}$$ of it',
    ],
  ])('D4 preserves formatting that changes the meaning of text: %s', async (runs, text) => {
    expect(await read(paragraph(runs))).toBe(text);
  });

  const r = (text: string) => `<m:r><m:t>${text}</m:t></m:r>`;
  const part = (name: string, content: string) => `<m:${name}>${content}</m:${name}>`;
  const property = (kind: string, name: string, value: string) =>
    `<m:${kind}Pr><m:${name} m:val="${value}"/></m:${kind}Pr>`;

  it.each([
    [part('sSup', part('e', r('x')) + part('sup', r('2'))), 'x^{2}'],
    [part('sSubSup', part('e', r('ab')) + part('sub', r('i')) + part('sup', r('2'))), '{ab}_{i}^{2}'],
    [part('rad', part('deg', r('3')) + part('e', r('α'))), '\\sqrt[3]{α}'],
    [
      part(
        'nary',
        property('nary', 'chr', '∑') + part('sub', r('i=1')) + part('sup', r('n')) + part('e', r('i')),
      ),
      '\\sum_{i=1}^{n}{i}',
    ],
    [part('func', part('fName', r('sin')) + part('e', r('x'))), '\\sin{x}'],
    [
      part(
        'func',
        part('fName', part('limLow', part('e', r('lim')) + part('lim', r('n→∞')))) + part('e', r('a')),
      ),
      '\\lim_{n→∞} a',
    ],
    [
      part(
        'd',
        property('d', 'begChr', '[') +
          part('e', part('m', part('mr', part('e', r('1')) + part('e', r('2'))))),
      ),
      '\\left[\\begin{matrix}1 & 2\\end{matrix}\\right)',
    ],
    [part('d', part('e', r('a')) + part('e', r('b'))), '\\left(a\\vert b\\right)'],
    [part('acc', property('acc', 'chr', '⃗') + part('e', r('v'))), '\\vec{v}'],
    [part('bar', property('bar', 'pos', 'top') + part('e', r('v'))), '\\overline{v}'],
    [part('f', property('f', 'type', 'lin') + part('num', r('a+b')) + part('den', r('c'))), '{a+b}/c'],
    [part('eqArr', part('e', r('a')) + part('e', r('b'))), '\\begin{aligned}a \\\\ b\\end{aligned}'],
    ['<m:r><m:rPr><m:nor/></m:rPr><m:t>if 5 %</m:t></m:r>', '\\text{if 5 \\%}'],
    [r('a b{'), 'a\\ b\\{'],
  ])('D4 reads the formula %s as TeX', async (formula, tex) => {
    expect(await read(paragraph(run('a '), `<m:oMath>${formula}</m:oMath>`, run(' b')))).toBe(
      `a $$${tex}$$ b`,
    );
  });

  it('D4 reports the words of charts and diagrams', async () => {
    const drawing = '<w:r><w:drawing><c:chart r:id="rId1"/><dgm:relIds r:dm="rId2"/></w:drawing></w:r>';
    const more = {
      ...relationships(['rId1', 'chart', 'charts/chart1.xml'], ['rId2', 'diagramData', 'diagrams/data1.xml']),
      'word/charts/chart1.xml':
        '<c:chart><c:ser><c:tx><c:v>Sales</c:v></c:tx><c:cat><c:pt idx="0"><c:v>East</c:v></c:pt></c:cat><c:val><c:pt idx="0"><c:v>5</c:v></c:pt></c:val></c:ser></c:chart>',
      'word/diagrams/data1.xml': '<dgm:pts><dgm:pt><a:t>Plan</a:t></dgm:pt></dgm:pts>',
    };
    expect(await read(paragraph(run('See'), drawing), more)).toBe(
      'See\n\n<!-- left out: chart: Sales; East 5 -->\n\n<!-- left out: diagram: Plan -->',
    );
  });

  it('D4 reads a formula that TeX cannot express as text', async () => {
    const formula = part('f', part('num', r('5 $')) + part('den', r('kg')));
    expect(await read(paragraph(`<m:oMath>${formula}</m:oMath>`))).toBe('(5 $)/kg');
  });

  it('D4 keeps the addresses of links and of link fields', async () => {
    const link = `<w:hyperlink r:id="r1">${run('click')}</w:hyperlink>`;
    const field =
      '<w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText> HYPERLINK "https://example.com/b" </w:instrText></w:r>' +
      `<w:r><w:fldChar w:fldCharType="separate"/></w:r>${run('there')}<w:r><w:fldChar w:fldCharType="end"/></w:r>`;
    const inner = `<w:hyperlink w:anchor="x">${run('inside')}</w:hyperlink>`;
    expect(
      await read(
        paragraph(link, run(' or '), field, run(' '), inner),
        relationships(['r1', 'hyperlink', 'https://example.com/a']),
      ),
    ).toBe('[click](https://example.com/a) or [there](https://example.com/b) inside');
  });

  const level = (ilvl: number, format: string, text: string, start = 1) =>
    `<w:lvl w:ilvl="${ilvl}"><w:start w:val="${start}"/><w:numFmt w:val="${format}"/><w:lvlText w:val="${text}"/></w:lvl>`;
  const numbering = (lists: string[], nums: [number, number][]) => ({
    'word/numbering.xml': `<w:numbering xmlns:w="w">${lists
      .map((levels, index) => `<w:abstractNum w:abstractNumId="${index}">${levels}</w:abstractNum>`)
      .join('')}${nums
      .map(([num, abstract]) => `<w:num w:numId="${num}"><w:abstractNumId w:val="${abstract}"/></w:num>`)
      .join('')}</w:numbering>`,
  });

  it('D4 numbers clauses as Word shows them', async () => {
    const clauses =
      level(0, 'decimal', '%1.') + level(1, 'decimal', '%1.%2') + level(2, 'lowerLetter', '(%3)');
    const body =
      item('Terms', 1) +
      item('Goods', 1, 1) +
      item('Price', 1, 1) +
      item('Payment', 1) +
      item('Sum', 1, 1) +
      item('now', 1, 2);
    expect(await read(body, numbering([clauses], [[1, 0]]))).toBe(
      '1. Terms\n\n1.1 Goods\n\n1.2 Price\n\n2. Payment\n\n2.1 Sum\n\n(a) now',
    );
  });

  it('D4 continues counting where Word does, and nests lists that our documents number in the same way', async () => {
    const steps = level(0, 'decimal', '%1.') + level(1, 'lowerLetter', '%2.');
    const parts = numbering(
      [steps, level(0, 'upperRoman', '%1)', 4)],
      [
        [1, 0],
        [2, 0],
        [3, 1],
      ],
    );
    const body =
      item('one', 1) +
      item('in', 1, 1) +
      item('two', 1) +
      wordParagraph('between') +
      item('three', 2) +
      item('fourth', 3);
    expect(await read(body, parts)).toBe('1. one\n   1. in\n2. two\n\nbetween\n\n3. three\n\nIV) fourth');
  });

  it('D4 numbers headings by their styles, and ignores former properties of tracked changes', async () => {
    const styles =
      '<w:styles xmlns:w="w"><w:style w:styleId="H1"><w:name w:val="heading 1"/><w:pPr><w:numPr><w:numId w:val="1"/></w:numPr></w:pPr></w:style>' +
      '<w:style w:styleId="H2"><w:name w:val="heading 2"/><w:basedOn w:val="H1"/><w:pPr><w:numPr><w:ilvl w:val="1"/></w:numPr></w:pPr></w:style></w:styles>';
    const heading = (style: string, text: string) => wordParagraph(text, `<w:pStyle w:val="${style}"/>`);
    const former = '<w:pPrChange><w:pPr><w:pStyle w:val="H1"/></w:pPr></w:pPrChange>';
    const parts = {
      'word/styles.xml': styles,
      ...numbering([level(0, 'decimal', '%1') + level(1, 'decimal', '%1.%2')], [[1, 0]]),
    };
    expect(
      await read(heading('H1', 'Safety') + heading('H2', 'Before') + wordParagraph('plain', former), parts),
    ).toBe('# 1 Safety\n\n## 1.1 Before\n\nplain');
  });

  it('C11 puts headings below the title with which a document begins', async () => {
    const styles =
      '<w:styles xmlns:w="w"><w:style w:styleId="T"><w:name w:val="Title"/></w:style><w:style w:styleId="H1"><w:name w:val="heading 1"/></w:style></w:styles>';
    const titled = (...names: [string, string][]) =>
      read(names.map(([style, text]) => wordParagraph(text, `<w:pStyle w:val="${style}"/>`)).join(''), {
        'word/styles.xml': styles,
      });
    expect(await titled(['T', 'Lease'], ['H1', 'Rent'], ['H1', 'Term'])).toBe(
      '# Lease\n\n## Rent\n\n## Term',
    );
    expect(await titled(['H1', 'Rent'], ['T', 'Lease'])).toBe('# Rent\n\n# Lease');
  });

  it('D4 keeps merged cells in their columns', async () => {
    const cell = (text: string, properties = '') =>
      `<w:tc><w:tcPr>${properties}</w:tcPr>${wordParagraph(text)}</w:tc>`;
    const row = (...cells: string[]) => `<w:tr>${cells.join('')}</w:tr>`;
    const table = `<w:tbl>${row(cell('a'), cell('b'), cell('c'))}${row(cell('1', '<w:vMerge w:val="restart"/>'), cell('2', '<w:gridSpan w:val="2"/>'))}${row(cell('', '<w:vMerge/>'), cell('3'), cell('4'))}</w:tbl>`;
    expect(await read(table)).toBe('| a | b | c |\n| --- | --- | --- |\n| 1 | 2 |  |\n|  | 3 | 4 |');
    const inner = `<w:tbl>${row(cell('Fee'), cell('5 | 6', '<w:gridSpan w:val="2"/>'))}${row(cell(''), cell('7'))}${row(cell(''), cell(''))}</w:tbl>`;
    const outer = `<w:tc><w:tcPr><w:gridSpan w:val="2"/></w:tcPr>${wordParagraph('Before')}${inner}${wordParagraph('After')}</w:tc>`;
    expect(await read(`<w:tbl>${row(outer, cell('Side'))}</w:tbl>`)).toBe(
      '| Before<br>Fee · 5 \\| 6 ·<br>· 7<br>After |  | Side |\n| --- | --- | --- |',
    );
  });

  it('D4 reads a table of one cell around another one as a frame', async () => {
    const cell = (...content: string[]) => `<w:tc>${content.join('')}</w:tc>`;
    const table = (...rows: string[]) =>
      `<w:tbl>${rows.map((cells) => `<w:tr>${cells}</w:tr>`).join('')}</w:tbl>`;
    const inner = table(
      cell(wordParagraph('Berth')) + cell(wordParagraph('Fee')),
      cell(wordParagraph('C 14')) + cell(wordParagraph('120')),
    );
    const shown = 'Taken\n\n| Berth | Fee |\n| --- | --- |\n| C 14 | 120 |\n\nCounted';
    const frame = table(cell(wordParagraph('Taken'), inner, wordParagraph('Counted')));
    expect(await read(frame)).toBe(shown);
    expect(await read(table(cell(frame)))).toBe(shown);
    expect(await read(frame + wordParagraph('x') + inner)).toContain('Counted\n\nx\n\n| Berth');
    expect(await read(table(cell(wordParagraph('Alone'))))).toBe('| Alone |\n| --- |');
    const deleted = frame.replace('<w:tr>', '<w:tr><w:trPr><w:del w:id="1"/></w:trPr>');
    expect((await read(deleted)).replace(/<!--.*-->/g, '').trim()).toBe('');
  });

  it('D4 separates text boxes from sentences, and joins drop caps to them', async () => {
    const box = `<w:r><mc:AlternateContent><mc:Choice><w:txbxContent>${wordParagraph('in the box')}</w:txbxContent></mc:Choice><mc:Fallback><w:txbxContent>${wordParagraph('in the box')}</w:txbxContent></mc:Fallback></mc:AlternateContent></w:r>`;
    expect(await read(paragraph(run('Opening hours'), box, run(' are here.')))).toBe(
      'Opening hours are here.\n\nin the box',
    );
    const cap = wordParagraph('D', '<w:framePr w:dropCap="drop"/>');
    expect(await read(cap + wordParagraph('uring the night'))).toBe('During the night');
  });

  it('D4 attaches notes to their words, and reports headers, footers, comments and deleted text', async () => {
    const body =
      paragraph(
        run('640'),
        '<w:r><w:footnoteReference w:id="2"/></w:r>',
        run(' EUR'),
        '<w:r><w:commentReference w:id="0"/></w:r>',
      ) + '<w:sectPr><w:headerReference r:id="h"/><w:footerReference r:id="f"/></w:sectPr>';
    const parts = {
      'word/footnotes.xml': `<w:footnotes xmlns:w="w"><w:footnote w:type="separator" w:id="0">${wordParagraph('-')}</w:footnote><w:footnote w:id="2">${wordParagraph('net')}${wordParagraph('of tax')}</w:footnote><w:footnote w:id="3">${wordParagraph('of nobody')}</w:footnote></w:footnotes>`,
      'word/comments.xml': `<w:comments xmlns:w="w"><w:comment w:id="0">${wordParagraph('Wrong -- sum')}</w:comment></w:comments>`,
      'word/header1.xml': `<w:hdr xmlns:w="w">${wordParagraph('Ostrel')}${wordParagraph('Pumps')}</w:hdr>`,
      'word/footer1.xml': `<w:ftr xmlns:w="w">${wordParagraph('page')}</w:ftr>`,
      ...relationships(['h', 'header', 'header1.xml'], ['f', 'footer', 'footer1.xml']),
    };
    expect(await read(body, parts)).toBe(
      '640[^1] EUR\n\n<!-- left out: comment: Wrong - - sum -->\n\n[^1]: net\n\n    of tax\n\nof nobody\n\n' +
        '<!-- left out: header: Ostrel Pumps -->\n\n<!-- left out: footer: page -->',
    );
  });

  it('D4 reads included files, and parts with any name and prefix', async () => {
    const included = relationships(['p', 'aFChunk', 'page.html'], ['m', 'aFChunk', 'page.mht']);
    const mht = 'MIME-Version: 1.0\r\nContent-Type: text/html; charset=utf-8\r\n\r\n<p>letter</p>\r\n';
    expect(
      await read(
        `${wordParagraph('before')}<w:altChunk r:id="p"/>${wordParagraph('after')}<w:altChunk r:id="m"/>`,
        {
          ...included,
          'word/page.html': '<title>Import</title><h2>Terms</h2><p>21 days</p>',
          'word/page.mht': mht,
        },
      ),
    ).toBe(
      'before\n\n## Terms\n\n21 days\n\n<!-- left out: title of the page: Import -->\n\nafter\n\nletter',
    );
    const renamed = zipSync({
      '_rels/.rels': strToU8(
        '<Relationships><Relationship Id="a" Type="http://x/officeDocument" Target="word/document2.xml"/></Relationships>',
      ),
      'word/document2.xml': strToU8(
        '<x:document xmlns:x="http://purl.oclc.org/ooxml/wordprocessingml/main"><x:body><x:p><x:pPr><x:outlineLvl x:val="0"/></x:pPr><x:r><x:t>Boat hire</x:t></x:r></x:p></x:body></x:document>',
      ),
    });
    expect((await extractText(renamed, 'a.docx')).text).toBe('# Boat hire\n');
  });

  it('X1 loses no word of any document', async () => {
    const word = fc.nat({ max: 999_999 }).map((n) => `w${n}w`);
    const properties = fc.constantFrom('', '<w:vertAlign w:val="superscript"/>', '<w:strike/>', '<w:b/>');
    const runs = fc.array(
      fc.tuple(word, properties).map(([text, set]) => run(xmlText(`${text} `), set)),
      { maxLength: 4 },
    );
    const block = fc.oneof(
      runs.map((all) => paragraph(...all)),
      word.map((text) => item(text, 1, text.length % 3)),
      word.map((text) => wordParagraph(text, '<w:pStyle w:val="Heading1"/>')),
      fc
        .array(fc.array(word, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 3 })
        .map(
          (rows) =>
            `<w:tbl>${rows.map((cells) => `<w:tr>${cells.map((text) => `<w:tc>${wordParagraph(text)}</w:tc>`).join('')}</w:tr>`).join('')}</w:tbl>`,
        ),
      runs.map((all) =>
        paragraph(run('x '), `<w:r><w:txbxContent>${paragraph(...all)}</w:txbxContent></w:r>`),
      ),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(block, { maxLength: 6 }), async (blocks) => {
        const body = blocks.join('');
        const text = await read(body);
        for (const each of body.match(/w\d+w/g) ?? []) expect(text).toContain(each);
      }),
    );
  });
});
