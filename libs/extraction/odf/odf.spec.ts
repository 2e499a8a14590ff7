import fc from 'fast-check';
import { odfFile, odfPart } from '#testing/office-files.js';
import { extractText } from '../extract.js';

const read = async (body: string, styles = '', more: Record<string, string | Uint8Array> = {}) =>
  (await extractText(odfFile('text', body, styles, more), 'a.odt')).text.trimEnd();
const style = (name: string, properties: string, family = 'text', more = '') =>
  `<style:style style:name="${name}" style:family="${family}"${more}>${properties}</style:style>`;
const level = (number: number, format: string, more = '') =>
  `<text:list-level-style-number text:level="${number}" style:num-format="${format}" style:num-suffix="." ${more}/>`;
const item = (text: string, attributes = '') =>
  `<text:list-item${attributes}><text:p>${text}</text:p></text:list-item>`;
const cell = (text: string, attributes = '') =>
  `<table:table-cell${attributes}><text:p>${text}</text:p></table:table-cell>`;

const RUNS =
  style('R', '<style:text-properties style:text-position="33% 58%"/>') +
  style('L', '<style:text-properties style:text-position="sub 58%"/>') +
  style('S', '<style:text-properties style:text-line-through-style="solid"/>') +
  style('H', '<style:text-properties text:display="none"/>') +
  style('W', '<style:text-properties style:font-name="Wingdings1"/>');

