import fc from 'fast-check';
import { pagesMarkdown } from './markdown.js';
import type { DrawnPage, DrawnPiece } from './page.js';

const LETTER = 5;

interface Text {
  lines: string[];
  x: number;
  /** Baseline of the first line. */
  y: number;
  size?: number;
  leading?: number;
}

/** Pieces of lines below each other; each letter is half as wide as its size. */
const text = ({ lines, x, y, size = 10, leading = size * 1.25 }: Text): DrawnPiece[] =>
  lines.map((line, at) => {
    const width = (line.length * size) / 2;
    return { text: line, x, y: y - at * leading, size, width, degrees: 0, bold: false };
  });
const page = (...parts: DrawnPiece[][]): DrawnPage => ({ width: 595, height: 842, pieces: parts.flat() });
/** Lines of equal length whose words name their column. */
const filler = (name: string, count: number, letters = 40): string[] =>
  Array.from({ length: count }, (_, at) =>
    `${name}${at} `.padEnd(letters, `${name} so on `).trimEnd().padEnd(letters, 'o'),
  );
const oneLine = (pages: DrawnPage[]): string => pagesMarkdown(pages).replace(/\s+/g, ' ').trim();
/** Expects the texts in this order, each as a whole. */
function expectOrder(pages: DrawnPage[], ...texts: string[][]): void {
  const found = oneLine(pages);
  expect(texts.map((lines) => found.indexOf(lines.join(' ')))).not.toContain(-1);
  const places = texts.map((lines) => found.indexOf(lines.join(' ')));
  expect([...places].sort((a, b) => a - b)).toEqual(places);
}

