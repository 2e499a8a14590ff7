import { takeInventory } from '#inventory/take-inventory.js';
import { extractText } from '../extract.js';

/** Returns the body of a mail, of which the inventory misses nothing. */
async function read(...lines: string[]): Promise<string> {
  const bytes = new TextEncoder().encode(['From: a@example.org', 'Subject: Fee', ...lines].join('\r\n'));
  const { text } = await extractText(bytes, 'a.eml');
  expect(await takeInventory(bytes, 'a.eml', { text, encoding: null })).toMatchObject({ lost: 0 });
  return text.replace(/^# Fee\n\n- From: a@example.org\s+/, '').trimEnd();
}

describe('boundaries of mails', () => {
  const parts = (boundary: string) => [
    '',
    `--${boundary}`,
    'Content-Type: text/html; charset=iso-8859-1',
    'Content-Transfer-Encoding: quoted-printable',
    '',
    '<p>Reservation: 19 May, 5 =80</p>',
    `--${boundary}--`,
    '',
  ];

  it('D4 uses the field that names the boundary of the body, if there are several', async () => {
    const [unused, used] = [
      'Content-Type: multipart/mixed; boundary=unused',
      'Content-Type: multipart/mixed;\r\n boundary="used"',
    ];
    for (const fields of [
      [unused, used],
      [used, unused],
    ])
      expect(await read(...fields, ...parts('used'))).toBe('Reservation: 19 May, 5 €');
  });

  it.each(['text/html', 'text/plain'])('D4 reads the parts of a mail that calls itself %s', async (type) => {
    const fields = [`Content-Type: ${type};\r\n\tboundary="--NEXT_1"`, 'Content-Transfer-Encoding: base64'];
    expect(await read(...fields, ...parts('--NEXT_1'))).toBe('Reservation: 19 May, 5 €');
  });

  it('D4 keeps a text whose boundary occurs nowhere', async () => {
    expect(await read('Content-Type: text/plain; boundary=x', '', 'see --x in the text')).toBe(
      'see --x in the text',
    );
  });

  it('D4 reads parts whose boundary begins with that of the whole mail', async () => {
    const inner = ['Content-Type: multipart/alternative; boundary=used_alt', ...parts('used_alt')];
    const mail = ['Content-Type: multipart/mixed; boundary=used', '', '--used', ...inner, '--used--', ''];
    expect(await read(...mail)).toBe('Reservation: 19 May, 5 €');
  });
});

it('D4 carries senders that have no address as they are', async () => {
  const mail = 'From: nsb (Nathaniel Borenstein)\r\nSubject: Party\r\n\r\nCome.\r\n';
  const { text } = await extractText(new TextEncoder().encode(mail), 'a.eml');
  expect(text).toContain('- From: nsb (Nathaniel Borenstein)\n');
});