describe('odfText', () => {
  it.each([
    [
      '10<text:span text:style-name="R">5</text:span> x<text:span text:style-name="L">1</text:span>',
      '10⁵ x₁',
    ],
    ['<text:span text:style-name="S">old</text:span>  new<text:s text:c="2"/>x', '~~old~~ new  x'],
    ['a<text:tab/>b<text:line-break/>c', 'a\tb\\\nc'],
    [
      '<text:a xlink:href="https://example.com/a">see</text:a> <text:a xlink:href="#x">here</text:a>',
      '[see](https://example.com/a) here',
    ],
    [
      '<text:ruby><text:ruby-base>京都</text:ruby-base><text:ruby-text>きょうと</text:ruby-text></text:ruby>',
      '京都(きょうと)',
    ],
    [
      '<text:span text:style-name="W">\uf0fe</text:span> page <text:page-number>3</text:page-number>',
      '☒ page 3',
    ],
    ['1. no list', '1\\. no list'],
  ])('D4 reads %s', async (body, text) => {
    expect(await read(`<text:p>${body}</text:p>`, RUNS)).toBe(text);
  });

  it('D4 numbers lists and headings as shown: starts, restarts, continued lists, numbers of several levels', async () => {
    const styles = `<text:list-style style:name="N">${level(1, '1', 'text:start-value="3"')}${level(2, 'a', 'text:display-levels="2"')}<text:list-level-style-bullet text:level="3"/></text:list-style>`;
    const outline = `<text:outline-style><text:outline-level-style text:level="1" style:num-format="I" style:num-suffix="."/><text:outline-level-style text:level="2" style:num-format=""/></text:outline-style>`;
    const body =
      '<text:h text:outline-level="1">Head</text:h><text:h text:outline-level="2">Part</text:h>' +
      `<text:list text:style-name="N">${item('three</text:p><text:p>more')}<text:list-item><text:p>four</text:p><text:list>${item('sub')}<text:list-item><text:list>${item('dot')}</text:list></text:list-item></text:list></text:list-item></text:list>` +
      `<text:p>between</text:p><text:list text:style-name="N" text:continue-numbering="true">${item('five')}${item('nine', ' text:start-value="9"')}<text:list-header><text:p>no item</text:p></text:list-header></text:list>` +
      `<text:p>apart</text:p><text:list text:style-name="N">${item('three again')}</text:list>`;
    expect(await read(body, styles, { 'styles.xml': odfPart('document-styles', outline) })).toBe(
      '# I. Head\n\n## Part\n\n3. three\n\n   more\n4. four\n\n4.a. sub\n\n- dot\n\nbetween\n\n5. five\n\n9\\. nine\n\nno item\n\napart\n\n3. three again',
    );
  });

  it('D4 attaches notes to their words, keeps cells in their columns, separates boxes, and reports omissions', async () => {
    const body =
      '<text:tracked-changes><text:changed-region xml:id="c1"><text:deletion><office:change-info><dc:creator>Ida</dc:creator></office:change-info><text:p>gone</text:p></text:deletion></text:changed-region></text:tracked-changes>' +
      '<text:table-of-content><text:index-body><text:p>One 1</text:p><text:p>Two 2</text:p></text:index-body></text:table-of-content>' +
      '<text:p>Sum<text:note text:note-class="endnote"><text:note-citation>i</text:note-citation><text:note-body><text:p>as agreed</text:p></text:note-body></text:note> due<text:change text:change-id="c1"/><text:span text:style-name="H">secret</text:span><office:annotation><dc:creator>Ida</dc:creator><text:p>why?</text:p></office:annotation><draw:frame><draw:text-box><text:p>boxed</text:p></draw:text-box></draw:frame>.</text:p>' +
      `<table:table><table:table-header-rows><table:table-row>${cell('wide', ' table:number-columns-spanned="2"')}<table:covered-table-cell/>${cell('c')}</table:table-row></table:table-header-rows><table:table-row>${cell('tall')}${cell('x</text:p><text:p>y')}${cell('z<office:annotation><text:p>in a cell</text:p></office:annotation>')}</table:table-row></table:table>` +
      '<text:section text:display="none"><text:p>hidden part</text:p></text:section>';
    const pages = odfPart(
      'document-styles',
      '<style:header><text:p>Firm</text:p></style:header><style:footer style:display="false"><text:p>no</text:p></style:footer>',
    );
    expect(await read(body, RUNS, { 'styles.xml': pages })).toBe(
      '<!-- left out: table of contents (lines: 2) -->\n\nSum[^1] due.\n\nboxed\n\n<!-- left out: deleted text: gone -->\n\n<!-- left out: hidden text: secret -->\n\n<!-- left out: comment: why? -->\n\n' +
        '| wide |  | c |\n| --- | --- | --- |\n| tall | x<br>y | z |\n\n<!-- left out: comment: in a cell -->\n\n<!-- left out: hidden section: hidden part -->\n\n<!-- left out: header: Firm -->\n\n[^1]: as agreed',
    );
  });

  it('D4 reads formulas, charts, pictures and forms', async () => {
    const frame = (content: string) => `<draw:frame>${content}</draw:frame>`;
    const body =
      '<office:forms><form:form><form:checkbox form:id="k1" form:label="paid" form:current-state="checked"/><form:text form:id="k2" form:current-value="Ida"/></form:form></office:forms>' +
      `<text:p>Take ${frame('<draw:object xlink:href="./Object 1"/><draw:image xlink:href="./ObjectReplacements/Object 1"/>')} now <draw:control draw:control="k1"/> <draw:control draw:control="k2"/></text:p>` +
      `<text:p>${frame('<draw:object xlink:href="./Object 2"/>')}${frame('<draw:image xlink:href="Pictures/a.png"/><svg:desc>A ship</svg:desc>')}</text:p>`;
    const more = {
      'Object 1/content.xml':
        '<math xmlns="http://www.w3.org/1998/Math/MathML"><semantics><mfrac><mn>1</mn><mn>2</mn></mfrac><annotation>{1} over {2}</annotation></semantics></math>',
      'Object 2/content.xml': odfPart(
        'document-content',
        `<office:body><office:chart><chart:title xmlns:chart="c"><text:p>Catch</text:p></chart:title><table:table><table:table-row>${cell('')}${cell('Q1')}</table:table-row><table:table-row>${cell('East')}${cell('5')}</table:table-row></table:table></office:chart></office:body>`,
      ),
      'Pictures/a.png': Uint8Array.from([0x89, 0x50]),
    };
    expect(await read(body, '', more)).toBe(
      'Take $$\\frac{1}{2}$$ now ☒ paid Ida\n\n![A ship](a.odt.image1.png)\n\nCatch\n\n|  | Q1 |\n| --- | --- |\n| East | 5 |',
    );
  });

  it('D4 reads sheets as displayed, and reports hidden rows, columns and sheets', async () => {
    const sheet = (name: string, rows: string, more = '') =>
      `<table:table table:name="${name}"${more}>${rows}</table:table>`;
    const rows =
      '<table:table-column/><table:table-column table:visibility="collapse"/><table:table-column/>' +
      `<table:table-row>${cell('a', ' office:value-type="float" office:value="1"')}${cell('sec')}${cell('c')}<table:table-cell table:number-columns-repeated="16381"/></table:table-row>` +
      `<table:table-row table:number-rows-repeated="1048000"><table:table-cell table:number-columns-repeated="16384"/></table:table-row>` +
      `<table:table-row table:number-rows-repeated="2">${cell('5 %', ' table:number-columns-repeated="3"')}</table:table-row>` +
      `<table:table-row table:visibility="filter">${cell('out')}</table:table-row>`;
    const hidden = style('X', '<style:table-properties table:display="false"/>', 'table');
    const file = odfFile(
      'spreadsheet',
      sheet('One', rows) +
        sheet('Two', `<table:table-row>${cell('pay')}</table:table-row>`, ' table:style-name="X"'),
      hidden,
    );
    expect((await extractText(file, 'a.ods')).text).toBe(
      '## One\n\n| a | c |\n| --- | --- |\n| 5 % | 5 % |\n| 5 % | 5 % |\n\n<!-- left out: hidden column: B1 sec; B1048002 5 % -->\n\n<!-- left out: hidden row: A1048004 out -->\n\n<!-- left out: hidden sheet: Two: pay -->\n',
    );
  });

  it('D4 reads slides with their titles and notes', async () => {
    const box = (text: string, kind = '') =>
      `<draw:frame${kind}><draw:text-box>${text}</draw:text-box></draw:frame>`;
    const slides =
      `<draw:page>${box('<text:p>Plan</text:p>', ' presentation:class="title"')}${box(`<text:list>${item('one')}</text:list>`)}<presentation:notes>${box('<text:p>say</text:p>')}</presentation:notes></draw:page>` +
      `<draw:page draw:style-name="X"><draw:custom-shape><text:p>gone</text:p></draw:custom-shape></draw:page><draw:page><draw:rect><text:p>last</text:p></draw:rect></draw:page>`;
    const hidden = style(
      'X',
      '<style:drawing-page-properties presentation:visibility="hidden"/>',
      'drawing-page',
    );
    expect((await extractText(odfFile('presentation', slides, hidden), 'a.odp')).text).toBe(
      '# Plan\n\n- one\n\n**Notes**\n\nsay\n\n<!-- left out: hidden slide 2: gone -->\n\n## Slide 3\n\nlast\n',
    );
  });

  it('D4 reports text of master pages, unless slides replace it', async () => {
    const frame = (text: string, more = '') =>
      `<draw:frame${more}><draw:text-box><text:p>${text}</text:p></draw:text-box></draw:frame>`;
    const master = odfPart(
      'document-styles',
      `<office:master-styles><style:master-page>${frame('Harbour office')}${frame('Click to edit', ' presentation:class="outline" presentation:placeholder="true"')}<presentation:notes>${frame('notes')}</presentation:notes></style:master-page></office:master-styles>`,
    );
    const slides =
      '<presentation:footer-decl presentation:name="f">Draft of May</presentation:footer-decl><draw:page><draw:rect><text:p>one</text:p></draw:rect></draw:page>';
    const { text } = await extractText(
      odfFile('presentation', slides, '', { 'styles.xml': master }),
      'a.odp',
    );
    expect(text).toBe(
      '## Slide 1\n\none\n\n<!-- left out: footer: Draft of May -->\n\n<!-- left out: master page: Harbour office -->\n',
    );
  });

  it('D4 rejects encrypted, damaged and foreign files with a message', async () => {
    const encrypted = odfFile('text', '', '', { 'META-INF/manifest.xml': '<m><encryption-data/></m>' });
    await expect(extractText(encrypted, 'a.odt')).rejects.toThrow('a.odt is protected by a password');
    await expect(extractText(odfFile('text', '<text:p>'), 'a.odt')).rejects.toThrow('a.odt is damaged');
    await expect(extractText(new Uint8Array(9), 'a.odt')).rejects.toThrow('a.odt is damaged');
  });

  const word = fc.nat({ max: 999_999 }).map((n) => `w${n}w`);
  const { node } = fc.letrec<{ node: string }>((tie) => ({
    node: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      word.map((text) => `<text:p>${text} <text:span text:style-name="H">${text}</text:span></text:p>`),
      fc
        .tuple(
          fc.constantFrom(
            ...'text:list text:list-item text:section text:h text:note-body office:annotation draw:text-box draw:rect draw:frame table:table table:table-row table:table-cell table:covered-table-cell draw:page presentation:notes text:deletion'.split(
              ' ',
            ),
          ),
          fc.array(tie('node'), { maxLength: 4 }),
        )
        .map(([name, children]) => `<${name}>${children.join('')}</${name}>`),
    ),
  }));

  it('X1 carries or reports every word of any text', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(node, { maxLength: 6 }), async (nodes) => {
        const body = nodes.join('');
        const text = await read(body, RUNS);
        for (const each of body.match(/w\d+w/g) ?? []) expect(text).toContain(each);
      }),
    );
  });
});
