import { shownInAnyDirection } from './any-direction.js';

/**
 * Text that pdf.js extracts from a PDF by LibreOffice: joined glyphs reversed, words without spaces, brackets and dots
 * moved.
 */
const PDF = [
  'مع بعض الكلمات اإلنجليزية مثلScriptoriumوPDF 2026داخل الجملة، ويجب أن يظهر',
  '.كامال ًفي الملف الناتج دون أي نقص',
  '•) (مع أقواس البند الثاني',
  'עם מספרים123ומילים באנגליתlike this one. ,ועוד סוף',
];

describe('shownInAnyDirection', () => {
  it.each([
    'مع بعض الكلمات الإنجليزية مثل Scriptorium و PDF 2026 داخل الجملة، ويجب أن يظهر كاملاً في الملف الناتج دون أي نقص.',
    '- البند الثاني (مع أقواس)',
    'עם מספרים 123 ומילים באנגלית like this one, ועוד סוף.',
  ])('X1 finds the words of %s', (line) => {
    expect(shownInAnyDirection(PDF)(line)).toBe(true);
  });

  it.each([
    ['a word that is gone', '- البند الثالث (مع أقواس)'],
    ['a number that is another', 'עם מספרים 124 ומילים באנגלית like this one, ועוד סוף.'],
    ['a word that stands once, not twice', 'البند الثاني الثاني (مع أقواس)'],
    ['a line of another script', 'like this one'],
  ])('X1 does not find %s', (_, line) => {
    expect(shownInAnyDirection(PDF)(line)).toBe(false);
  });

  it('X1 detects reversed letters of joined glyphs', () => {
    const isRead = shownInAnyDirection(PDF, 'as written');
    expect(['مع بعض الكلمات الإنجليزية مثل', 'البند الثاني (مع أقواس)'].map(isRead)).toEqual([false, true]);
  });

  it('X1 finds each line only after the previous one', () => {
    const isShown = shownInAnyDirection(PDF);
    expect([PDF[3]!, PDF[0]!].map(isShown)).toEqual([true, false]);
  });
});
