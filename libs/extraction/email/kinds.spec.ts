import fc from 'fast-check';
import iconv from 'iconv-lite';
import { extractText } from '../extract.js';

const CRLF = '\r\n';
const HEAD = 'From: Ida Fenn <ida@example.org>\r\nSubject: Dock\r\nMIME-Version: 1.0\r\n';
const textOf = async (...parts: (string | Uint8Array)[]) =>
  (await extractText(Buffer.concat(parts.map((part) => Buffer.from(part))), 'm.eml')).text;
const part = (type: string, body: string | Uint8Array, ...headers: string[]): Buffer =>
  Buffer.concat([
    Buffer.from([`Content-Type: ${type}`, ...headers, '', ''].join(CRLF)),
    Buffer.from(body),
    Buffer.from(CRLF),
  ]);
const multi = (kind: string, boundary: string, ...parts: Uint8Array[]): Buffer =>
  Buffer.concat([
    Buffer.from(`Content-Type: multipart/${kind}; boundary=${boundary}${CRLF}${CRLF}`),
    ...parts.map((each) => Buffer.concat([Buffer.from(`--${boundary}${CRLF}`), each])),
    Buffer.from(`--${boundary}--${CRLF}`),
  ]);
const body = (text: string) => text.slice(text.indexOf('\n\n', text.indexOf('- From')) + 2);

