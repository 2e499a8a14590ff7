import fc from 'fast-check';
import type { Finding } from '#contracts/findings.js';
import { checkCitations, type CitedPassage } from '../citations.js';
import {
  proofsSchema,
  verdictsOf,
  withVerdicts,
  type Expression,
  readExpression,
  valueOf,
  written,
} from './proofs.js';

type Answer = Omit<(typeof proofsSchema)['_output'][number], 'finding'>;

const passageOf = (text: string, label: string, source_id = `src_${label}`): CitedPassage => ({
  label,
  source_id,
  source_title: 'Notes',
  text,
  span: { start: 0, end: text.length },
  heading_path: [],
});

/** Findings of a sentence that cites the first passage, with the same answer of a reviewer to each of them. */
function checked(
  sentence: string,
  source: string,
  answers: Partial<Answer>[],
  others: CitedPassage[] = [],
): Finding[] {
  const passages = [passageOf(source, 's1'), ...others];
  const text = `${sentence}[^s1]\n`;
  const { findings } = checkCitations(text, passages);
  const given = findings.flatMap((_, i) =>
    answers.map((one) => ({ quotes: [], ...one, finding: `r${i + 1}` })),
  );
  return withVerdicts(text, findings, verdictsOf(given, findings), passages);
}

const TANKS = 'The plant has three rows of tanks. A row holds 14 tanks, of which two are kept as a reserve.';
const IN_USE = 'All in all, 36 tanks are in use.';
const QUOTES = ['three rows of tanks', 'A row holds 14 tanks, of which two'];

