import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { anyMarkdown } from '#testing/any-markdown.js';
import { checkConsistency, type EarlierFact } from './consistency.js';
import { factsIn } from './facts.js';

const TEXT = [
  '## The keeper',
  '',
  'Ada Finch said that the lamp was lit on 12 March 1871. She came from Stornoway.',
  'The Northern Lighthouse Board paid 40 pounds. The **catoptric lens** weighed 120 kg; engineers call it RX2.',
  '',
].join('\n');

const earlier = (text: string): EarlierFact[] =>
  factsIn(text).map((fact) => ({ ...fact, of: 'cha_1', title: 'Chapter 1' }));
const check = (text: string, before: string) => checkConsistency(text, factsIn(text), earlier(before));

describe('B16 facts by rule', () => {
  it('B16 finds people, places, organisations, terms, dates and quantities, each with its words', () => {
    const found = factsIn(TEXT);
    expect(found.map(({ kind, text }) => `${kind}: ${text}`)).toEqual([
      'person: Ada Finch',
      'date: 12 March 1871',
      'place: Stornoway',
      'organisation: Northern Lighthouse Board',
      'quantity: 40 pounds',
      'term: catoptric lens',
      'term: RX2',
      'quantity: 120 kg',
    ]);
    expect(found.find(({ kind }) => kind === 'date')?.value).toBe('1871-03-12');
  });

  it.each([
    ['It opened in 1871.', ['1871']],
    ['Geboren am 3. Mai 1904, gestorben 12.5.1984.', ['1904-05-03', '1984-05-12']],
    ['Otwarto 7 lipca 1932 roku.', ['1932-07-07']],
    ['On 2024-02-29 and in June 1999.', ['2024-02-29', '1999-06']],
    ['A hall for 1500 people and 1984 chairs.', []],
  ])('B16 reads the dates of %j', (text, expected) => {
    expect(factsIn(text).flatMap((fact) => (fact.kind === 'date' ? [fact.value] : []))).toEqual(expected);
  });

  it.each(['Up to 50,000 workers live there.', 'About half of them fly.', 'Nearly all of them rest.'])(
    'B16 takes no word before an amount for a term: %s',
    (text) => {
      expect(factsIn(text).filter(({ kind }) => kind === 'term')).toEqual([]);
    },
  );

  it.each([
    'She filled twenty-five litres.',
    'They filled two hundred litres.',
    '*Was it lonely?*',
    '*it was never lonely out there*',
  ])('B16 takes no part of a number or of a sentence for a fact: %s', (text) => {
    expect(factsIn(text).map(({ text: shown }) => shown)).toEqual([]);
  });

  it('B16 returns spans that contain the words, in any text', () => {
    fc.assert(
      fc.property(anyMarkdown, (text) => {
        for (const fact of factsIn(text)) expect(text.slice(fact.span.start, fact.span.end)).toBe(fact.text);
      }),
      { numRuns: 200 },
    );
  });
});

describe('B26 consistency with earlier chapters', () => {
  it('B26 reports another figure and another date for the same thing, with the earlier place', () => {
    const [figure] = check(
      'The lens of Marrow Point weighed 140 kg.',
      'At Marrow Point the lens weighed 120 kg.',
    );
    expect(figure).toMatchObject({ rule: 'consistency-figure', severity: 'error' });
    expect(figure?.evidence[0]).toMatchObject({
      of: 'cha_1',
      text: 'At Marrow Point the lens weighed 120 kg.',
    });
    const dates = check('Ada Finch was born in 1853.', 'Ada Finch was born in 1851.');
    expect(dates.map(({ rule }) => rule)).toEqual(['consistency-date']);
  });

  it('B26 ignores equal figures, and figures of other things and people', () => {
    expect(
      check('The lens of Marrow Point weighed 120 kg.', 'At Marrow Point the lens weighed 120 kg.'),
    ).toEqual([]);
    expect(
      check('The boat of the keeper weighed 900 kg.', 'At Marrow Point the lens weighed 120 kg.'),
    ).toEqual([]);
    expect(check('Bert Hall was born in 1853.', 'Ada Finch was born in 1851.')).toEqual([]);
  });

  it('B26 reports a name that is spelled almost like an earlier one', () => {
    const found = check('Later Anna Kovalska came.', 'Then Anna Kowalska came.');
    expect(found.map(({ rule, message }) => [rule, message])).toEqual([
      ['consistency-name', '"Anna Kovalska" is spelled "Anna Kowalska" in "Chapter 1".'],
    ]);
    expect(check('Then Anna Kowalską met him.', 'Then Anna Kowalska came.')).toEqual([]);
  });
});
