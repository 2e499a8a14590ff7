import { numberText } from '#extraction/ooxml/number-text.js';
import { wordsOf } from '../words.js';
import { numberVersions } from './number-formats.js';

const OPTIONS = { knowsRaised: true };
const shown = (text: string) => wordsOf(text, OPTIONS).join(' ');

describe('numberVersions', () => {
  it.each([
    ['2.0', 'General'],
    ['8.4', '0'],
    ['37261.0', 'm/d/yy'],
    ['44999.5', 'yyyy-mm-dd hh:mm'],
    ['45000.75', 'dddd d mmmm yyyy h:mm AM/PM'],
    ['0.256', '0.0%'],
    ['-3.5', '#,##0.00;(#,##0.00)'],
    ['4.2', '[h]:mm'],
    ['7', '0.00E+00'],
    ['1234567', '#,##0,'],
    ['0', '0.0'],
    ['-1234.567', '# ?/?'],
    ['-1234.567', '# ??/??'],
    ['0.75', '# ?/4'],
    ['2', '# ?/?'],
    ['-1234.567', '0'],
    ['1234.567', 'h:mm:ss'],
    ['1234.567', 'mm:ss.0'],
    ['1234.567', '##0.0E+0'],
    ['0', 'yyyy-mm-dd'],
  ])('X1 begins with the form in which a sheet shows %s as %s', (value, format) => {
    const [first] = numberVersions(value, format);
    expect(shown(first!)).toBe(shown(numberText(value, format)));
  });

  it('X1 counts days from 1904 where the workbook does', () => {
    expect([...numberVersions('44562.5', 'yyyy-mm-dd', 1_462)][0]).toBe('2026-01-02');
  });

  it('X1 lists no zero that a sheet shows as a dash', () => {
    expect([...numberVersions('0', '_-* #,##0_-;-* #,##0_-;_-* "-"_-;_-@_-')]).toEqual([]);
    expect([...numberVersions('0', '0;-0;;@')]).toEqual([]);
  });

  it('X1 requires the form of a format, and of a number without one also accepts the stored form first', () => {
    expect([...numberVersions('40000', '#,##0')]).toEqual(['40,000']);
    expect([...numberVersions('1234567890123451', 'General')].slice(0, 2)).toEqual([
      '1.23457E+15',
      '1234567890123451',
    ]);
    expect([...numberVersions('7', ';;;')]).toContain('7');
  });
});
