import { takeInventory } from '#inventory/take-inventory.js';
import { extractText } from '../extract.js';

/** Returns the text of a page; fails if the inventory finds missing words. */
async function read(page: string | Uint8Array, name = 'a.html'): Promise<string> {
  const bytes = typeof page === 'string' ? new TextEncoder().encode(page) : page;
  const { text, encoding } = await extractText(bytes, name);
  const { lost } = await takeInventory(bytes, name, { text, encoding: encoding ?? null });
  expect(lost).toBe(0);
  return text.trimEnd();
}

describe('styles of HTML pages', () => {
  it.each([
    ['<p>10<span style="font-size:60%; vertical-align: super">5</span> h</p>', '10⁵ h'],
    ['<style>.c3{color:red;vertical-align:sub}</style><p>CO<span class="c1 c3">2</span>', 'CO₂'],
    [
      '<style>span.old, p.gone{text-decoration:line-through}</style><p><span class=old>64</span> 69',
      '~~64~~ 69',
    ],
    ['<p style="text-decoration-line: line-through">a clause</p><p>kept', '~~a clause~~\n\nkept'],
    ['<style>sup{vertical-align:super}</style><p>10<sup><a style="vertical-align:super">2</a></sup>', '10²'],
    ['<style>@media print{.x{vertical-align:super}} .y{}</style><p>10<b class=x>2</b>', '102'],
    ['<style>.x{vertical-align:super} .x{vertical-align:baseline}</style><p>10<b class=x>2</b>', '102'],
    ['<style>.a .x{vertical-align:super}</style><p class=a>10<b class=x>2</b>', '102'],
    [
      '<p style="white-space:pre-line">one\n  two<b style="white-space:normal">\nthree</b>',
      'one\\\ntwo three',
    ],
    [
      '<table><tr><td style="white-space: pre-wrap">9 Quay\nDock<td>b</table>',
      '| 9 Quay<br>Dock | b |\n| --- | --- |',
    ],
  ])('D4 applies what styles change: %s', async (page, text) => {
    expect(await read(page)).toBe(text);
  });

  const items = '<li>x<li>y';
  const google =
    '.lst-1>li:before{content:"" counter(lst-ctn-1,lower-latin) ". "} ol.lst-1{list-style-type:none}';
  it.each([
    [`<ol style="list-style-type: lower-alpha">${items}</ol>`, '- a\\. x\n- b\\. y'],
    [
      `<style>ol.r{list-style:upper-roman inside}</style><ol class=r start=4>${items}</ol>`,
      '- IV\\. x\n- V\\. y',
    ],
    [`<ol style="list-style:decimal-leading-zero">${items}</ol>`, '- 01\\. x\n- 02\\. y'],
    [`<ol style="list-style-type: lower-greek">${items}</ol>`, '- α\\. x\n- β\\. y'],
    [`<ul style="list-style-type: decimal">${items}</ul>`, '1. x\n2. y'],
    [`<style>.plain{list-style:none}</style><ol class=plain>${items}</ol>`, '- x\n- y'],
    [`<style>ol,ul{list-style:none}</style><ol>${items}</ol>`, '1. x\n2. y'],
    [`<style>${google}</style><ol class="c1 lst-1">${items}</ol>`, '- a\\. x\n- b\\. y'],
  ])('D4 numbers lists according to styles: %s', async (page, text) => {
    expect(await read(page)).toBe(text);
  });

  it('D4 ends spans of rows at the end of a group, and counts rows without cells', async () => {
    const table =
      '<table><thead><tr><th rowspan=5>Berth<th>Fee</thead><tbody><tr><td rowspan=0>A<td>1<tr><td>2<tbody>' +
      '<tr><td rowspan=2>B<td>3<tr></tr><tr><td>C<td>4</table>';
    expect(await read(table)).toBe(
      '| Berth | Fee |\n| --- | --- |\n| A | 1 |\n|  | 2 |\n| B | 3 |\n| C | 4 |',
    );
  });
});

describe('links, formulas and encodings of HTML pages', () => {
  it.each([
    [
      '<a href="https://example.com/pay"><img src=b.png alt="Pay now"></a>',
      '[![Pay now](b.png)](https://example.com/pay)',
    ],
    ['<a href="https://example.com/b.png"><img src=s.png alt=Yard></a>', '![Yard](s.png)'],
    ['<a href="//example.com/pay">Pay</a>', '[Pay](https://example.com/pay)'],
    ['<a href="tel:+4512345">Call us</a>', 'Call us (+4512345)'],
    ['<a href="tel:+4512345">012 345</a>', '012 345'],
  ])('D4 keeps the target of a link: %s', async (page, text) => {
    expect(await read(page)).toBe(text);
  });

  it('D4 accounts for numbers before and above the letters of a formula', async () => {
    const formula =
      '<math><mmultiscripts><mi>C</mi><mn>6</mn><none/><mprescripts/><none/><mn>14</mn></mmultiscripts>' +
      '<mover><mi>x</mi><mo>¯</mo></mover></math><svg><title>Plan</title><text>Quay 5</text></svg>';
    expect(await read(`<title>Page</title><p>${formula}`)).toContain('$${}^{14}C_{6}\\overline{x}$$');
  });

  it('D4 reads the encoding of an XML declaration', async () => {
    const page = Buffer.from(
      '<?xml version="1.0" encoding="ISO-8859-2"?><html><p>\xa3\xf3d\xbc</p></html>',
      'latin1',
    );
    expect(await read(page, 'a.xhtml')).toBe('Łódź');
  });
});