describe('X15 claims that the cited passage does not state word for word', () => {
  it('become errors without an answer, and say what the reviewer says instead', () => {
    expect(checked(IN_USE, TANKS, [])).toMatchObject([
      {
        rule: 'citation-unsupported-number',
        severity: 'error',
        message: 'Nothing proves the figure "36 tanks" from the cited passage.',
        evidence: [{ of: 'src_s1' }],
      },
    ]);
    expect(checked(IN_USE, TANKS, [{ unsupported: 'It counts 42 tanks.' }])).toMatchObject([
      {
        severity: 'error',
        message: 'The cited passage does not support the figure "36 tanks": It counts 42 tanks.',
      },
    ]);
  });

  it('become a remark with the calculation that proves them', () => {
    expect(checked(IN_USE, TANKS, [{ quotes: QUOTES, calculation: '(14 - 2) * 3' }])).toMatchObject([
      {
        rule: 'citation-calculated',
        severity: 'info',
        message: '36 is calculated from the cited passage: (14 − 2) × 3 = 36.',
        suggestion: null,
        evidence: [{ of: 'src_s1' }],
      },
    ]);
  });

  it('may be a name that the quotes explain, also in another passage of the same source', () => {
    const source = 'The Society paid for the lamp.';
    const answer = { quotes: ['Royal Astronomical Society'], reason: 'RAS is its abbreviation.' };
    const sentence = 'The RAS paid for the lamp.';
    const explained = passageOf('The Royal Astronomical Society was founded in 1820.', 's2', 'src_s1');
    const elsewhere = { ...explained, source_id: 'src_other' };
    const rules = (others: CitedPassage[], one: Partial<Answer>) =>
      checked(sentence, source, [one], others).map(({ rule }) => rule);
    expect(rules([explained], answer)).toEqual(['citation-proved']);
    expect(rules([elsewhere], answer)).toEqual(['citation-unsupported-identifier']);
    expect(rules([explained], { ...answer, reason: null })).toEqual(['citation-unsupported-identifier']);
    expect(rules([explained], { ...answer, quotes: ['Royal Society'] })).toEqual([
      'citation-unsupported-identifier',
    ]);
  });

  it.each([
    [
      'Every second tank of the row was empty, so 7 of them.',
      'Of the 14 tanks, every second one was empty.',
      '14 / 2',
    ],
    ['A further 28 were ordered.', 'There are 14 tanks. The new order doubled them.', '14 * 2'],
    ['A quarter, 25 percent, was lost.', 'A quarter of it was lost.', '1 / 4 * 100'],
    ['The lamp was lit in 1874.', 'It was begun in 1871 and lit three years later.', '1871 + 3'],
  ])('may use words for parts and multiples: %s', (sentence, source, calculation) => {
    const rules = checked(sentence, source, [{ quotes: [source], calculation }]).map(({ rule }) => rule);
    expect(new Set(rules)).toEqual(new Set(['citation-calculated']));
  });

  it.each([
    [
      'en',
      'The meeting took two and a half hours.',
      'It was opened at 18.10 and closed at 20.40.',
      '(20*60+40 - (18*60+10)) / 60',
    ],
    [
      'de',
      'Ohne den Zuschuss bleiben zweieinviertel Millionen Euro.',
      'Die Kita kostet 3,6 Mio. Euro. Das Land fördert sie mit 1,35 Mio. Euro.',
      '3.6 - 1.35',
    ],
    [
      'de',
      'Die Schulden wachsen auf 10,44 Millionen Euro.',
      'Schulden: 9,24 Mio. Euro, Neuaufnahme 1,8 Mio., Tilgung 600.000 Euro.',
      '9.24 + 1.8 - 600000 / 1000000',
    ],
    [
      'pl',
      'Zawodnicy przywieźli czterdzieści jeden medali.',
      'Zdobyto 12 złotych, 16 srebrnych i 13 brązowych medali.',
      '12 + 16 + 13',
    ],
    [
      'en',
      'At that price, the coal was worth £1,736.',
      'There were 1,120 tons of coal at 32 shillings the ton. 35 tons were lost.',
      '(1120 - 35) * 32 / 20',
    ],
    [
      'en',
      'Three quarters of the keepers stayed.',
      'Of the 48 keepers, 5 left in May and 7 in June.',
      '(48 - 5 - 7) / 48',
    ],
    [
      'en',
      'Some 23 per cent of the stock was sold.',
      'The stock was 510 books. Ada sold 60, Jon 40 and Eva 17.',
      '(60 + 40 + 17) / 510 * 100',
    ],
  ])('may be times, amounts, shares and words (%s: %s)', (_, sentence, source, calculation) => {
    const found = checked(sentence, source, [{ quotes: [source], calculation }]);
    expect(found.filter(({ rule }) => rule !== 'citation-calculated').map(({ message }) => message)).toEqual(
      [],
    );
  });

  it.each([
    ['German', 'Insgesamt sind 36 Becken im Einsatz.', '(14-2)×3 = 36'],
    ['its result, which is calculated anew', IN_USE, '(14 - 2) * 3 = 35'],
    ['rounding', 'Nearly forty tanks are in use.', '(14 - 2) * 3'],
  ])('may be in a text with %s', (_, sentence, calculation) => {
    const source = sentence.startsWith('Insgesamt')
      ? 'Die Anlage hat drei Beckenreihen. Eine Reihe fasst 14 Becken, davon zwei als Reserve.'
      : TANKS;
    const quotes = source === TANKS ? QUOTES : ['drei Beckenreihen', 'fasst 14 Becken, davon zwei'];
    expect(checked(sentence, source, [{ quotes, calculation }]).map(({ rule }) => rule)).toEqual([
      'citation-calculated',
    ]);
  });

  it.each([
    ['another result', { quotes: QUOTES, calculation: '14 * 3' }],
    ['a number that no quote states', { quotes: QUOTES, calculation: '9 * 4' }],
    ['a number that is in no quote', { quotes: [QUOTES[0]!], calculation: '(14 - 2) * 3' }],
    ['words that are not in the passage', { quotes: ['4 rows of 9 tanks'], calculation: '4 * 9' }],
    ['no calculation', { quotes: QUOTES, calculation: '36' }],
    ['factors alone', { quotes: QUOTES, calculation: '60 * 60 / 100' }],
    ['a unit of time that is added', { quotes: QUOTES, calculation: '14 * 2 + 7 + 1' }],
    ['words', { quotes: QUOTES, calculation: '14 tanks less 2, times 3' }],
    ['an unfinished calculation', { quotes: QUOTES, calculation: '(14 - 2 * 3' }],
    ['a division by zero', { quotes: [...QUOTES, 'two'], calculation: '3 / (2 - 2)' }],
  ])('stay errors with %s', (_, calculation) => {
    expect(checked(IN_USE, TANKS, [calculation])).toMatchObject([{ severity: 'error' }]);
  });

  it('stay errors if the numbers are in a passage that the sentence does not cite', () => {
    const calculation = { quotes: QUOTES, calculation: '(14 - 2) * 3' };
    const other = 'The plant has tanks.';
    expect(checked(IN_USE, other, [calculation], [passageOf(TANKS, 's2')])).toMatchObject([
      { severity: 'error' },
    ]);
  });

  it('do not excuse quotations or missing citations', () => {
    const sentence = 'In Gdynia, "the tanks were clean" for 36 days.';
    const rules = checked(sentence, TANKS, [{ quotes: QUOTES, calculation: '(14 - 2) * 3' }]).map(
      ({ rule, severity }) => `${rule} ${severity}`,
    );
    expect(rules.sort()).toEqual([
      'citation-calculated info',
      'citation-unsupported-name error',
      'citation-unsupported-quote error',
    ]);
  });

  it('count as not proved if the answer has another form', () => {
    for (const answer of ['(14 - 2) * 3', [{ finding: 'r1', calculation: 36 }], undefined])
      expect(
        verdictsOf(
          proofsSchema.parse(answer),
          checkCitations(`${IN_USE}[^s1]`, [passageOf(TANKS, 's1')]).findings,
        ),
      ).toEqual([]);
  });

  it('ignores answers to findings that do not exist', () => {
    expect(verdictsOf([{ finding: 'r9', quotes: QUOTES, calculation: '(14 - 2) * 3' }], [])).toEqual([]);
  });

  it.each([
    [
      'by itself, stated twice',
      'The yard built 84 boats in May and 84 boats in June.',
      'The yard built boats.',
      'boats',
      '84',
    ],
    ['by parts of a number', 'It had 3 boats.', 'It had 1893 boats.', '3 boats', '3'],
    ['by one part of a date', 'It sank on 3 May 1893.', 'It sank on 7 June 1893.', '7 June 1893', '1893'],
    ['in another scale', 'It cost 2.6 euros.', 'It cost 2.6 billion euros.', '2.6 billion euros', '2.6'],
    ['by factors', 'It had 84 boats.', 'It had 14 boats.', '14 boats', '14 * 60 / 10 / 7 * 7'],
    ['by the length of a month', 'It had 30 boats.', 'On 3 May it had boats.', 'On 3 May', '30'],
    ['by rounding', 'It had 20 boats.', 'It had 14 boats.', '14 boats', '14'],
  ])('a claim is not proved %s', (_, sentence, source, quote, calculation) => {
    const found = checked(sentence, source, [{ quotes: [quote], calculation }]);
    expect(found.map(({ severity }) => severity)).toContain('error');
    expect(found.map(({ rule }) => rule)).not.toContain('citation-calculated');
  });

  it('X15 no random figure is proved by a calculation with other numbers or another result', () => {
    fc.assert(
      fc.property(fc.integer({ min: 40, max: 9_999 }), fc.integer({ min: 2, max: 39 }), (figure, other) => {
        fc.pre(Math.abs(figure - other * 14) > figure * 0.3);
        const found = checked(`All in all, ${figure} tanks are in use.`, TANKS, [
          { quotes: QUOTES, calculation: `14 * ${other}` },
        ]);
        expect(found).toMatchObject([{ severity: 'error' }]);
      }),
    );
  });
});

