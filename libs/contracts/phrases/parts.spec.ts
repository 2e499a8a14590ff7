import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { englishText } from './phrase.js';
import { moneyPhrase, operationPhrase, readMoney } from './parts.js';
import { translatorFor } from './translator.js';

const german = await translatorFor('de');

describe('moneyPhrase', () => {
  it.each([
    [0, '0.00'],
    [7, '0.000007'],
    [420_000, '0.42'],
    [12_345, '0.012345'],
    [1_250_000_000, '1250.00'],
    [3_100_000, '3.10'],
  ])('shows %s millionths as %s, exactly', (millionths, shown) => {
    expect(englishText(moneyPhrase(millionths))).toBe(shown);
    expect(german(moneyPhrase(millionths))).toBe(shown.replace('.', ','));
    expect(readMoney(shown)).toBe(millionths || null);
  });
});

describe('readMoney', () => {
  it.each([
    ['0.5', 500_000],
    ['0,5', 500_000],
    [' 3 ', 3_000_000],
    ['0', null],
    ['-1', null],
    ['1.2345678', null],
    ['1,000.00', null],
    ['much', null],
  ])('reads "%s" as %s millionths', (typed, millionths) => {
    expect(readMoney(typed)).toBe(millionths);
  });
});

describe('operationPhrase', () => {
  it('has words for everything that a prompt asks a model for', () => {
    const prompts = ['article', 'book', 'change'].flatMap((feature) => {
      const folder = `libs/${feature}/prompts`;
      return readdirSync(folder).map((name) => readFileSync(`${folder}/${name}`, 'utf8'));
    });
    const names = prompts.flatMap((text) =>
      [...text.matchAll(/^    name: '(\w+)',$/gm)].map(([, name]) => name!),
    );
    expect(names).toContain('draft_chapter');
    for (const name of [...names, 'plan', 'replan', 'call_model', 'write_document', 'repurpose_linkedin'])
      expect([name, typeof operationPhrase(name)]).toEqual([name, 'object']);
  });

  it('returns the name of an operation without words', () => {
    expect(operationPhrase('toString')).toBe('toString');
  });
});