describe('reading order of a PDF page', () => {
  const [left, middle, right] = [filler('l', 12), filler('m', 12), filler('r', 12)];
  const below = filler('b', 3, 85);

  it.each([8, 10, 14, 24])('X1 reads two columns one after the other at a gutter of %s points', (gutter) => {
    const x = 54 + 40 * LETTER + gutter;
    expectOrder([page(text({ lines: left, x: 54, y: 700 }), text({ lines: right, x, y: 700 }))], left, right);
  });

  it('X1 reads columns of which one begins with a table of many small cells', () => {
    const [prose, beside] = [filler('p', 30), filler('q', 14)];
    const cells = [0, 1, 2, 3, 4, 5].map((column) =>
      text({
        lines: Array.from({ length: 10 }, (_, row) => `${row}.${column}`),
        x: 280 + column * 32,
        y: 694,
        leading: 15,
      }),
    );
    const columns = [text({ lines: prose, x: 54, y: 700 }), text({ lines: beside, x: 280, y: 520 })];
    expectOrder([page(...columns, ...cells)], prose, beside);
  });

  it.each([17, 23])('X1 reads columns of lines with wide blanks at a gutter of %s points', (gutter) => {
    // Programs stretch the blanks of narrow columns to more than the width of a letter.
    const justified = (name: string, x: number, high: number) => {
      const words = ['sea', 'neighbour', 'of', 'harbours', 'the', 'gull', 'in', 'lighthouse', 'a'];
      let next = 0;
      const rows = Array.from({ length: 16 }, (_, at) => {
        const row = [`${name}${at}`];
        while ([...row, words[next % 9]].join(' ').length <= 46) row.push(words[next++ % 9]!);
        return [...row.slice(at % 4), ...row.slice(0, at % 4)];
      });
      const pieces = rows.flatMap((row, at) => {
        const letters = row.join('').length * LETTER;
        const blank = (230 - letters) / (row.length - 1);
        return row.flatMap((word, place) => {
          const before = row.slice(0, place).join('').length * LETTER + place * blank;
          return text({ lines: [word], x: x + before, y: 700 - at * high });
        });
      });
      return { rows, pieces };
    };
    const [first, second] = [justified('left', 54, 11.5), justified('right', 284 + gutter, 11)];
    const whole = page(first.pieces, second.pieces);
    expect(oneLine([whole])).toBe([...first.rows, ...second.rows].flat().join(' '));
  });

  it.each([3, 4.5, 6])('X1 reads columns whose baselines are %s points apart', (shift) => {
    const columns = page(
      text({ lines: left, x: 54, y: 700 }),
      text({ lines: right, x: 266, y: 700 - shift }),
    );
    expectOrder([columns], left, right);
  });

  it.each([2, 3])(
    'X1 reads two columns of %d lines one after the other, and a line below them last',
    (count) => {
      const first = [
        'The crane was oiled each morning before',
        'the boats came in with the tide and the',
        'crew went home.',
      ];
      const second = [
        'In the third year a winch came and ran',
        'well for a season, as was agreed in the',
        'deed of the year.',
      ];
      const [one, other] = [first.slice(-count), second.slice(-count)];
      const columns = [text({ lines: one, x: 54, y: 700 }), text({ lines: other, x: 270, y: 700 })];
      const last = text({ lines: ['The end.'], x: 54, y: 700 - count * 12.5 - 14 });
      expectOrder([page(...columns, last)], one, other, ['The end.']);
    },
  );

  it('X1 keeps two rows of a table as rows', () => {
    const table = page(
      text({ lines: ['Oil the crane every morning', 'Paint the hull in the spring'], x: 54, y: 700 }),
      text({ lines: ['Done by the crew of the boat', 'Done by the yard at the river'], x: 260, y: 700 }),
    );
    expect(oneLine([table])).toMatch(/every morning (\| )?Done by the crew/);
  });

  it('X1 reads three columns drawn line by line', () => {
    const [a, b, c] = [filler('a', 14, 30), filler('b', 14, 30), filler('c', 14, 30)];
    const pieces = [
      text({ lines: a, x: 50, y: 700 }),
      text({ lines: b, x: 210, y: 700 }),
      text({ lines: c, x: 370, y: 700 }),
    ];
    const drawn = a.flatMap((_, at) => pieces.map((column) => column[at]!));
    expectOrder([page(drawn)], a, b, c);
  });

  it('X1 reads text that spans the columns in its place', () => {
    const wide = ['A heading in the middle of the page that is wider than one column'];
    const short = ['A short heading'];
    const pieces = [
      text({ lines: ['The title of all'], x: 54, y: 780, size: 18 }),
      text({ lines: left, x: 54, y: 750 }),
      text({ lines: right, x: 266, y: 750 }),
      text({ lines: wide, x: 54, y: 580, size: 12 }),
      text({ lines: middle, x: 54, y: 560 }),
      text({ lines: filler('n', 12), x: 266, y: 560 }),
      text({ lines: short, x: 54, y: 380, size: 14 }),
      text({ lines: filler('p', 8), x: 54, y: 350 }),
      text({ lines: filler('q', 8), x: 266, y: 350 }),
      text({ lines: below, x: 54, y: 220 }),
    ];
    expectOrder(
      [page(...pieces)],
      ...[
        ['The title of all'],
        left,
        right,
        wide,
        middle,
        filler('n', 12),
        short,
        filler('p', 8),
        filler('q', 8),
        below,
      ],
    );
  });

  it('X1 reads a footnote after the sentence that it interrupts, otherwise at the foot of its column', () => {
    const notes = [
      text({ lines: ['1 A note of the left.'], x: 54, y: 520, size: 7 }),
      text({ lines: ['2 A note of the right.'], x: 266, y: 520, size: 7 }),
    ];
    const columns = (last: string) => [
      text({ lines: [...left, last], x: 54, y: 700 }),
      text({ lines: right, x: 266, y: 700 }),
    ];
    expectOrder(
      [page(...columns('the sentence goes'), ...notes)],
      [...left, 'the sentence goes', ...right],
      ['1 A note of the left.'],
      ['2 A note of the right.'],
    );
    expectOrder(
      [page(...columns('the sentence ends.'), ...notes)],
      [...left, 'the sentence ends.'],
      ['1 A note of the left.'],
      right,
      ['2 A note of the right.'],
    );
  });

  it('X1 joins a word that is split between two columns', () => {
    const columns = [
      text({ lines: [...left, 'an extra-'], x: 54, y: 700 }),
      text({ lines: ['ordinary word', ...right], x: 266, y: 700 }),
    ];
    expect(oneLine([page(...columns, text({ lines: ['extraordinary'], x: 54, y: 400 }))])).toContain(
      ' an extraordinary word',
    );
  });

  it.each([
    ['on the right', 54, 400, 9],
    ['on the left', 180, 54, 8],
  ])('X1 separates a sidebar %s from the text', (_where, mainX, sideX, size) => {
    const main = filler('m', 16, mainX === 54 ? 60 : 70);
    const side = ['Opening hours of', 'the harbour are', 'eight to six on all', 'days of the week.'];
    const pieces = [text({ lines: main, x: mainX, y: 700 }), text({ lines: side, x: sideX, y: 690, size })];
    const order = mainX < sideX ? [main, side] : [side, main];
    expectOrder([page(...pieces)], ...order);
  });

  it('X1 keeps tables with wide cells, adjacent labels and lists unchanged', () => {
    const names = [
      'Harbour of the north',
      'Lighthouse and mole',
      'Crane of the east',
      'Basin and its lock',
      'Warehouse number 7',
    ];
    const values = [
      'Opened in May 1871',
      'Rebuilt in June 1902',
      'Sold in July 1911',
      'Closed in March 1950',
      'Burnt in 1960 at last',
    ];
    const table = page(text({ lines: names, x: 54, y: 700 }), text({ lines: values, x: 260, y: 700 }));
    for (const [at, name] of names.entries()) expect(oneLine([table])).toContain(`${name} | ${values[at]}`);
  });

  it('X1 keeps every word of random columns, each column in order and complete', () => {
    const columns = fc.record({
      count: fc.integer({ min: 2, max: 3 }),
      gutter: fc.integer({ min: 8, max: 30 }),
      size: fc.constantFrom(8, 9, 10, 11),
      lines: fc.integer({ min: 6, max: 40 }),
      shift: fc.integer({ min: 0, max: 9 }),
      hasTitle: fc.boolean(),
      words: fc.array(fc.stringMatching(/^[a-z]{1,11}$/), { minLength: 40, maxLength: 40 }),
    });
    fc.assert(
      fc.property(columns, ({ count, gutter, size, lines, shift, hasTitle, words }) => {
        const gap = Math.max(gutter, Math.ceil(size * 0.8));
        const width = (500 - gap * (count - 1)) / count;
        const letters = Math.floor(width / (size / 2));
        const texts = Array.from({ length: count }, (_, column) =>
          Array.from({ length: lines }, (__, at) => {
            let line = `c${column}n${at}`;
            for (let word = at * 3; ; word++) {
              const next = ` ${words[(word + column) % words.length]}`;
              if (line.length + next.length > letters) return line.padEnd(letters - 3, 'z');
              line += next;
            }
          }),
        );
        const pieces = texts.map((own, column) =>
          text({ lines: own, x: 48 + column * (letters * (size / 2) + gap), y: 750 - column * shift, size }),
        );
        const title = 'A title over all of the columns of this page';
        const drawn = hasTitle ? [text({ lines: [title], x: 48, y: 785, size: 16 }), ...pieces] : pieces;
        expectOrder([page(...drawn)], ...(hasTitle ? [[title]] : []), ...texts);
      }),
    );
  });
});
