import fc from 'fast-check';
import { officeLinks, officePart, powerPointFile } from '#testing/office-files.js';
import { takeInventory } from '#inventory/take-inventory.js';
import { extractText } from '../extract.js';

const read = async (slides: string[], more: Record<string, string> = {}) =>
  (await extractText(powerPointFile(slides, more), 'a.pptx')).text.trimEnd();
const paragraph = (text: string, properties = '') =>
  `<a:p><a:pPr${properties.startsWith('<') ? `>${properties}</a:pPr>` : `${properties}/>`}<a:r><a:t>${text}</a:t></a:r></a:p>`;
const shape = (type: string | null, ...paragraphs: string[]) =>
  `<p:sp><p:nvSpPr><p:cNvPr id="1" name="x"/><p:nvPr>${type === null ? '' : `<p:ph type="${type}"/>`}</p:nvPr></p:nvSpPr><p:txBody>${paragraphs.join('')}</p:txBody></p:sp>`;
const title = (text: string) => shape('title', paragraph(text));

describe('pptxText', () => {
  it('D4 reads slides in their order: titles as headings, lists with their numbers, boxes, runs', async () => {
    const numbered = (text: string, type: string) =>
      paragraph(text, `<a:buAutoNum type="${type}" startAt="3"/>`);
    const slides = [
      shape('body', paragraph('a point'), paragraph('inner', ' lvl="1"')) + title('First &amp; last'),
      shape(
        null,
        numbered('three', 'arabicPeriod'),
        numbered('four', 'arabicPeriod'),
        numbered('c', 'alphaLcParenBoth'),
      ),
      title('Sum') +
        shape(
          null,
          '<a:p><a:r><a:t>x</a:t></a:r><a:r><a:rPr baseline="30000"/><a:t>2</a:t></a:r><a:br/><a:r><a:rPr strike="sngStrike"><a:hlinkClick r:id="no"/></a:rPr><a:t>old</a:t></a:r></a:p>',
        ),
    ];
    expect(await read(slides)).toBe(
      '# First & last\n\n- a point\n  - inner\n\n## Slide 2\n\n3. three\n4. four\n\n(e) c\n\n## Sum\n\nx²\\\n~~old~~',
    );
  });

  it('D4 reads the boxes of a slide in the order seen: rows, columns, frames, groups, places of the layout', async () => {
    const at = (x: number, y: number, text: string, [wide, high] = [30, 9], type: string | null = null) =>
      shape(type, paragraph(text)).replace(
        '<p:txBody>',
        `<p:spPr><a:xfrm><a:off x="${x}" y="${y}"/><a:ext cx="${wide}" cy="${high}"/></a:xfrm></p:spPr><p:txBody>`,
      );
    const words = async (slide: string, more = {}) =>
      (await read([slide], more)).replace(/^#+ (?:Slide 1\n\n)?/, '').replaceAll('\n\n', ' ');
    expect(await words(at(0, 30, 'C') + at(0, 10, 'A') + at(0, 20, 'B'))).toBe('A B C');
    // Each column has its head.
    const [left, right] = [at(0, 20, 'A2') + at(0, 10, 'A1'), at(50, 20, 'B2') + at(50, 10, 'B1')];
    expect(await words(right + left + at(0, 0, 'Top', [80, 9]))).toBe('Top A1 A2 B1 B2');
    expect(await words(at(5, 5, 'In') + at(0, 0, 'Frame', [90, 90]))).toBe('Frame In');
    const group = `<p:grpSp><p:grpSpPr><a:xfrm><a:off x="0" y="0"/><a:ext cx="50" cy="5"/><a:chOff x="0" y="500"/><a:chExt cx="500" cy="50"/></a:xfrm></p:grpSpPr>${at(0, 500, 'First', [300, 50])}</p:grpSp>`;
    expect(await words(at(0, 10, 'Second') + group)).toBe('First Second');
    const layout = {
      'ppt/slides/_rels/slide1.xml.rels': officeLinks([['rId1', 'slideLayout', '../slideLayouts/l.xml']]),
      'ppt/slideLayouts/l.xml': officePart('p:sldLayout', at(0, 0, '', [90, 9], 'body')),
    };
    expect(await words(at(0, 20, 'Below') + shape('body', paragraph('Above')), layout)).toBe('- Above Below');
    expect(await words(at(0, 20, 'Below') + shape('body', paragraph('Above')))).toBe('Below - Above');
  });

  it('C11 takes the line in the largest letters as the title of a slide without one', async () => {
    const large = (text: string) => shape(null, paragraph(text).replace('<a:r>', '<a:r><a:rPr sz="4000"/>'));
    const small = shape(null, paragraph('see below'));
    expect(
      await read([
        small + large('Costs &amp; aims'),
        large('One') + large('Two'),
        shape(null, paragraph('Thanks')),
      ]),
    ).toBe('# Costs & aims\n\nsee below\n\n## One\n\nTwo\n\n## Thanks');
    expect(
      await read([shape(null, paragraph('a'), paragraph('b')) + shape('ftr', paragraph('Firm'))]),
    ).toMatch(/^## Slide 1/);
    const caption = shape(null, paragraph('Source').replace('<a:r>', '<a:r><a:rPr sz="2000"/>'));
    expect(await read([shape('body', paragraph('Point')) + caption])).toMatch(/^## Slide 1/);
    expect(await read([shape('body', paragraph('Point')) + large('Aims')])).toBe('# Aims\n\n- Point');
    // A title has words, and is short.
    expect(await read([large('87 %') + shape(null, paragraph('of the pumps run'))])).toMatch(/^## Slide 1/);
    const long = shape(null, paragraph('The pumps of the quay were replaced. '.repeat(4)));
    expect(await read([long + shape(null, paragraph('End'))])).toMatch(/^## Slide 1/);
  });

  it('D4 reads tables with merged cells, links, diagrams and charts', async () => {
    const cell = (text: string, attributes = '') =>
      `<a:tc${attributes}><a:txBody>${paragraph(text)}</a:txBody></a:tc>`;
    const table = `<p:graphicFrame><a:tbl><a:tr>${cell('wide', ' gridSpan="2"')}${cell('', ' hMerge="1"')}${cell('c')}</a:tr><a:tr>${cell('1')}${cell('2')}${cell('3')}</a:tr></a:tbl></p:graphicFrame>`;
    const link =
      '<p:sp><a:p><a:r><a:rPr><a:hlinkClick r:id="rId1"/></a:rPr><a:t>more</a:t></a:r></a:p></p:sp>';
    const diagram = '<p:graphicFrame><dgm:relIds r:dm="rId2"/></p:graphicFrame>';
    const more = {
      'ppt/slides/_rels/slide1.xml.rels': officeLinks([
        ['rId1', 'hyperlink', 'https://example.com/m'],
        ['rId2', 'diagramData', '../diagrams/data1.xml'],
      ]),
      'ppt/diagrams/data1.xml': officePart(
        'dgm:dataModel',
        `<dgm:pt>${paragraph('Plan')}</dgm:pt><dgm:pt>${paragraph('Build')}</dgm:pt>`,
      ),
    };
    expect(await read([title('T') + table + link + diagram], more)).toBe(
      '# T\n\n| wide |  | c |\n| --- | --- | --- |\n| 1 | 2 | 3 |\n\n[more](https://example.com/m)\n\n- Plan\n- Build',
    );
  });

  it('D4 reads speaker notes, and reports hidden slides, footers and comments', async () => {
    const more = {
      'ppt/slides/slide2.xml': officePart('p:sld show="0"', title('Secret')).replace(
        '</p:sld show="0">',
        '</p:sld>',
      ),
      'ppt/slides/_rels/slide1.xml.rels': officeLinks([
        ['rId1', 'notesSlide', '../notesSlides/notesSlide1.xml'],
        ['rId2', 'comments', '../comments/comment1.xml'],
      ]),
      'ppt/notesSlides/notesSlide1.xml': officePart(
        'p:notes',
        shape('sldImg') +
          shape('body', paragraph('say this'), paragraph('slowly')) +
          shape('sldNum', paragraph('1')) +
          shape('sldNum', paragraph('page 1 of 9')),
      ),
      'ppt/comments/comment1.xml': officePart('p:cmLst', '<p:cm><p:text>check</p:text></p:cm>'),
    };
    const footer = shape('ftr', paragraph('Firm'));
    expect(await read([title('A') + footer, '', title('B') + footer], more)).toBe(
      '# A\n\n<!-- left out: footer: Firm -->\n\n<!-- left out: slide number: page 1 of 9 -->\n\n**Notes**\n\nsay this\n\nslowly\n\n<!-- left out: comment: check -->\n\n<!-- left out: hidden slide 2: Secret -->\n\n## B',
    );
  });

  it('X1 counts a footer or date that slides and their notes repeat once, and the same words of a slide always', async () => {
    const running = shape('ftr', paragraph('Firm')) + shape('dt', paragraph('5 May 2026'));
    const slides = [title('A') + running, title('B') + running + shape('body', paragraph('Firm'))];
    const more = {
      '_rels/.rels': officeLinks([['rId1', 'officeDocument', 'ppt/presentation.xml']]),
      'ppt/slides/_rels/slide1.xml.rels': officeLinks([
        ['rId1', 'notesSlide', '../notesSlides/notesSlide1.xml'],
      ]),
      'ppt/notesSlides/notesSlide1.xml': officePart('p:notes', shape('body', paragraph('say')) + running),
    };
    const bytes = powerPointFile(slides, more);
    const { text } = await extractText(bytes, 'a.pptx');
    const account = async (shown: string) => takeInventory(bytes, 'a.pptx', { text: shown, encoding: null });
    expect(await account(text)).toMatchObject({ lost: 0, left_out: 2, said_twice: 4 });
    expect((await account(text)).entries.every((entry) => entry.reason_phrase !== undefined)).toBe(true);
    expect(await account(text.replace('- Firm', ''))).toMatchObject({ lost: 1 });
  });

  const word = fc.nat({ max: 999_999 }).map((n) => `w${n}w`);
  const { node } = fc.letrec<{ node: string }>((tie) => ({
    node: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      word.map((text) => paragraph(text)),
      fc
        .tuple(fc.constantFrom('title', 'body', 'ftr', 'subTitle', null), fc.array(word, { maxLength: 3 }))
        .map(([type, words]) => shape(type, ...words.map((text) => paragraph(text, ' lvl="2"')))),
      fc
        .tuple(
          fc.constantFrom('p:grpSp', 'p:graphicFrame', 'a:tbl', 'a:tc', 'mc:AlternateContent', 'mc:Choice'),
          fc.array(tie('node'), { maxLength: 4 }),
        )
        .map(([name, children]) => `<${name}>${children.join('')}</${name}>`),
    ),
  }));

  it('X1 carries or reports every word of any slide', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(node, { maxLength: 6 }), async (nodes) => {
        const slide = nodes.join('');
        const text = await read([slide]);
        for (const each of slide.match(/w\d+w/g) ?? []) expect(text).toContain(each);
      }),
    );
  });
});
