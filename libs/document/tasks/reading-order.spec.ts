import { readClues, readingOrder } from './reading-order.js';

const orderOf = (files: Record<string, string>) =>
  readingOrder(
    Object.keys(files),
    new Map(Object.entries(files).map(([name, text]) => [name, readClues(name, text)])),
  );

const mail = (date: string) => `# Offer\n\n- From: Ann\n- Sent: ${date}\n\nHello.\n`;

describe('62.12 the order in which sources are read', () => {
  it('is that of dates for messages and minutes of a folder, in their places', () => {
    const files = {
      'README.md': '# Since 4 March 2020\n',
      'a reply.eml': mail('Tue, 3 Mar 2026 08:00:00 -0500'),
      'app.log': '2020-01-01 10:00:00 start\n',
      'minutes.md': '# Minutes of 1 March 2026\n',
      'offer.eml': mail('Mon, 2 Mar 2026 09:12:00 +0100'),
      'other/a.eml': mail('Mon, 2 Feb 2026 09:12:00 +0100'),
    };
    expect(orderOf(files)).toEqual([
      'README.md',
      'minutes.md',
      'app.log',
      'offer.eml',
      'a reply.eml',
      'other/a.eml',
    ]);
  });

  it('keeps the numbers of names, and an order that a person has set', () => {
    const [late, early] = [mail('Tue, 3 Mar 2026 08:00:00'), mail('Mon, 2 Mar 2026 08:00:00')];
    expect(orderOf({ '1.eml': late, '2.eml': early })).toEqual(['1.eml', '2.eml']);
    expect(orderOf({ 'b.eml': late, 'a.eml': early })).toEqual(['b.eml', 'a.eml']);
  });

  it('puts code and data behind the prose that mentions them', () => {
    const files = {
      'app.py': 'x = 1\n',
      'data.csv': 'a,b\n',
      'design.md': 'The program app.py reads data.csv.\n',
      'other.py': 'y = 1\n',
      'report.md': 'See app.py.\n',
      'x/app.py': 'z = 1\n',
    };
    expect(orderOf(files)).toEqual(['design.md', 'app.py', 'data.csv', 'other.py', 'report.md', 'x/app.py']);
  });
});
