import fc from 'fast-check';
import { missingText, shownText, type WantedLine } from './missing-text.js';

const lines = (...texts: string[]): WantedLine[] =>
  texts.map((text, index) => ({ source: 's', line: index + 1, text, moves: false }));
const lost = (wanted: WantedLine[], shown: string[]) =>
  missingText(wanted, shown).map(({ line, missing }) => `${line} ${missing}`);

describe('missingText', () => {
  it.each<[string, string[], string[], string[]]>([
    ['words that are gone', ['Run foo <file> now', 'b'], ['Run foo  now b'], ['1 <file>']],
    ['marks that are gone', ['Keep *this* and 2*3*4'], ['Keep this and 234'], ['1 *this* 2*3*4']],
    ['a line that is gone', ['one', 'two', 'three'], ['one', 'three'], ['2 two']],
    ['one of two equal lines', ['}', 'a', '}'], ['}', 'a'], ['3 }']],
    ['lines in another order', ['one two', 'three four five'], ['three four five', 'one two'], ['1 one two']],
    ['a digit', ['10 000 EUR'], ['10 00 EUR'], ['1 000']],
  ])('X1 finds %s', (_, wanted, shown, expected) => {
    expect(lost(lines(...wanted), shown)).toEqual(expected);
  });

  it.each<[string, string[], string[]]>([
    ['wrapped lines', ['one two', 'three'], ['one two three']],
    ['words joined and parted', ['a b c', 'longword'], ['ab c', 'long', 'word']],
    ['more words than wanted', ['a', 'b'], ['Title', 'a', 'between', 'b', 'end']],
    ['the marks of lists', ['- one', '* two'], ['• one', '• two']],
    ['what XML cannot hold', ['a\u001b[1m \u0000'], ['a\u241b[1m \ufffd']],
  ])('X1 accepts %s', (_, wanted, shown) => {
    expect(lost(lines(...wanted), shown)).toEqual([]);
  });

  it('X1 accepts the same characters with any white space between them', () => {
    const word = fc.constantFrom('a', 'b', 'ab', '>', 'x>', '<x', '\\', '-', '*', '1.');
    const rows = fc.array(fc.array(word, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 5 });
    const partings = fc.array(fc.constantFrom(' ', '\n', '', ''), { minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(rows, partings, (own, parting) => {
        const characters = [...own.flat().join('')];
        const shown = characters.map((char, index) => char + parting[index % parting.length]).join('');
        expect(lost(lines(...own.map((row) => row.join(' '))), [...shown.split('\n'), 'end'])).toEqual([]);
      }),
      {
        numRuns: 500,
        examples: [
          [
            [['<x>'], ['>', '\\'], ['\\']],
            ['', '\n', ' ', ' ', ' '],
          ],
        ],
      },
    );
  });

  it('X1 accepts brackets around the address of a file, and no other brackets', () => {
    const piece = fc.constantFrom('a', 'b', 'x,', '.', '(b)', ')', '(', ' ');
    const rows = fc.array(fc.array(piece, { minLength: 1, maxLength: 5 }), { minLength: 1, maxLength: 4 });
    const address = fc.constantFrom('a.md', './a (b).md', 'LICENSE');
    const read = (texts: string[], shown: string[], addresses: string[]) =>
      missingText(lines(...texts, 'end'), ['Title', ...shown, 'end'], { addresses });
    fc.assert(
      fc.property(rows, fc.nat(), address, (own, place, told) => {
        const texts = own.map((row) => `a${row.join('')}`);
        const row = place % own.length;
        const cut = 1 + (place % texts[row]!.length);
        const shown = texts.with(row, `${texts[row]!.slice(0, cut)} (${told})${texts[row]!.slice(cut)}`);
        expect(read(texts, shown, [told, 'other.md'])).toEqual([]);
      }),
      { numRuns: 500 },
    );
    expect(read(['words.'], ['words (not an address).'], ['a.md'])).toHaveLength(1);
  });

  it('X1 finds notes around the addresses of files', () => {
    const note = { source: 's', line: 2, text: 'See this, and that.', moves: true };
    const shown = ['a', 'b', 'See this (a.md), and that (b.md).'];
    const { missing, textOf } = shownText([...lines('a'), note, ...lines('b')], shown, {
      addresses: ['a.md', 'b.md'],
    });
    expect([missing, textOf(1)]).toEqual([[], shown[2]]);
  });

  it('X1 finds any removed line between unchanged lines', () => {
    const text = fc.array(fc.constantFrom('a', 'b c', '}', 'd'), { minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(text, fc.nat(), fc.boolean(), (rows, at, isTitled) => {
        const shown = isTitled ? ['Title', ...rows] : rows;
        expect(lost(lines(...rows), shown)).toEqual([]);
        const taken = at % rows.length;
        const [gone, ...more] = missingText(lines(...rows), rows.toSpliced(taken, 1));
        expect([gone?.missing, more]).toEqual([rows[taken], []]);
      }),
    );
  });

  it('X1 accepts notes and captions at any position', () => {
    const note = { source: 's', line: 1, text: 'a note', moves: true };
    expect(lost([note, ...lines('text')], ['text', '1 a note'])).toEqual([]);
    expect(lost([note, ...lines('text')], ['text'])).toEqual(['1 a note']);
    expect(lost([note, ...lines('note')], ['note', '1 a note'])).toEqual([]);
  });

  it('X1 finds any removed word, and nothing without a removal', () => {
    const word = fc.constantFrom('a', 'bb', 'a.b', '*x*', '<t>', '1', '}', 'zażółć');
    const text = fc.array(fc.array(word, { minLength: 1, maxLength: 5 }), { minLength: 1, maxLength: 10 });
    fc.assert(
      fc.property(text, fc.nat(), (rows, at) => {
        const wanted = lines(...rows.map((row) => row.join(' ')));
        expect(lost(wanted, [rows.flat().join(' ')])).toEqual([]);
        const without = rows.flat();
        without.splice(at % without.length, 1);
        const found = missingText(wanted, [without.join(' ')]);
        expect(found.length).toBeGreaterThan(0);
      }),
    );
  });
});

describe('shownText', () => {
  const placesOf = (wanted: WantedLine[], shown: string[]) => {
    const { places, textOf } = shownText(wanted, shown);
    return wanted.map((_, index) => `${places[index]}: ${textOf(index)}`);
  };

  it.each<[string, string[], string[], string[]]>([
    ['equal lines', ['a', '  b', 'c'], ['Title', 'a', '  b', 'c'], ['1: a', '2:   b', '3: c']],
    ['lines that were joined', ['one two', 'three'], ['x', 'one two three'], ['1: one two', '1: three']],
    ['a row by its cells', ['| a | b c |', 'd'], ['a', 'b c', 'd'], ['0: a b c', '2: d']],
    ['marks that became others', ['- one', 'two 3'], ['• one', 'two 3'], ['0: • one', '1: two 3']],
    ['words joined and parted', ['a b c', 'longword'], ['ab c', 'long', 'word'], ['0: ab c', '1: long word']],
    ['a line that is lost', ['one', 'two', 'three'], ['one', 'three'], ['0: one', '-1: ', '1: three']],
  ])('X1 returns the positions of %s', (_, wanted, shown, expected) => {
    expect(placesOf(lines(...wanted), shown)).toEqual(expected);
  });

  it('X1 returns the position of a note', () => {
    const note = { source: 's', line: 1, text: 'a note', moves: true };
    expect(placesOf([note, ...lines('text')], ['text', '1 a note'])).toEqual(['1: a note', '0: text']);
  });

  it('X1 returns the shown lines for any lines in order', () => {
    const row = fc.constantFrom('a', 'b c', '}', 'd');
    fc.assert(
      fc.property(fc.array(row, { minLength: 1, maxLength: 12 }), fc.array(row), (rows, between) => {
        const shown = rows.flatMap((text, index) => [
          text,
          ...between.slice(index, index + 1).map(() => 'x'),
        ]);
        const { places, textOf } = shownText(lines(...rows), shown);
        expect(rows.map((_, index) => shown[places[index]!])).toEqual(rows);
        expect(rows.map((_, index) => textOf(index))).toEqual(rows);
      }),
    );
  });
});
