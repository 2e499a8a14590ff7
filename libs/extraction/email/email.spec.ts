import fc from 'fast-check';
import { takeInventory } from '#inventory/take-inventory.js';
import { extractText, ExtractionError } from '../extract.js';

const PNG = '89504e470d0a1a0a';
const read = (lines: string[]) => extractText(new TextEncoder().encode(lines.join('\r\n')), 'mail.eml');

/** Returns a message with several parts, each given by its headers and body. */
const mixed = (head: string[], ...parts: string[][]) =>
  read([
    ...head,
    'MIME-Version: 1.0',
    'Content-Type: multipart/mixed; boundary="b"',
    '',
    ...parts.flatMap((part) => ['--b', ...part]),
    '--b--',
    '',
  ]);

/** Headers and body of a picture that is attached. */
const picture = (type: string, header: string): string[] => [
  `Content-Type: ${type}`,
  'Content-Transfer-Encoding: base64',
  header,
  '',
  Buffer.from(PNG, 'hex').toString('base64'),
];

const HEAD = [
  'From: =?UTF-8?Q?Zo=C3=AB?= Lind <zoe@example.org>',
  'To: Ann <ann@example.org>, bo@example.org',
  'Date: Tue, 3 Mar 2026 10:12:00 +0100',
  'Subject: =?UTF-8?B?UmF0ZXMgKm5ldyo=?=',
];

describe('emailText', () => {
  it('D4 decodes headers and plain text: quotes, wrapped paragraphs, lines, text aligned with blanks', async () => {
    const body = [
      'Hi Ann =E2=80=93 the rates that we talked about on the phone yesterday are th=',
      'ese',
      'below.',
      '',
      'Route     Price',
      'north        10',
      '',
      '> Which rates?',
      '>',
      '>> All of them, <please>.',
      '',
      'Best',
      'Zo=C3=AB',
    ];
    const message = [...HEAD, 'Content-Type: text/plain; charset=utf-8'];
    expect(await read([...message, 'Content-Transfer-Encoding: quoted-printable', '', ...body])).toEqual({
      format: 'eml',
      text: [
        '# Rates \\*new\\*',
        '',
        '- From: Zoë Lind \\<zoe@example.org>',
        '- To: Ann \\<ann@example.org>, bo@example.org',
        '- Sent: Tue, 3 Mar 2026 10:12:00 +0100',
        '',
        'Hi Ann – the rates that we talked about on the phone yesterday are these',
        'below.',
        '',
        '```text',
        'Route     Price',
        'north        10',
        '```',
        '',
        '> Which rates?',
        '',
        '> > All of them, \\<please>.',
        '',
        'Best\\',
        'Zoë',
        '',
      ].join('\n'),
    });
  });

  it('D4 carries attachments below their names: text, documents, pictures, messages; reports others with the reason', async () => {
    const { text, images } = await mixed(
      HEAD,
      ['Content-Type: text/plain', '', 'See below.'],
      [
        'Content-Type: text/csv; name="a.csv"',
        'Content-Disposition: attachment; filename="a.csv"',
        '',
        'a,b',
      ],
      ['Content-Disposition: attachment; filename="n.md"', '', '# Title', '', '```', '# code', '```'],
      picture('image/png', 'Content-Disposition: attachment; filename="shot.png"'),
      [
        'Content-Type: application/zip',
        'Content-Transfer-Encoding: base64',
        'Content-Disposition: attachment; filename="x.zip"',
        '',
        'UEsDBA==',
      ],
      ['Content-Type: message/rfc822', '', 'From: c@example.org', 'Subject: Inner', '', 'Inside.'],
    );
    const after = text.slice(text.indexOf('See below.'));
    expect(after).toBe(
      [
        'See below.',
        '',
        '## Attachment: a.csv',
        '',
        '```csv',
        'a,b',
        '```',
        '',
        '## Attachment: n.md',
        '',
        '### Title',
        '',
        '```',
        '# code',
        '```',
        '',
        '## Attachment: shot.png',
        '',
        '![shot.png](mail.eml.image1.png)',
        '',
        '## Attachment: x.zip',
        '',
        'Not carried: it is neither text nor a picture (application/zip, 4 bytes).',
        '',
        '## Attachment: unnamed.eml',
        '',
        '### Inner',
        '',
        '- From: c@example.org',
        '',
        'Inside.',
        '',
      ].join('\n'),
    );
    expect(images?.map(({ name }) => name)).toEqual(['mail.eml.image1.png']);
  });

  it('D4 reads the HTML of a message without plain text, with its pictures in their places', async () => {
    const { text, images } = await mixed(
      HEAD,
      ['Content-Type: text/html', '', '<h1>News</h1><p>One <b>two</b></p><img src="cid:p1" alt="P">'],
      picture('image/png; name="p.png"', 'Content-ID: <p1>'),
    );
    expect(text.slice(text.indexOf('## News'))).toBe('## News\n\nOne two\n\n![P](mail.eml.image1.png)\n');
    expect(images).toHaveLength(1);
  });

  it('D4 rejects files that are not messages', async () => {
    await expect(read(['just words', 'of no message'])).rejects.toThrow(ExtractionError);
  });
});

describe('encoded words of a mail', () => {
  it('D4 X1 are read as one where programs split a character between them', async () => {
    const words = fc
      .tuple(
        fc.stringMatching(/^[a-zżółłódźüß]{2,20}$/),
        fc.array(fc.nat(30), { maxLength: 3 }),
        fc.boolean(),
      )
      .map(([text, cuts, isQuoted]) => {
        const bytes = Buffer.from(text);
        const ends = [...new Set(cuts.map((cut) => 1 + (cut % bytes.length))), bytes.length].sort(
          (a, b) => a - b,
        );
        const parts = ends.map((end, at) => bytes.subarray(ends[at - 1] ?? 0, end));
        const word = (part: Buffer) =>
          isQuoted
            ? `=?utf-8?Q?${[...part].map((byte) => `=${byte.toString(16).toUpperCase().padStart(2, '0')}`).join('')}?=`
            : `=?UTF-8?B?${part.toString('base64')}?=`;
        return {
          text,
          header: parts
            .filter(({ length }) => length > 0)
            .map(word)
            .join('\r\n '),
        };
      });
    await fc.assert(
      fc.asyncProperty(words, async ({ text, header }) => {
        const bytes = Buffer.from(`From: a@example.org\r\nSubject: Re: ${header}\r\n\r\nPay.\r\n`);
        const extracted = await extractText(bytes, 'a.eml');
        expect(extracted.text).toContain(`# Re: ${text}\n`);
        const { lost } = await takeInventory(bytes, 'a.eml', { text: extracted.text, encoding: null });
        expect(lost).toBe(0);
      }),
    );
  });
});
