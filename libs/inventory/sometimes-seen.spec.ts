import { extractText } from '#extraction/extract.js';
import { odfFile, zipFile } from '#testing/office-files.js';
import { pdfFile, wordFile } from '#testing/sample-files.js';
import { withoutRadicals } from '#contracts/radicals.js';
import { takeInventory } from './take-inventory.js';

async function account(bytes: Uint8Array, name: string) {
  const { text } = await extractText(bytes, name);
  const { entries, ...counts } = await takeInventory(bytes, name, { text, encoding: null });
  const named = entries.map(({ outcome, reason, words }) => `${outcome}, ${reason}: ${words}`);
  return { text, lost: counts.lost, named };
}

const utf8 = (text: string) => new TextEncoder().encode(text);

const relationship = (id: string, type: string, target: string) => ({
  'word/_rels/document.xml.rels': `<Relationships><Relationship Id="${id}" Type="http://x/${type}" Target="${target}"/></Relationships>`,
});

describe('words that are visible only in certain cases', () => {
  it('X1 lists placeholders, unselected entries, templates, and noscript texts', async () => {
    const html =
      '<title>Port plan</title><template><p>Row</p></template><noscript><p>Switch <b>scripts</b> on</p></noscript>' +
      '<input placeholder="Search"><input placeholder="Search"><datalist><option>Quay</datalist>' +
      '<select><optgroup label="Sides"><option>East<option label="West">w</optgroup></select>' +
      '<map><area alt="Basin"></map><img alt="Crane"><iframe srcdoc="&lt;textarea placeholder=Remark&gt;&lt;/textarea&gt;"></iframe>';
    const { text, lost, named } = await account(utf8(html), 'a.html');
    expect(lost).toBe(0);
    expect(text.replace(/<!--.*?-->\n*/g, '').trim()).toBe('# Port plan\n\nEast');
    expect(named.sort()).toEqual([
      'left_out, alternative text: Basin',
      'left_out, alternative text: Crane',
      'left_out, entries that are not chosen: West Sides',
      'left_out, placeholder: Remark',
      'left_out, placeholder: Search',
      'left_out, suggestions for a field: Quay',
      'left_out, template: Row',
      'left_out, text for browsers without scripts: Switch scripts on',
      'said_twice, the same words as elsewhere in the page: Search',
    ]);
  });

  it('X1 C11 names menus of a page with a main text', async () => {
    const menu =
      '<nav><ul><li><a href="/">Home</a></li></ul></nav><div role="navigation">Deutsch Polski</div>';
    const page = `<title>Quay - Port</title>${menu}<h1>Quay</h1><p>Open.</p>`;
    const { text, lost, named } = await account(utf8(page), 'a.html');
    expect(lost).toBe(0);
    expect(text).toMatch(/^# Quay\n\nOpen\.\n\n<!-- left out: menu: Home; Deutsch Polski -->/);
    expect(named).toContain('left_out, menu: Home');
    const languages =
      '<ul><li><a href="/de" hreflang="de">Deutsch</a></li><li><a href="/pl" hreflang="pl">Polski</a></ul>';
    const { text: translated } = await account(utf8(`<h1>Quay</h1>${languages}<ul><li>Open.</ul>`), 'a.html');
    expect(translated).toMatch(/^# Quay\n\n- Open\.\n\n<!-- left out: menu: Deutsch Polski -->/);
    const { text: index } = await account(utf8(`<title>Port</title>${menu}`), 'a.html');
    expect(index).toBe('# Port\n\n- Home\n\nDeutsch Polski\n');
  });

  it('X1 C11 names menus of a page that marks no main text', async () => {
    const list = (...names: string[]) =>
      `<ul>${names.map((name) => `<li><a href="/${name}">${name}</a></li>`).join('')}</ul>`;
    const foot = `<footer>${list('Imprint', 'Privacy')}<p>Quay Ltd</p></footer>`;
    const page = `${list('Home', 'Ships')}<h2>Quay</h2><p>Open at noon.</p>${list('Map', 'Tides')}${foot}`;
    const { text, lost } = await account(utf8(page), 'a.html');
    expect(lost).toBe(0);
    expect(text).toBe(
      '## Quay\n\nOpen at noon.\n\n- Map\n- Tides\n\nQuay Ltd\n\n<!-- left out: menu: Home Ships; Imprint Privacy -->\n',
    );
    const { text: plain } = await account(utf8('<nav>Home</nav><p>Open at noon.</p>'), 'a.html');
    expect(plain).toBe('Open at noon.\n\n<!-- left out: menu: Home -->\n');
    // A page of links has nothing else to show.
    const { text: links } = await account(utf8(list('Home', 'Ships')), 'a.html');
    expect(links).toBe('- Home\n- Ships\n');
    const contents = '<ul><li><a href="#a">Arrival</a></li><li><a href="#b">Berth</a></li></ul>';
    const { text: kept } = await account(utf8(`${contents}<h2 id="a">Arrival</h2><p>Late.</p>`), 'a.html');
    expect(kept).toContain('- Arrival\n- Berth\n');
  });

  it('X1 C11 names what is around the main text of a page, and the menus that a button opens', async () => {
    const tools =
      '<div><input type="checkbox" aria-haspopup="true"><label>154 languages</label><a href="/e">Edit</a></div>';
    const page = `<title>Quay</title><a href="#m">Skip</a><main id="m"><h1>Quay</h1>${tools}<p>Open at noon.</p></main><footer><p>Imprint</p></footer>`;
    const { text, lost } = await account(utf8(page), 'a.html');
    expect(lost).toBe(0);
    expect(text).toMatch(
      /^# Quay\n\nOpen at noon\.\n\n<!-- left out: around the main text: Skip; Imprint -->\n\n<!-- left out: menu: ☐ 154 languages ?Edit -->/,
    );
    const short = '<main><h1>Quay</h1></main><p>The quay opens at noon, also in winter.</p>';
    const { text: kept } = await account(utf8(short), 'a.html');
    expect(kept).toBe('# Quay\n\nThe quay opens at noon, also in winter.\n');
  });

  it('X1 C11 keeps tables with headings and lists in their cells as tables', async () => {
    const page =
      '<table><tr><th>Traded as</th><td><ul><li>Nasdaq: A</li><li>DJIA</li></ul></td></tr><tr><th>Founded</th><td>1975</td></tr></table>' +
      '<table><tr><td><ul><li>East</li></ul></td><td>West</td></tr></table>';
    const { text, lost } = await account(utf8(page), 'a.html');
    expect(lost).toBe(0);
    expect(text).toBe(
      '| Traded as | Nasdaq: A<br>DJIA |\n| --- | --- |\n| Founded | 1975 |\n\n- East\n\nWest\n',
    );
  });

  it('X1 compares what a terminal shows after backspaces', async () => {
    const outputs = [{ output_type: 'stream', name: 'stdout', text: 'wait -\b\\\b done 5\n' }];
    const cells = [{ cell_type: 'code', source: 'go', metadata: {}, outputs }];
    const notebook = JSON.stringify({ nbformat: 4, nbformat_minor: 5, metadata: {}, cells });
    const { text, lost } = await account(utf8(notebook), 'a.ipynb');
    expect(text).toContain('wait  done 5');
    expect(lost).toBe(0);
  });

  it('X1 reads mails in UTF-7 under its older name', async () => {
    const mail =
      'From: a@example.org\r\nSubject: s\r\nContent-Type: text/plain; charset=unicode-1-1-utf-7\r\n\r\nGr+APYA3w-e 5\r\n';
    const { text, lost } = await account(utf8(mail), 'a.eml');
    expect(text).toContain('Größe 5');
    expect(lost).toBe(0);
  });

  it('X1 lists the names and words of uuencoded files in mails', async () => {
    const mail =
      'From: a@example.org\r\nSubject: s\r\n\r\nSee below.\r\n\r\nbegin 644 plan.txt\r\n/0F5R=&@@0R Q-" U,#$*\r\n`\r\nend\r\nYours\r\n';
    const { text, lost } = await account(utf8(mail), 'a.eml');
    expect(text).toContain('plan.txt\n\n```text\nBerth C 14 501\n```');
    expect(lost).toBe(0);
  });

  it('X1 keeps neighbouring formulas of Word apart', async () => {
    const formula = (words: string) => `<m:oMath><m:r><m:t>${words}</m:t></m:r></m:oMath>`;
    const limit = `<m:oMath><m:limLow><m:e><m:r><m:t>lim</m:t></m:r></m:e><m:lim><m:r><m:t>x→0</m:t></m:r></m:lim></m:limLow></m:oMath>`;
    const speed = formula('speed').replace('<m:t>', '<m:rPr><m:nor/></m:rPr><m:t>');
    const file = wordFile(
      `<w:p xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math">${limit}${speed}</w:p>`,
    );
    expect((await account(file, 'a.docx')).lost).toBe(0);
  });

  it('X1 separates the words of adjacent form fields', async () => {
    const { text } = await account(
      utf8('<p>a<input value="b"><button>c</button><textarea>d</textarea>e'),
      'a.html',
    );
    expect(text).toBe('a b c d e\n');
  });

  it('X1 A14 lists notes, headers and names of captions; counts repeated rolling lines once', async () => {
    const vtt =
      'WEBVTT harbour\n\nNOTE checked by Ida\n\nNOTE\ntwo\nlines\n\nSTYLE\n::cue { color: red }\n\nintro\n00:01.000 --> 00:02.000\n<v Jan>The <i>ferry</i> leaves.\n\n' +
      '00:02.000 --> 00:03.000\nThe ferry leaves.\nNobody waves.\n\nstray words\n';
    const { text, lost, named } = await account(utf8(vtt), 'a.vtt');
    expect(lost).toBe(0);
    expect(text.startsWith('## 00:00:01\n\nJan: The ferry leaves. Nobody waves.\n')).toBe(true);
    expect(named).toEqual([
      'left_out, header: harbour',
      'left_out, note: checked by Ida',
      'left_out, note: two',
      'left_out, note: lines',
      'left_out, name of a caption: intro',
      'left_out, words outside captions: stray words',
      'said_twice, captions that roll repeat lines: The ferry leaves.',
    ]);
    const { lost: noticed } = await takeInventory(utf8(vtt), 'a.vtt', {
      text: 'The ferry leaves.',
      encoding: null,
    });
    expect(noticed).toBeGreaterThan(1);
  });

  it('X1 lists titles and descriptions of OpenDocument frames and shapes other than pictures', async () => {
    const body =
      '<text:p>x<draw:frame><draw:text-box><text:p>box</text:p></draw:text-box><svg:title>Plan</svg:title><svg:desc>of the quay</svg:desc></draw:frame>' +
      '<draw:rect><svg:desc>A crane</svg:desc></draw:rect><text:script>run()</text:script></text:p>';
    const { lost, named } = await account(odfFile('text', body), 'a.odt');
    expect({ lost, named: named.sort() }).toEqual({
      lost: 0,
      named: [
        'left_out, alternative text: A crane',
        'left_out, alternative text: Plan',
        'left_out, alternative text: of the quay',
      ],
    });
  });

  it('X1 lists the title of a book, and its table of contents if no page shows it', async () => {
    const items =
      '<item id="a" href="a.xhtml" media-type="application/xhtml+xml"/><item id="n" href="toc.ncx" media-type="application/x-dtbncx+xml"/>';
    const book = zipFile({
      'META-INF/container.xml': '<container><rootfiles><rootfile full-path="b.opf"/></rootfiles></container>',
      'b.opf': `<package xmlns:dc="d"><metadata><dc:title>Tides</dc:title></metadata><manifest>${items}</manifest><spine><itemref idref="a"/></spine></package>`,
      'a.xhtml': '<html><body><p>words</p></body></html>',
      'toc.ncx':
        '<ncx><navMap><navPoint><navLabel><text>First part</text></navLabel></navPoint></navMap></ncx>',
    });
    const { lost, named } = await account(book, 'a.epub');
    expect({ lost, named }).toEqual({
      lost: 0,
      named: ['left_out, table of contents: First part', 'left_out, title of the book: Tides'],
    });
  });

  it('X1 reads a mail in an unknown encoding, and RTF under another name, as displayed', async () => {
    const mail = Buffer.from(
      'From: a@example.com\r\nSubject: s\r\nContent-Type: text/plain; charset=x-none\r\n\r\nGr\xf6\xdfe',
      'latin1',
    );
    const { lost, text } = await account(mail, 'a.eml');
    expect({ lost, isRead: text.includes('Größe') }).toEqual({ lost: 0, isRead: true });
    expect(await account(utf8('{\\rtf1 one {\\b two}}'), 'a.doc')).toEqual({
      text: 'one two\n',
      lost: 0,
      named: [],
    });
  });

  it('X1 lists hidden fields of a PDF', async () => {
    const field = '/Subtype /Widget /FT /Tx /T (f) /F 2 /V (Secret) /Rect [60 400 200 420]';
    const { lost, named } = await account(pdfFile('(Shown) Tj', { annotations: [field] }), 'a.pdf');
    expect({ lost, named }).toEqual({ lost: 0, named: ['left_out, hidden field or note: Secret'] });
  });

  it('X1 counts letters whose codes have no characters', async () => {
    const named = Buffer.from(pdfFile('(de\\034ned here) Tj')).toString('latin1');
    const font = named.replace('/Encoding /WinAnsiEncoding', '/Encoding << /Differences [28 /own] >>');
    const { text } = await account(Buffer.from(font, 'latin1'), 'a.pdf');
    expect(text).toContain('letters that the file does not map to characters: 1');
  });

  it('X1 does not miss the annotation of a formula that browsers show, but its letters', async () => {
    const math =
      '<math><semantics><mi>y</mi><annotation encoding="application/x-tex">\\gamma</annotation></semantics></math>';
    const bytes = utf8(`<p>so ${math}</p>`);
    expect((await account(bytes, 'a.html')).lost).toBe(0);
    expect(await takeInventory(bytes, 'a.html', { text: 'so', encoding: null })).toMatchObject({ lost: 1 });
  });

  it('X1 reads mathematical letters whose PDF font gives them five-digit names', async () => {
    const plain = Buffer.from(pdfFile('(angle ab) Tj')).toString('latin1');
    const names = '/Encoding << /Differences [97 /u1D703 /u1D465] >>';
    const { text, lost } = await account(
      Buffer.from(plain.replace('/Encoding /WinAnsiEncoding', names).replace('(angle ab)', '(ab)'), 'latin1'),
      'a.pdf',
    );
    expect({ text, lost }).toEqual({ text: '𝜃𝑥\n', lost: 0 });
  });

  it('X1 finds letters whose accents a PDF draws separately', async () => {
    const { lost, text } = await account(
      pdfFile('(caf) Tj 0 0 Td (\\264) Tj (e) Tj 0 -20 Td (a second line) Tj'),
      'a.pdf',
    );
    expect({ lost, hasLine: text.includes('second line') }).toEqual({ lost: 0, hasLine: true });
  });

  it('X1 separates raised, lowered and distant letters of a PDF from the letters before them', async () => {
    const { text, lost } = await account(
      pdfFile('(switch) Tj 5 Ts (xy) Tj 0 Ts 0 -20 Td (8) Tj 60 0 Td (10) Tj 0 -20 Td (A) Tj -3 Ts (max) Tj'),
      'a.pdf',
    );
    const cut = text.replace(/xy/, 'x');
    const bytes = pdfFile('0 1 -1 0 300 300 Tm (8) Tj 60 0 Td (10) Tj');
    expect([lost, cut === text]).toEqual([0, false]);
    expect(await takeInventory(bytes, 'b.pdf', { text: '8 10', encoding: null })).toMatchObject({ lost: 0 });
  });

  it.each([
    ['up', '0 1 -1 0 300 300'],
    ['down', '0 -1 1 0 300 300'],
  ])('X1 joins the digits of a number in a PDF that runs %s the page', async (_, matrix) => {
    const bytes = pdfFile(`(Length of the quay) Tj ${matrix} Tm (45,00) Tj 0 -40 Td (16 08) Tj`);
    const { lost, text } = await account(bytes, 'a.pdf');
    expect({ lost, hasNumber: text.includes('45,00') }).toEqual({ lost: 0, hasNumber: true });
    const changed = text.replace('45,00', '54,00');
    expect(await takeInventory(bytes, 'a.pdf', { text: changed, encoding: null })).toMatchObject({ lost: 1 });
  });

  it('X1 counts letters of a PDF once that are each drawn with a shadow', async () => {
    const letters = [...'Marina 330'].map(
      (letter, at) => `1 0 0 1 ${50 + 9 * at} 700 Tm (${letter}) Tj 1 -1 Td (${letter}) Tj`,
    );
    const { lost, text } = await account(pdfFile(letters.join(' ')), 'a.pdf');
    expect({ lost, text: text.replace(/\s/g, '') }).toEqual({ lost: 0, text: 'Marina330' });
  });

  it('X1 counts large words of a PDF once that are drawn again with a shadow', async () => {
    const word = (x: number, y: number) => `/F1 48 Tf 1 0 0 1 ${x} ${y} Tm (Secret) Tj`;
    const { lost, text } = await account(pdfFile(`${word(52, 498)} ${word(50, 500)}`), 'a.pdf');
    expect({ lost, text }).toEqual({ lost: 0, text: 'Secret\n' });
  });

  it('X1 parts the numbers of TeX commands in a PDF', async () => {
    const { lost, text } = await account(pdfFile('(return;\\\\2\\\\6 $\\\\1\\\\6 {x}) Tj'), 'a.pdf');
    expect({ lost, hasCommand: text.includes('\\2\\6') }).toEqual({ lost: 0, hasCommand: true });
  });

  it('X1 lists the signs of Dingbats', async () => {
    const font = '<< /Type /Font /Subtype /Type1 /BaseFont /ZapfDingbats >>';
    const bytes = pdfFile('(7) Tj', { font, objects: [] });
    expect(await takeInventory(bytes, 'a.pdf', { text: '', encoding: null })).toMatchObject({ lost: 1 });
  });

  it.each(['a4', 'a11', 'a39'])(
    'X1 does not take %s for a sign of Dingbats in another font',
    async (name) => {
      const font = `<< /Type /Font /Subtype /Type1 /BaseFont /Own /Encoding << /Differences [97 /${name}] >> >>`;
      const bytes = pdfFile('(a) Tj', { font });
      expect(await takeInventory(bytes, 'a.pdf', { text: '', encoding: null })).toMatchObject({ pieces: 0 });
    },
  );

  it('X1 reads radicals of Chinese characters in a PDF as the characters', () => {
    expect(withoutRadicals('常⻅物质对⽐, ⻣架')).toBe('常见物质对比, 骨架');
  });

  it('X1 B6 reads symbols within formulas of Word, and formulas of headers with their raised letters', async () => {
    const math = 'xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math"';
    const script = (kind: string, sign: string) =>
      `<m:oMath><m:s${kind}><m:e><m:r><m:t>c</m:t></m:r></m:e><m:${kind.toLowerCase()}><m:r>${sign}</m:r></m:${kind.toLowerCase()}></m:s${kind}></m:oMath>`;
    const symbol = script('Sub', '<w:sym w:font="Symbol" w:char="F067"/>');
    const squared = script('Sup', '<m:t>2</m:t>');
    const header = `<w:hdr xmlns:w="w" ${math}><w:p><w:r><w:t>e = m</w:t></w:r>${squared}</w:p></w:hdr>`;
    const file = wordFile(
      `<w:p ${math}>${symbol}<w:r><w:t xml:space="preserve"> with </w:t></w:r>${squared}<w:r><w:t>d</w:t></w:r></w:p><w:sectPr><w:headerReference r:id="h"/></w:sectPr>`,
      { 'word/header1.xml': header, ...relationship('h', 'header', 'header1.xml') },
    );
    const { text, lost } = await account(file, 'a.docx');
    expect({ text, lost }).toEqual({
      text: '$$c_{γ}$$ with $$c^{2}$$d\n\n<!-- left out: header: e = m c² -->\n',
      lost: 0,
    });
  });
});