const expressions = fc.letrec<{ whole: Expression }>((tie) => ({
  whole: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.nat({ max: 999 }),
    fc.record({
      sign: fc.constantFrom<('+' | '-' | '*' | '/')[]>('+', '-', '*', '/'),
      left: tie('whole'),
      right: tie('whole'),
    }),
  ),
})).whole;

describe('a calculation', () => {
  it('is read as it is written', () => {
    fc.assert(
      fc.property(expressions, (expression) => {
        const text = written(expression);
        fc.pre(text.length <= 200);
        const value = valueOf(expression);
        const again = readExpression(text);
        expect(again).not.toBeNull();
        if (Number.isFinite(value)) expect(valueOf(again!)).toBeCloseTo(value, 6);
      }),
    );
  });

  it('never throws, and has no value unless it is one', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'0123456789.,+-*/()× ÷−x=a') }), (text) => {
        const read = readExpression(text);
        if (read !== null) expect(typeof valueOf(read)).toBe('number');
      }),
    );
  });

  it.each([
    ['1,200 * 3', 3_600],
    ['£3,450 + 26 × £65', 5_140],
    ['12 x 3', 36],
    ['7 − 2 – 1', 4],
    ['2 * (3 + 4) / 7', 2],
    ['0.5 × 8', 4],
  ])('may be written as %s', (text, value) => {
    expect(valueOf(readExpression(text)!)).toBe(value);
  });
});
