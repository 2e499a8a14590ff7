import { strToU8, zipSync } from 'fflate';
import fc from 'fast-check';
import iconv from 'iconv-lite';
import { excelFile, odfFile, officeLinks, powerPointFile } from '#testing/office-files.js';
import { pdfFile, WORD_NUMBERS, wordFile, wordParagraph } from '#testing/sample-files.js';
import { decodeBytes } from './encoding.js';
import { detectEncoding, extractText, ExtractionError } from './extract.js';

const bytes = (text: string) => new TextEncoder().encode(text);
const textOf = async (data: Uint8Array, name: string) => (await extractText(data, name)).text;

const paragraph = wordParagraph;
const docx = wordFile;
const pdf = pdfFile;

describe('extractText', () => {
  it('D4 reads Word documents: headings, lists, tables, breaks; reports deleted text', async () => {
    const body =
      paragraph('Title', '<w:pStyle w:val="Heading1"/>') +
      paragraph('Plain &amp; simple') +
      '<w:p><w:r><w:t>a</w:t><w:br/><w:t>b</w:t><w:tab/><w:t>c</w:t></w:r></w:p>' +
      '<w:p><w:del><w:r><w:delText>gone</w:delText><w:t>gone</w:t></w:r></w:del><w:ins><w:r><w:t>kept</w:t></w:r></w:ins></w:p>' +
      paragraph('one', '<w:numPr><w:ilvl w:val="0"/><w:numId w:val="1"/></w:numPr>') +
      paragraph('two', '<w:numPr><w:ilvl w:val="0"/><w:numId w:val="1"/></w:numPr>') +
      `<w:tbl><w:tr><w:tc>${paragraph('x')}</w:tc><w:tc>${paragraph('y|z')}</w:tc></w:tr><w:tr><w:tc>${paragraph('1')}</w:tc></w:tr></w:tbl>`;
    expect(await extractText(docx(body, { 'word/numbering.xml': WORD_NUMBERS }), 'a.docx')).toEqual({
      format: 'docx',
      text: '# Title\n\nPlain & simple\n\na\\\nb\tc\n\nkept\n\n<!-- left out: deleted text: gonegone -->\n\n1. one\n2. two\n\n| x | y\\|z |\n| --- | --- |\n| 1 |  |\n',
    });
  });

  it('D4 omits the table of contents of a Word document, and marks its place', async () => {
    const styles =
      '<w:styles xmlns:w="w"><w:style w:styleId="Verz1"><w:name w:val="toc 1"/></w:style><w:style w:styleId="Kopf"><w:name w:val="TOC Heading"/></w:style></w:styles>';
    const entry = (text: string) => paragraph(text, '<w:pStyle w:val="Verz1"/>');
    const control = (gallery: string, content: string) =>
      `<w:sdt><w:sdtPr><w:docPartObj><w:docPartGallery w:val="${gallery}"/></w:docPartObj></w:sdtPr><w:sdtContent>${content}</w:sdtContent></w:sdt>`;
    const body =
      paragraph('Before') +
      paragraph('Inhalt', '<w:pStyle w:val="Kopf"/>') +
      entry('One') +
      entry('Two') +
      paragraph('Between') +
      control('Table of Contents', control('Page', paragraph('Contents')) + paragraph('One 3')) +
      control('Cover Pages', paragraph('After'));
    expect(await textOf(docx(body, { 'word/styles.xml': styles }), 'a.docx')).toBe(
      'Before\n\n<!-- left out: table of contents (lines: 3) -->\n\nBetween\n\n<!-- left out: table of contents (lines: 2) -->\n\nAfter\n',
    );
  });

  it('D4 rejects damaged, foreign and oversized archives with a message', async () => {
    await expect(textOf(bytes('hello'), 'a.docx')).rejects.toThrow('a.docx is not a Word document');
    await expect(textOf(bytes('PK\u0003\u0004 nonsense'), 'a.docx')).rejects.toThrow(ExtractionError);
    await expect(textOf(zipSync({ 'x.txt': strToU8('x') }), 'a.docx')).rejects.toThrow(
      'is not a Word document',
    );
    await expect(textOf(docx('<w:p>'), 'a.docx')).rejects.toThrow('a.docx is damaged');
    const bomb = zipSync({ 'word/document.xml': new Uint8Array(65 * 1024 * 1024) });
    await expect(textOf(bomb, 'a.docx')).rejects.toThrow('too large when unpacked');
  });

  it('D4 rejects Office files whose type differs from their extension', async () => {
    const main = (path: string) => ({ '_rels/.rels': officeLinks([['r', 'officeDocument', path]]) });
    const word = docx(paragraph('words'), main('word/document.xml'));
    const sheet = excelFile('<s:sheetData/>', main('xl/workbook.xml'));
    const slides = powerPointFile([], main('ppt/presentation.xml'));
    for (const [file, name, kind] of [
      [word, 'a.xlsx', 'a Word document'],
      [word, 'a.pptx', 'a Word document'],
      [sheet, 'a.docx', 'an Excel workbook'],
      [slides, 'a.docx', 'a PowerPoint presentation'],
    ] as const)
      await expect(extractText(file, name)).rejects.toThrow(`, but ${kind}`);
  });

  it('D4 reads templates and files with macros like documents', async () => {
    for (const name of ['a.docm', 'a.dotx', 'a.dotm'])
      expect(await extractText(docx(paragraph('words')), name)).toEqual({ format: 'docx', text: 'words\n' });
    const text = odfFile('text', '<text:p>words</text:p>');
    expect(await extractText(text, 'a.ott')).toEqual({ format: 'odt', text: 'words\n' });
  });

  it('D4 reads PDF text line by line', async () => {
    expect(await extractText(pdf('(Hello World) Tj 0 -20 Td (Second line) Tj'), 'a.pdf')).toEqual({
      format: 'pdf',
      text: 'Hello World\nSecond line\n',
    });
    // A Buffer of Node is a Uint8Array, too.
    expect(await textOf(Buffer.from(pdf('(Hello) Tj')) as Uint8Array, 'a.pdf')).toBe('Hello\n');
    await expect(textOf(pdf(''), 'a.pdf')).rejects.toThrow('contains no text');
    await expect(textOf(bytes('%PDF-1.4 nonsense'), 'a.pdf')).rejects.toThrow(ExtractionError);
  });

  it('D4 reads HTML: visible text only, structure as markdown', async () => {
    const html =
      '<html><head><title>t</title><style>x</style></head><body><h1>A  <b>b</b></h1><p>one\n two<br>three &amp; four</p><script>no()</script>' +
      '<ul><li>x</li><li>y<ol><li>z</li></ol></li></ul><pre>  code\n\tline\n</pre><table><tr><th>k</th><th>v</th></tr><tr><td>1</td><td>a|b</td></tr></table><img src="p.png" alt="P"></body></html>';
    expect(await textOf(bytes(html), 'a.html')).toBe(
      '# A b\n\none two\\\nthree & four\n\n- x\n- y\n  1. z\n\n```\n  code\n\tline\n```\n\n| k | v |\n| --- | --- |\n| 1 | a\\|b |\n\n![P](p.png)\n\n<!-- left out: title of the page: t -->\n',
    );
  });

  it.each([
    ['<h1>A</h1><p>x</p><h1>B</h1><h6>C</h6>', '# T\n\n## A\n\nx\n\n## B\n\n###### C\n'],
    ['<p>x</p><h2>A</h2>', '# T\n\nx\n\n## A\n'],
  ])('C11 puts the title of a page above its text: %s', async (html, text) => {
    expect(await textOf(bytes(`<title> T\n</title>${html}`), 'a.html')).toBe(text);
  });

  it('X1 escapes characters of a document that Markdown would interpret', async () => {
    const html =
      '<p>Run foo &lt;file&gt; with List&lt;String&gt; now. Keep *this* and 2*3*4 and a_b_c</p><p># no heading<br>1. no list</p>' +
      '<ul><li>- x<ul><li><ul><li>deep</li></ul></li></ul></li></ul><table><caption>*T*</caption><tr><td>`a`|b<br>c</td></tr></table>';
    expect(await textOf(bytes(html), 'a.html')).toBe(
      'Run foo \\<file> with List\\<String> now. Keep \\*this\\* and 2\\*3\\*4 and a_b_c\n\n\\# no heading\\\n1\\. no list\n\n' +
        '- \\- x\n  - deep\n\n\\*T\\*\n\n| \\`a\\`\\|b<br>c |\n| --- |\n',
    );
    expect(
      await textOf(
        docx(paragraph('1. &lt;b&gt; *x*') + paragraph('# T', '<w:pStyle w:val="Heading1"/>')),
        'a.docx',
      ),
    ).toBe('1\\. \\<b> \\*x\\*\n\n# \\# T\n');
    expect(await textOf(pdf('(# one) Tj 0 -20 Td (- <two>) Tj'), 'a.pdf')).toBe('\\# one\n\\- \\<two>\n');
  });

  it('D4 extracts images of documents, once each, and references them in their places', async () => {
    const png = Buffer.from('89504e470d0a1a0a', 'hex');
    const base64 = png.toString('base64');
    const drawing =
      '<w:p><w:r><w:drawing><wp:docPr id="1" name="x" descr="A [chart]"/><a:blip r:embed="rId1"/></w:drawing></w:r></w:p>';
    const word = docx(`${paragraph('before')}${drawing}${paragraph('after')}${drawing}`, {
      'word/_rels/document.xml.rels':
        '<Relationships><Relationship Id="rId1" Target="media/image7.png"/></Relationships>',
      'word/media/image7.png': png,
    });
    const image = (name: string) => [{ name, bytes: new Uint8Array(png) }];
    const plain = ({ images = [], ...rest }: Awaited<ReturnType<typeof extractText>>) => ({
      ...rest,
      images: images.map(({ name, bytes: content }) => ({ name, bytes: new Uint8Array(content) })),
    });
    const shown = '![A \\[chart\\]](a.docx.image1.png)';
    expect(plain(await extractText(word, 'a.docx'))).toEqual({
      format: 'docx',
      text: `before\n\n${shown}\n\nafter\n\n${shown}\n`,
      images: image('a.docx.image1.png'),
    });
    const page = `<p>x <img src="data:image/png;base64,${base64}" alt="y"></p><img src="beside.png">`;
    expect(plain(await extractText(bytes(page), 'a.html'))).toEqual({
      format: 'html',
      text: 'x ![y](a.html.image1.png)\n\n![](beside.png)\n',
      images: image('a.html.image1.png'),
    });
    const notebook = {
      cells: [
        {
          cell_type: 'markdown',
          source: '![p](attachment:p.png)',
          attachments: { 'p.png': { 'image/png': base64 } },
        },
        {
          cell_type: 'code',
          source: 'plot()',
          outputs: [{ data: { 'text/plain': '<Figure>', 'image/png': base64 } }],
        },
      ],
    };
    expect(plain(await extractText(bytes(JSON.stringify(notebook)), 'a.ipynb'))).toEqual({
      format: 'ipynb',
      text: '![p](a.ipynb.image1.png)\n\n```python\nplot()\n```\n\n```text\n<Figure>\n```\n\n![](a.ipynb.image2.png)\n',
      images: [...image('a.ipynb.image1.png'), ...image('a.ipynb.image2.png')],
    });
  });

  it('D4 reads HTML nested a hundred thousand levels deep', async () => {
    expect(await textOf(bytes(`${'<b><i>'.repeat(50_000)}deep`), 'a.html')).toContain('deep');
  });

  it('D4 reads notebooks: text, code and outputs', async () => {
    const notebook = {
      cells: [
        { cell_type: 'markdown', source: ['# T\n', 'text'] },
        {
          cell_type: 'code',
          source: 'print(1)\n',
          outputs: [{ output_type: 'stream', text: ['1\n'] }, { data: { 'text/plain': 'x' } }],
        },
      ],
      metadata: { language_info: { name: 'julia' } },
      nbformat: 4,
    };
    expect(await textOf(bytes(JSON.stringify(notebook)), 'a.ipynb')).toBe(
      '# T\ntext\n\n```julia\nprint(1)\n```\n\n```text\n1\n```\n\n```text\nx\n```\n',
    );
    await expect(textOf(bytes('{'), 'a.ipynb')).rejects.toThrow('is not a notebook');
    await expect(textOf(bytes('{}'), 'a.ipynb')).rejects.toThrow('is not a notebook');
  });

  it('D4 returns text and CSV unchanged', async () => {
    expect(await extractText(bytes('a,b\r\n1,2\r\n'), 'a.csv')).toEqual({
      text: 'a,b\r\n1,2\r\n',
      format: 'csv',
    });
    expect(await extractText(bytes('naïve\n'), 'a.txt')).toEqual({ text: 'naïve\n', format: 'text' });
  });

  it('D7 reports the guessed encoding of a source that is not UTF-8', async () => {
    const polish = iconv.encode(
      'Zażółć gęślą jaźń. Wszystkie prawa zastrzeżone, proszę nie kopiować.',
      'windows-1250',
    );
    await expect(textOf(polish, 'a.txt')).rejects.toThrow(
      /a\.txt is not UTF-8; it looks like [\w-]+ \(\d+ %\)/,
    );
    expect(await textOf(iconv.encode('Łódź', 'utf-16le', { addBOM: true }), 'a.txt')).toBe('Łódź');
    const page = iconv.encode('<meta charset="windows-1250"><p>Łódź</p>', 'windows-1250');
    expect(await textOf(page, 'a.html')).toBe('Łódź\n');
    await expect(textOf(new Uint8Array([0, 1, 2, 3, 0]), 'a.bin')).rejects.toThrow('not a text file');
  });
});