describe('mail of every kind', () => {
  it('D4 shows the HTML of alternatives once, followed by words that only the plain text contains', async () => {
    const page = (html: string) => part('text/html; charset=utf-8', html);
    const alternatives = (plain: string, html: string) =>
      textOf(HEAD, multi('alternative', 'b', part('text/plain; charset=utf-8', plain), page(html)));
    const offer =
      '<h1>Offer 7</h1><p>Rope: <a href="https://example.org/r?a=1&amp;b=2">20 m</a> for <b>9 EUR</b></p>';
    expect(
      body(
        await alternatives('*Offer 7*\r\n\r\nRope: 20 m <https://example.org/r?a=1&b=2>\r\nfor 9 EUR', offer),
      ),
    ).toBe('## Offer 7\n\nRope: [20 m](https://example.org/r?a=1&b=2) for 9 EUR\n');
    const stub = await alternatives('Please open this in a browser.', offer);
    expect(body(stub)).toContain(
      'for 9 EUR\n\n## Only in the plain text of this message\n\nPlease open this',
    );
    const differing = await alternatives('Offer 7\r\n\r\nRope: 20 m for 8 EUR', offer);
    expect(differing).toContain('Rope: 20 m for 8 EUR');
    expect(body(await alternatives('Only here', '<html><body></body></html>'))).toBe('Only here\n');
  });

  it('D4 shows pictures of related parts in their places, once each', async () => {
    const png = Buffer.from('89504e470d0a1a0a', 'hex').toString('base64');
    const picture = part('image/png', png, 'Content-Transfer-Encoding: base64', 'Content-ID: <a@b>');
    const other = part('image/png; name=o.png', png, 'Content-Transfer-Encoding: base64', 'Content-ID: <o>');
    const page = part('text/html', '<p>x<img src="cid:a%40b"><img src=cid:a@b></p>');
    const message = multi('related', 'r', page, picture, other);
    const { text, images } = await extractText(Buffer.concat([Buffer.from(HEAD), message]), 'm.eml');
    expect(body(text)).toBe(
      'x![](m.eml.image1.png)![](m.eml.image1.png)\n\n## Attachment: o.png\n\n![o.png](m.eml.image2.png)\n',
    );
    expect(images).toHaveLength(2);
  });

  it.each([
    ['cp850', 'Größe für Jörg'],
    ['IBM-852', 'Łódź żółta'],
    ['x-mac-ce', 'Příliš žluťoučký'],
    ['x-cp437', 'Ärger'],
    ['iso-8859-2', 'Zażółć'],
    ['koi8-r', 'Причал открыт'],
    ['utf-7', 'Größe'],
    ['big5', '碼頭開放'],
  ])('D4 reads %s in a text, an attachment and a subject', async (label, words) => {
    const encoding = { 'x-mac-ce': 'maccenteuro', 'x-cp437': 'cp437' }[label] ?? label;
    const bytes = iconv.encode(words, encoding);
    const base64 = bytes.toString('base64');
    const subject = `From: a@example.org\r\nSubject: =?${label}?B?${base64}?=\r\n`;
    const text = part(`text/plain; charset=${label}`, bytes);
    const file = part(`text/csv; charset=${label}; name=a.csv`, bytes, 'Content-Disposition: attachment');
    expect(await textOf(subject, multi('mixed', 'm', text, file))).toBe(
      `# ${words}\n\n- From: a@example.org\n\n${words}\n\n## Attachment: a.csv\n\n\`\`\`csv\n${words}\n\`\`\`\n`,
    );
  });

  it('D4 reads a part whose type is incomplete as plain text', async () => {
    expect(body(await textOf(HEAD, multi('mixed', 'm', part('X-BE2; 12', 'At the pier'))))).toBe(
      'At the pier\n',
    );
  });

  it('D4 reads iso-2022-jp, and the charset that a page names', async () => {
    const japanese = Buffer.from('1b2442257322251b2842', 'hex');
    expect(body(await textOf(HEAD, part('text/plain; charset=iso-2022-jp', japanese)))).toBe('ン▲\n');
    // "~{VPND~}" and its like: two characters in pairs of seven bits.
    const hz = part('text/plain; charset=hz-gb-2312', 'a ~{VPND~} ~~b');
    expect(body(await textOf(HEAD, hz))).toBe('a 中文 \\~b\n');
    const korean = Buffer.from('1b2429430a610e4751315b0f62', 'hex');
    expect(body(await textOf(HEAD, part('text/plain; charset=ISO-2022-KR', korean)))).toBe('a한글b\n');
    const page = iconv.encode('<meta charset="windows-1251"><p>Причал</p>', 'windows-1251');
    expect(body(await textOf(HEAD, part('text/html', page)))).toBe('Причал\n');
    expect(body(await textOf(HEAD, part('text/html; charset=us-ascii', page)))).toBe('Причал\n');
  });

  it('D4 reports a guessed encoding, and accepts byte order marks', async () => {
    const text = await textOf(HEAD, part('text/plain; charset=utf-8', iconv.encode('Größe fünf', 'latin1')));
    expect(text).toContain('Größe fünf');
    expect(text).toContain(
      '<!-- left out: certainty of the encoding: the part names utf-8, which does not fit',
    );
    const file = `${HEAD}Content-Type: text/plain\r\n\r\n\uFEFFDock`;
    for (const encoding of ['utf-8', 'utf-16le'])
      expect(body(await textOf(iconv.encode(file, encoding, { addBOM: true })))).toBe('Dock\n');
    const raw = iconv.encode('From: a@example.org\r\nSubject: Größe für Österreich\r\n\r\nx', 'latin1');
    expect(await textOf(raw)).toContain('# Größe für Österreich');
  });

  it('D4 joins flowed lines within their quote (RFC 3676)', async () => {
    const flowed = (lines: string[], more = '') =>
      textOf(HEAD, part(`text/plain; format=flowed${more}`, lines.join(CRLF))).then(body);
    expect(
      await flowed([
        '> one ',
        '> two ',
        '>> deep ',
        '>> er',
        '',
        ' > no quote',
        'three ',
        'four',
        '-- ',
        'Ida',
      ]),
    ).toBe('> one two\n\n> > deep er\n\n\\> no quote\\\nthree four\\\n\\--\\\nIda\n');
    expect(await flowed(['> > a ', '> > b'])).toBe('> > a b\n');
    expect(await flowed(['桟橋 ', 'は ', '開く'], '; delsp=yes')).toBe('桟橋は開く\n');
  });

  it('D4 keeps the quote levels of plain text and HTML', async () => {
    expect(body(await textOf(HEAD, part('text/plain', 'a\r\n> b\r\n> > c\r\n>>d\r\n> e')))).toBe(
      'a\n\n> b\n\n> > c\\\n> > d\n>\n> e\n',
    );
    const quoted = '<p>a</p><blockquote><p>b</p><blockquote>c<ul><li>d</li></ul></blockquote>e</blockquote>f';
    expect(body(await textOf(HEAD, part('text/html', quoted)))).toBe(
      'a\n\n> b\n>\n> > c\n> >\n> > - d\n>\n> e\n\nf\n',
    );
  });

  it('D4 reports what it does not carry: Outlook files, words outside the parts', async () => {
    const outlook = part('application/octet-stream; name=winmail.dat', Buffer.from('789f3e220100', 'hex'));
    const message = await textOf(HEAD, multi('mixed', 'm', part('text/plain', 'Hello'), outlook), 'Footer 5');
    expect(message).toContain('Not carried (application/octet-stream, 7 bytes): Outlook');
    expect(message).toContain('<!-- left out: words after the last part of the message: Footer 5 -->');
    const broken = `${HEAD}Content-Type: multipart/mixed; boundary=x\r\n\r\nNo part 7`;
    expect(body(await textOf(broken))).toBe('No part 7\n');
    const preamble = `${HEAD}Content-Type: multipart/mixed; boundary=x\r\n\r\nOld reader?\r\n--x\r\n\r\nHello\r\n--x--`;
    expect(await textOf(preamble)).toContain(
      'left out: words between the parts of the message: Old reader? -->',
    );
  });

  it('D4 reads files that a text contains by uuencode, and keeps prose that looks like one', async () => {
    const encode = (text: string) => {
      const lines = (
        Buffer.from(text)
          .toString('latin1')
          .match(/[^]{1,45}/g) ?? []
      ).map((chunk) => {
        const base64 = Buffer.from(chunk, 'latin1').toString('base64').replaceAll('=', 'A');
        const codes = [...base64].map((digit) => {
          const at = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'.indexOf(digit);
          return String.fromCharCode(at === 0 ? 96 : at + 32);
        });
        return String.fromCharCode(32 + chunk.length) + codes.join('');
      });
      return [...lines, '`', 'end', ''].join(CRLF);
    };
    const first = await textOf(
      `${HEAD}\r\nSee below.\r\n\r\nbegin 644 berths.txt\r\n${encode('Berth C 14 is free,\nżółw too, for the whole month of May.\n')}\r\nRegards, Tom\r\n`,
    );
    expect(body(first)).toBe(
      'See below.\n\nRegards, Tom\n\n## Attachment: berths.txt\n\n```text\nBerth C 14 is free,\nżółw too, for the whole month of May.\n```\n',
    );
    const prose = 'begin 100 days\r\nTHE END\r\nand go on\r\nend';
    expect(body(await textOf(`${HEAD}\r\n${prose}`))).toContain('begin 100 days');
    await fc.assert(
      fc.asyncProperty(fc.stringMatching(/^[A-Z][A-Z a-z0-9]{0,150}$/), async (text) => {
        const mail = await textOf(`${HEAD}\r\nbegin 644 a.txt\r\n${encode(text)}`);
        expect(mail).toContain(`\`\`\`text\n${text}\n\`\`\``);
      }),
      { numRuns: 50 },
    );
  });

  it('D4 keeps every word of the plain text, for any HTML', async () => {
    const word = fc.stringMatching(/^[a-z]{1,6}[0-9]{0,2}$/);
    const line = fc.array(word, { minLength: 1, maxLength: 6 }).map((words) => words.join(' '));
    await fc.assert(
      fc.asyncProperty(
        fc.array(line, { maxLength: 5 }),
        fc.array(line, { maxLength: 5 }),
        async (plain, page) => {
          const html = page.map((each) => `<p>${each}</p>`).join('');
          const text = await textOf(
            HEAD,
            multi('alternative', 'b', part('text/plain', plain.join(CRLF)), part('text/html', html)),
          );
          for (const each of [...plain, ...page]) expect(text).toContain(each);
        },
      ),
      { numRuns: 100 },
    );
  });
});
