import fc from 'fast-check';
import iconv from 'iconv-lite';
import { EmbeddedImages } from '../embedded-images.js';
import { extractText } from '../extract.js';
import { htmlText } from './html.js';

const read = (html: string) => htmlText(html, new EmbeddedImages('a.html')).trimEnd();

describe('htmlText', () => {
  it.each([
    ['10<sup>5</sup> h, 2<sup>-64</sup>, x<sub>12</sub>, CO<sub>2</sub>', '10⁵ h, 2⁻⁶⁴, x₁₂, CO₂'],
    ['a<sup>x+1</sup> b<sub>max</sub>', 'a<sup>x+1</sup> b<sub>max</sub>'],
    ['the 3<sup>rd</sup> note<sup><a href="#n1">1</a></sup>', 'the 3<sup>rd</sup> note¹'],
    ['Boat<sup><a href="#n15">[15]</a></sup>', 'Boat<sup>\\[15]</sup>'],
    ['e<sup>x<sub>max</sub></sup>', 'e<sup>x_max</sup>'],
    ['<del>640</del> <s>old text </s>690', '~~640~~ ~~old text~~ 690'],
    ['He said <q>no</q>.', 'He said “no”.'],
    ['<ruby>京都<rp>(</rp><rt>きょうと</rt><rp>)</rp></ruby>へ', '京都(きょうと)へ'],
    ['Ida<br>9 Quay Row<br><br>Northport', 'Ida\\\n9 Quay Row\n\nNorthport'],
  ])('D4 preserves formatting that changes the meaning of text: %s', (html, text) => {
    expect(read(`<p>${html}</p>`)).toBe(text);
  });

  it.each([
    ['<a href="https://example.com/pay">click [here]</a>', '[click \\[here\\]](https://example.com/pay)'],
    ['<a href="https://example.com/a (b)">x</a>', '[x](<https://example.com/a (b)>)'],
    ['<a href="mailto:ida@example.com">ida@example.com</a>', 'ida@example.com'],
    ['<a href="https://example.com/">example.com</a>', 'example.com'],
    ['<a href="#part">see below</a> <a href="b.html">b</a> <a href="javascript:x()">c</a>', 'see below b c'],
    ['<a href="https://example.com"><img src="p.png" alt="P"></a>', '[![P](p.png)](https://example.com)'],
  ])('D4 keeps the addresses of links: %s', (html, text) => {
    expect(read(`<p>${html}</p>`)).toBe(text);
  });

  it.each([
    ['<mfrac><mn>1</mn><mn>2</mn></mfrac>', '\\frac{1}{2}'],
    ['<msup><mn>10</mn><mrow><mo>−</mo><mn>4</mn></mrow></msup>', '10^{−4}'],
    [
      '<mfrac><mrow><mi>a</mi><mo>+</mo><mi>b</mi></mrow><msqrt><mi>c</mi></msqrt></mfrac>',
      '\\frac{a+b}{\\sqrt{c}}',
    ],
    ['<mroot><mi>x</mi><mn>3</mn></mroot>', '\\sqrt[3]{x}'],
    ['<mlongdiv><mn>3</mn><mn>435.3</mn><mn>1306</mn></mlongdiv>', '3\\ 435.3\\ 1306'],
    ['<mlongdiv><mn>15</mn><msline length="2"/><mn>1.0</mn></mlongdiv>', '15\\ 1.0'],
    [
      '<munderover><mo>∑</mo><mrow><mi>i</mi><mo>=</mo><mn>1</mn></mrow><mi>n</mi></munderover><mi>i</mi>',
      '\\sum_{i=1}^{n}i',
    ],
    ['<semantics><mi>W</mi><annotation encoding="application/x-tex">W</annotation></semantics>', 'W'],
    ['<mi>sin</mi><mo>&#x2061;</mo><mi>α</mi>', '\\sin α'],
    ['<munder><mi>lim</mi><mrow><mi>n</mi><mo>→</mo><mn>0</mn></mrow></munder><mi>x</mi>', '\\lim_{n→0}x'],
    ['<mover><mi>x</mi><mo>^</mo></mover><mover><mi>y</mi><mo>¯</mo></mover>', '\\hat{x}\\overline{y}'],
    ['<mfenced open="[" separators=";"><mi>a</mi><mi>b</mi></mfenced>', '\\left[a;b\\right)'],
    [
      '<mtable><mtr><mtd><mn>1</mn></mtd><mtd><mn>2</mn></mtd></mtr><mtr><mtd><mn>3</mn></mtd><mtd><mn>4</mn></mtd></mtr></mtable>',
      '\\begin{matrix}1 & 2 \\\\ 3 & 4\\end{matrix}',
    ],
    ['<msubsup><mi>x</mi><mn>1</mn><mn>2</mn></msubsup><mtext> if 5 %</mtext>', 'x_{1}^{2}\\text{ if 5 \\%}'],
    [
      '<mmultiscripts><mi>C</mi><mn>6</mn><none/><mprescripts/><none/><mn>14</mn></mmultiscripts>',
      '{}^{14}C_{6}',
    ],
  ])('D4 reads the formula %s as TeX', (math, tex) => {
    expect(read(`<p>a <math>${math}</math> b</p>`)).toBe(`a $$${tex}$$ b`);
  });

  it.each([
    ['<mfrac><mrow><mi>a</mi><mo>+</mo><mi>b</mi></mrow><mtext>$</mtext></mfrac>', '(a+b)/($)'],
    ['<msup><mn>10</mn><mn>4</mn></msup><menclose notation="circle"><mi>c</mi></menclose>', '10⁴c'],
  ])('D4 reads a formula that TeX cannot express as text: %s', (math, text) => {
    expect(read(`<p><math>${math}</math></p>`).replaceAll(/\s/g, '')).toBe(text);
  });

  it('D4 separates formulas from each other and from adjacent dollar signs', () => {
    const x = '<math><mi>x</mi></math>';
    expect(read(`<p>${x}${x} 5 $${x}$6</p>`)).toBe('$$x$$ $$x$$ 5 \\$$$x$$\\$6');
    expect(read(`<table><tr><td>${x}|<math><mo>|</mo></math></td></tr></table>`)).toBe(
      '| $$x$$\\|$$\\vert$$ |\n| --- |',
    );
  });

  it('D4 reads a formula of KaTeX once', () => {
    const mathml = '<span class="katex-mathml"><math><mi>W</mi><mo>=</mo><mi>P</mi></math></span>';
    const shown = '<span class="katex-html" aria-hidden="true"><span>W=P</span></span>';
    expect(read(`<p>It holds that <span class="katex">${mathml}${shown}</span>.</p>`)).toBe(
      'It holds that $$W=P$$.',
    );
  });

  it('D4 keeps every cell below its header if cells span rows and columns', () => {
    const table =
      '<table><tr><th colspan="2">A</th><th>B</th></tr><tr><td rowspan="2">1</td><td>2</td><td>3</td></tr>' +
      '<tr><td>4</td><td>5</td></tr><tr><td>6</td><td>7</td><td>8</td></tr></table>';
    expect(read(table).split('\n')).toEqual([
      '| A |  | B |',
      '| --- | --- | --- |',
      '| 1 | 2 | 3 |',
      '|  | 4 | 5 |',
      '| 6 | 7 | 8 |',
    ]);
    const huge = `<table>${'<tr><td colspan="1000" rowspan="1000">x</td></tr>'.repeat(50)}</table>`;
    expect(read(huge).length).toBeLessThan(1_000);
  });

  it('D4 reads layout tables as text', () => {
    const page =
      '<table><tr><td><h2>Left</h2><p>words</p></td><td><ul><li>one</li></ul>' +
      '<table><tr><th>k</th></tr><tr><td>v</td></tr></table></td></tr></table>';
    expect(read(page)).toBe('## Left\n\nwords\n\n- one\n\n| k |\n| --- |\n| v |');
    expect(read('<table role="presentation"><tr><td>a</td><td>b</td></tr></table>')).toBe('a\n\nb');
  });

  it('D4 numbers lists as a browser does', () => {
    expect(read('<ol><li>a</li><li value="50">b</li><li>c</li></ol>')).toBe(
      '1. a\n\n<!-- -->\n\n50. b\n51. c',
    );
    expect(read('<ol reversed><li>a</li><li>b</li></ol>')).toBe('2. a\n\n<!-- -->\n\n1. b');
    expect(
      read('<ol type="a" start="27"><li>x</li></ol><ol type="I"><li>y</li><li value="1994">z</li></ol>'),
    ).toBe('- aa\\. x\n- I\\. y\n- MCMXCIV\\. z');
  });

  it('D4 restarts the numbers in each list', () => {
    expect(read('<ol><li>a<ol><li>b</li></ol></li></ol><ol><li>c</li></ol>')).toBe(
      '1. a\n   1. b\n\n<!-- -->\n\n1. c',
    );
  });

  it('D4 keeps the level of items after a paragraph within an item, and keeps text after empty elements plain', () => {
    const list = '<ul><li>1<p>about</p><ul><li>1.1</li><li>1.2</li></ul></li><li>2</li></ul>';
    expect(read(list)).toBe('- 1\n\n  about\n  - 1.1\n  - 1.2\n- 2');
    expect(read('<h2></h2><p>plain</p><ul><li>one</li><li></li></ul><p>also plain</p>')).toBe(
      'plain\n\n- one\n\nalso plain',
    );
  });

  it('D4 shows what a form displays', () => {
    const form =
      '<p>Name: <input value="Ida"> <input type="hidden" value="secret"><input type="password" value="pw"></p>' +
      '<p><input type="checkbox" checked> insured <input type="radio"> gift</p>' +
      '<p><select><option>Standard<option selected>Express</select> <textarea>ring twice</textarea></p>' +
      '<p><select><option>first<option>second</select></p>';
    expect(read(form)).toBe(
      'Name: Ida\n\n☒ insured ☐ gift\n\nExpress ring twice\n\nfirst\n\n<!-- left out: entries that are not chosen: Standard; second -->',
    );
  });

  it('D4 reads frames with inline text, and pictures that load lazily', () => {
    expect(
      read('<iframe srcdoc="&lt;p&gt;inside&lt;/p&gt;"></iframe><iframe src="x"></iframe><p>after</p>'),
    ).toBe('inside\n\nafter');
    expect(
      read('<img src="data:image/gif;base64,AAAA" data-src="late.png" alt="L"><img data-src="b.png">'),
    ).toBe('![L](late.png)![](b.png)');
  });

  it('D7 reads labels of encodings as browsers do', async () => {
    const page = '<meta charset="iso-8859-1"><p>“won’t” costs 7 €</p>';
    const { text } = await extractText(iconv.encode(page, 'windows-1252'), 'a.html');
    expect(text).toBe('“won’t” costs 7 €\n');
  });

  /** Random pages whose text nodes are unique words. */
  const word = fc.nat({ max: 999_999 }).map((n) => `w${n}w`);
  const { node } = fc.letrec<{ node: string }>((tie) => ({
    node: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      word.map((text) => `${text} `),
      fc
        .tuple(
          fc.constantFrom(
            ...'p div b a sup sub del q ul ol li h1 h3 table tr td th blockquote pre ruby rt span form dl dd br'.split(
              ' ',
            ),
          ),
          fc.array(tie('node'), { maxLength: 4 }),
        )
        .map(([tag, children]) => (tag === 'br' ? '<br>' : `<${tag}>${children.join('')}</${tag}>`)),
    ),
  }));

  it('X1 loses no word of any page', () => {
    fc.assert(
      fc.property(fc.array(node, { maxLength: 6 }), (nodes) => {
        const html = nodes.join('');
        const words = html.replace(/<[^>]*>/g, '').match(/w\d+w/g) ?? [];
        const text = read(html);
        for (const each of words) expect(text).toContain(each);
      }),
    );
  });
});