describe('detectEncoding', () => {
  it('D7 detects UTF-8, byte order marks, UTF-16 and binary data', () => {
    expect(detectEncoding(bytes('plain'))).toEqual({
      encoding: 'utf-8',
      utf8: true,
      binary: false,
      confidence: 1,
    });
    expect(detectEncoding(bytes('\uFEFFü')).utf8).toBe(true);
    expect(detectEncoding(new Uint8Array())).toMatchObject({ encoding: 'utf-8', utf8: true });
    expect(detectEncoding(iconv.encode('hello', 'utf-16le', { addBOM: true })).encoding).toBe('utf-16le');
    expect(detectEncoding(iconv.encode('hello world', 'utf-16be')).encoding).toBe('utf-16be');
    expect(detectEncoding(new Uint8Array([137, 80, 78, 71, 13, 10, 26, 10, 0, 0])).binary).toBe(true);
  });

  it('D7 guesses encodings that decode to the text', () => {
    const text = 'これは日本語の文章です。文字コードの判定を試しています。';
    const encoded = iconv.encode(text, 'shift_jis');
    expect(decodeBytes(encoded, detectEncoding(encoded).encoding)).toBe(text);
    expect(
      detectEncoding(iconv.encode('Füße, Größe, Straße und Äpfel für alle Gäste.', 'latin1')).encoding,
    ).toMatch(/^(?:iso-8859-1|windows-1252)$/);
  });

  it('never throws, and returns utf8 only if the bytes decode without loss', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (data) => {
        const { utf8, encoding } = detectEncoding(data);
        if (utf8)
          expect(Buffer.from(new TextDecoder('utf-8', { ignoreBOM: true }).decode(data))).toEqual(
            Buffer.from(data),
          );
        else expect(encoding.length).toBeGreaterThan(0);
      }),
    );
  });
});
