import fc from 'fast-check';
import { accountFor } from './account.js';
import type { Piece } from './piece.js';

const OPTIONS = { isMarkdown: true, knowsRaised: true };
const account = (pieces: (string | Piece)[], text: string, options = OPTIONS) =>
  accountFor(
    pieces.map((each, index) =>
      typeof each === 'string' ? { place: `paragraph ${index + 1}`, text: each } : each,
    ),
    text,
    options,
  );
const lost = (pieces: (string | Piece)[], text: string, options = OPTIONS) =>
  account(pieces, text, options)
    .entries.filter(({ outcome }) => outcome === 'lost')
    .map(({ place, reason }) => `${place}: ${reason}`);

describe('accountFor', () => {
  it.each([
    ['escapes and marks of Markdown', 'a *b* <c> [d](e)', '- a \\*b\\* \\<c> \\[d](e)'],
    ['raised and lowered digits', 'about 10^{6} m^{-2} of CO_{2}', 'about 10⁶ m⁻² of $CO_2$'],
    ['raised digits as TeX', '10^{12}', '$10^{12}$'],
    ['ligatures and wide characters', 'ﬁle ＡＢ', 'file AB'],
    ['fractions', '½ cup', '1/2 cup'],
    ['blanks of formulas', '16 15 1.0', '$16\\ 15\\ 1.0$'],
    ['letters of other alphabets as TeX', 'α ≤ β', '$\\alpha \\le \\beta$'],
    ['words that lines part', 'exam- ple of a flow', 'example of a flow'],
    ['words that glyphs part', 'Hel lo there', 'Hello there'],
    ['ticked boxes', 'paid ☑', '- [x] paid'],
    ['text without blanks', '東京 都', '東京都'],
    ['dashes as minus signs', '−640.25 and –5', '\\-640.25 and -5'],
    ['mixed fractions', '2½ cups', '2½ cups'],
    ['raised negative digits', '10^{−3}', '10⁻³'],
    ['raised digits in brackets', 'note[^{1}]', 'note<sup>\\[1]</sup>'],
    ['raised and lowered words', 'C_{max} of the 1^{st}', 'C<sub>max</sub> of the 1<sup>st</sup>'],
    ['line breaks in cells', 'one two', '| one<br>two |\n| --- |'],
  ])('X1 reads %s as displayed', (_, piece, text) => {
    expect(lost([piece], text)).toEqual([]);
  });

  it('X1 reads raised letters of omitted words', () => {
    expect(
      lost(['its 45th meeting'], '<!-- page 2; left out: off the page: its 45<sup>th</sup> meeting -->'),
    ).toEqual([]);
  });

  it('X1 reads a letter that a PDF raises next to a TeX command', () => {
    const options = { ...OPTIONS, knowsRaised: false };
    expect(lost(['with \\euro a'], 'with \\euro^a', options)).toEqual([]);
    expect(lost(['with \\euro a'], 'with \\euro^b', options)).toHaveLength(1);
  });

  it.each([
    ['a letter of another alphabet', '5 µg', '5 g', ['paragraph 1: missing from the text: μg']],
    ['the raise of a digit', '10^{6} cells', '106 cells', ['paragraph 1: missing from the text: 10 ^6']],
    ['a sign', '20 % off', '20 off', ['paragraph 1: missing from the text: %']],
    ['a minus', 'loss −640.25', 'loss 640.25', ['paragraph 1: missing from the text: -640.25']],
    ['a raised minus', '10^{-3}', '10³', ['paragraph 1: missing from the text: ^-3']],
    ['a decimal point', 'dose 1.5', 'dose 15', ['paragraph 1: missing from the text: 1.5']],
    ['a decimal point at the beginning', 'dose .5', 'dose 5', ['paragraph 1: missing from the text: .5']],
    ['a blank between numbers', 'berth 12 5', 'berth 125', ['paragraph 1: missing from the text: 12 5']],
    ['a currency', 'pay $640', 'pay 640', ['paragraph 1: missing from the text: $']],
    ['one of two equal paragraphs', 'Seal it.', 'Seal it.', ['paragraph 2: missing from the text']],
  ])('X1 detects the loss of %s', (_, piece, text, expected) => {
    expect(lost(expected[0]!.startsWith('paragraph 2') ? [piece, piece] : [piece], text)).toEqual(expected);
  });

  it('X1 finds lost paragraphs among others with the same words', () => {
    const pieces = ['the pump is on', 'the valve was shut by hand', 'the pump is off'];
    expect(lost(pieces, 'the pump is on\n\nthe pump is off')).toEqual(['paragraph 2: missing from the text']);
  });

  it('X1 names of a piece that is left out in part only those words, with the kind that has them one after the other', () => {
    const pieces: Piece[] = [
      { place: 'paragraph 1', text: 'The fee is hidden row six hundred' },
      { place: 'sheet A6', text: 'hidden row' },
      { place: 'sheet D3', text: 'hidden column' },
    ];
    const text =
      'The fee is six hundred\n\n<!-- left out: hidden column: D3 hidden column -->\n\n<!-- left out: hidden row: A6 hidden row -->\n\n' +
      '<!-- left out: hidden text: hidden row -->\n';
    const { entries, lost } = account(pieces, text);
    expect(lost).toBe(0);
    expect(entries.map(({ place, words, reason }) => [place, words, reason])).toEqual([
      ['paragraph 1', 'hidden row', 'hidden row'],
      ['sheet A6', 'hidden row', 'hidden text'],
      ['sheet D3', 'hidden column', 'hidden column'],
    ]);
  });

  it('X1 reports what the text omits, by kind', () => {
    const pieces: Piece[] = [
      { place: 'header 1', text: 'Annual report' },
      { place: 'paragraph 1', text: 'The annual report' },
      { place: 'page 2', text: 'Draft 7' },
      { place: 'paragraph 2', text: 'Contents 1', isContents: true },
    ];
    const text =
      'The annual report\n\n<!-- left out: header: Annual report -->\n\n<!-- page 2; left out: 9 | off the page: Draft 7 -->\n\n' +
      '<!-- left out: table of contents (lines: 1) -->\n';
    const { entries, ...counts } = account(pieces, text);
    expect(counts).toEqual({ pieces: 4, carried: 1, left_out: 3, said_twice: 0, lost: 0 });
    expect(entries.map(({ place, reason }) => [place, reason])).toEqual([
      ['header 1', 'header'],
      ['page 2', 'off the page'],
      ['paragraph 2', 'table of contents'],
    ]);
  });

  it('X1 finds reported words that the text joins', () => {
    const pieces: Piece[] = [{ place: 'header 1', text: 'tide hour x' }];
    const { entries } = account(
      pieces,
      'a\n\n<!-- left out: footer: b -->\n\n<!-- left out: header: tide hourx -->\n',
    );
    expect(entries.map(({ outcome, reason }) => [outcome, reason])).toEqual([['left_out', 'header']]);
  });

  it('X1 requires one version of a text, and of the other version only the additional words', () => {
    const version = (name: string, text: string): Piece => ({
      place: name,
      text,
      alternative: { group: 'body', version: name },
    });
    const pieces = [version('HTML part', 'Pay 640 EUR'), version('text part', 'Pay 640 EUR')];
    expect(account(pieces, 'Pay 640 EUR').entries).toMatchObject([
      { place: 'text part', outcome: 'said_twice', words: 'Pay 640 EUR', reason: 'the HTML part is used' },
    ]);
    const stub = [version('HTML part', 'Pay 640 EUR'), version('text part', 'See the other part')];
    expect(lost(stub, 'See the other part')).toEqual(['HTML part: missing from the text']);
    expect(lost(stub, 'Pay 640 EUR')).toEqual(['text part: missing from the text']);
  });

  it('X1 finds an address of a version in the links of the version that is used', () => {
    const version = (name: string, text: string): Piece => ({
      place: name,
      text,
      alternative: { group: 'body', version: name },
    });
    const pieces = [
      version('HTML part', 'Read it here, or see the other sites.'),
      version('text part', 'See https://example.org/help or https://example.org/help only, the other sites'),
    ];
    const text = 'Read it [here](https://example.org/help), or see the other sites.';
    expect(lost(pieces, `${text}\n\nSee https://example.org/help only`)).toEqual([]);
    expect(
      lost(pieces, 'Read it here, or see the other sites.\n\nSee https://example.org/help only'),
    ).toEqual(['text part: missing from the text: https example org help']);
  });

  it('X1 finds the symbols of PDF formulas in any order, but longer words only in theirs', () => {
    const pdf = { ...OPTIONS, knowsRaised: false };
    const pieces = ['x 2', 'i + yj = 10 6', 'a_b'];
    expect(lost(pieces, 'x_i² + y_j = 10⁶ a_b', pdf)).toEqual([]);
    expect(lost(pieces, 'x² + y_j = 10⁶ a_b', pdf)).toEqual(['paragraph 2: missing from the text: i']);
    expect(lost(['قباسلا', 'מים'], 'السابق מים', pdf)).toEqual([]);
    expect(lost(['tides'], 'edits', pdf)).toEqual(['paragraph 1: missing from the text']);
  });

  it('X1 detects words of a drawn line that a table of the text exchanges', () => {
    const pdf = { ...OPTIONS, knowsRaised: false };
    const table = (row: string) => `| a | b | c |\n| --- | --- | --- |\n| ${row} |`;
    expect(lost(['pump 4 7'], table('pump | 4 | 7'), pdf)).toEqual([]);
    expect(lost(['pump 4 7'], table('pump | 7 | 4'), pdf)).toEqual([
      'paragraph 1: cells in another order than in the file',
    ]);
    expect(lost(['pump 4 7'], 'pump 7 4', pdf)).toEqual([]);
  });

  it('X1 does not count the number of omitted pictures and letters as a word', () => {
    const text = '<!-- page 1; left out: pictures that only decorate the page: 7 -->';
    expect(lost(['7'], text)).toEqual(['paragraph 1: missing from the text']);
  });

  it('X1 detects the wrong number of an item, also if the text has its number elsewhere', () => {
    const item = (number: string, text: string) => ({ place: text, number, text });
    const items = [item('1.', 'seal'), item('2.', 'vent')];
    expect(lost(items, '1. seal\n2. vent')).toEqual([]);
    expect(lost(items, '1. seal\n9. vent\n\nSlide 2')).toEqual(['vent: missing from the text: 2']);
    expect(lost(items, '<!-- left out: hidden text: seal vent -->')).toEqual([]);
  });

  it('X1 does not interpret escaped or fenced comments and addresses', () => {
    expect(lost(['secret'], '\\<!-- left out: note: x -->')).toEqual(['paragraph 1: missing from the text']);
    expect(lost(['secret'], '[word](https://example.org/secret)')).toEqual([
      'paragraph 1: missing from the text',
    ]);
    expect(lost(['<!-- left out: note: secret -->'], '```\n<!-- left out: note: secret -->\n```')).toEqual(
      [],
    );
  });

  it('X1 lists words that the database can store', () => {
    const [entry] = account([{ place: 'attachment \0a', text: 'a\0b \ud83d c' }], '').entries;
    expect(entry).toMatchObject({ place: 'attachment a', words: 'ab \ufffd c' });
  });

  it('X1 compares text that is carried unchanged to the last word', () => {
    const lines = ['a;b', '1. x', '# c'];
    expect(lost(lines, lines.join('\n'), { ...OPTIONS, isMarkdown: false })).toEqual([]);
  });

  const words = fc.array(fc.stringMatching(/^[a-c]{1,2}$/), { minLength: 1, maxLength: 6 });
  it('X1 counts every piece once, and detects each lost one', () => {
    fc.assert(
      fc.property(fc.array(words, { minLength: 1, maxLength: 12 }), fc.nat(), (texts, pick) => {
        const pieces = texts.map((each) => each.join(' '));
        const whole = account(pieces, pieces.join('\n\n'));
        expect(whole).toMatchObject({ pieces: pieces.length, carried: pieces.length, lost: 0 });
        const rest = pieces.toSpliced(pick % pieces.length, 1);
        const { carried, left_out, said_twice, lost: gone, pieces: all } = account(pieces, rest.join('\n\n'));
        expect(carried + left_out + said_twice + gone).toBe(all);
        expect(gone).toBeGreaterThan(0);
      }),
    );
  });

  const number = fc
    .tuple(fc.constantFrom('', '-', '−', '+'), fc.nat(9_999), fc.constantFrom('', '.5', ',25', '.125,5'))
    .map(([sign, integer, rest]) => `${sign}${integer}${rest}`);
  const numbers = fc.array(fc.oneof(number, fc.constantFrom('tide', 'a', 'EUR')), {
    minLength: 2,
    maxLength: 12,
  });
  it('X1 detects each sign, separator and blank that is lost or added in a number', () => {
    fc.assert(
      fc.property(fc.array(numbers, { minLength: 1, maxLength: 6 }), fc.nat(), (texts, pick) => {
        const pieces = texts.map((each) => each.join(' '));
        const text = pieces.join('\n\n');
        expect(lost(pieces, text)).toEqual([]);
        const mutations = [...text.matchAll(/(?<![^\s])[-−+](?=\d)|(?<=\d)[.,](?=\d)|(?<=\d) (?=\d)/g)].map(
          ({ index }) => text.slice(0, index) + text.slice(index + 1),
        );
        const additions = [...text.matchAll(/(?<=\d)(?=\d)/g)].flatMap(({ index }) =>
          [' ', '.'].map((added) => text.slice(0, index) + added + text.slice(index)),
        );
        const all = [...mutations, ...additions];
        fc.pre(all.length > 0);
        expect(lost(pieces, all[pick % all.length]!)).not.toEqual([]);
      }),
    );
  });

  it('X1 compares a line of a PDF with the tables of its page only', () => {
    const pdf = { ...OPTIONS, knowsRaised: false };
    const row = '| 2 | 1 |\n| --- | --- |';
    const line = { place: 'page 3, line 1', text: '1 2' };
    expect(lost([line], `<!-- page 3 -->\n\n1 2\n\n<!-- page 4 -->\n\n${row}`, pdf)).toEqual([]);
    expect(lost([line], `<!-- page 3; left out: 7 -->\n\n${row}`, pdf)).toHaveLength(1);
  });

  it('X1 compares a line of a PDF with rows of tables that consist of its words', () => {
    const pdf = { ...OPTIONS, knowsRaised: false };
    const row = '| the pump P2 | is a spare | of the station |';
    const prose = ['is P2 a spare pump', 'the pump P2 is a spare of the station'];
    expect(lost(prose, `is P2 a spare pump\n\n${row}\n| --- |`, pdf)).toEqual([]);
    expect(lost(['1 2', '2 1'], '| 2 | 1 |\n| --- | --- |\n| 1 | 2 |', pdf)).toEqual([]);
    expect(lost(['1 2', '1 2'], '| 1 | 2 |\n| --- | --- |\n| 2 | 1 |', pdf)).toHaveLength(1);
  });

  it('X1 detects changed numbers in a PDF, however it draws raised digits and gaps', () => {
    const pdf = { ...OPTIONS, knowsRaised: false };
    expect(lost(['x − 5, 10', '3 m', 'at 10−3'], 'x −5,10³ m at 10⁻³', pdf)).toEqual([]);
    expect(lost(['x 2 1 + x 2 2', 'n 1 2'], 'x²₁ + x²₂ n₁²', pdf)).toEqual([]);
    expect(lost(['per m s', '-1, 9 hours'], 'per m s⁻¹, 9 hours', pdf)).toEqual([]);
    expect(lost(['27 May 2013 1'], '~~27 May 2013~~¹', pdf)).toEqual([]);
    expect(lost(['27 May 20131'], '27 May 2013¹', pdf)).toHaveLength(1);
    expect(lost(['rose by -5'], 'rose by 5', pdf)).toHaveLength(1);
    expect(lost(['rose by −5'], 'rose by 5', pdf)).toHaveLength(1);
    expect(lost(['dose 1.5'], 'dose 15', pdf)).toHaveLength(1);
    expect(lost(['berth 12 5'], 'berth 125', pdf)).toHaveLength(1);
  });

  it('X1 parts numbers from letters where those of a PDF run to the left', () => {
    const pdf = { ...OPTIONS, knowsRaised: false, runsToLeft: true };
    expect(lost(['-1434april14-'], '14-april-1434', pdf)).toEqual([]);
    expect(lost(['-1434april14-'], '15-april-1434', pdf)).toHaveLength(1);
  });

  it('X1 does not search the rest of a row that is left out', () => {
    const row = (...cells: string[]): Piece[] =>
      cells.map((text, at) => ({ place: `cell ${at + 1}`, text, row: 'row 1' }));
    const text = 'isle | tide\n\n<!-- left out: hidden sheet: ebb -->';
    expect(lost(row('tide', 'ebb', 'isle'), text)).toEqual([]);
    expect(lost(row('tide', 'isle'), text)).toHaveLength(2);
  });

  it('X1 ignores accents that a PDF draws over letters without dots', () => {
    const pdf = { ...OPTIONS, knowsRaised: false, ignoresAccents: true };
    expect(lost(['Lemaˆıtre, na¨ıve, ˇȷ'], 'Lemaître, naïve, ǰ', pdf)).toEqual([]);
  });

  it('X1 prefers parts of a word that the text has nowhere to parts that it has elsewhere', () => {
    const pieces = ['it stays in', 'dependent on it', 'they are indepen', 'dent', 'in'];
    expect(lost(pieces, 'it stays in\n\ndependent on it\n\nthey are independent')).toEqual([
      'paragraph 5: missing from the text',
    ]);
  });

  it('X1 needs linear time for words that the text joins differently', () => {
    const pieces = Array.from({ length: 20_000 }, (_, index) => `ab${index} cd${index}`);
    const text = pieces.map((each) => each.replace(' ', '')).join('\n\n');
    expect(account(pieces, text).lost).toBe(0);
  });
});
