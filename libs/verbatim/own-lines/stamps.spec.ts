import { stampOf, timeSpan } from './stamps.js';

const at = (line: string, isHeading = false) => {
  const stamp = stampOf(line, isHeading);
  if (stamp === null) return null;
  const time = new Date(stamp.at).toISOString().slice(0, 16);
  return `${stamp.hasClock ? time : stamp.day}${stamp.hasZone ? 'Z' : ''}`;
};

describe('dates of lines, by their form', () => {
  it.each([
    ['2026-03-02T09:12:33.120Z started', '2026-03-02T09:12Z'],
    ['[2026-03-02 09:12:33,120] started', '2026-03-02T09:12'],
    ['WARN 2026/03/02 09:12:33 +0100 valve', '2026-03-02T08:12Z'],
    ['{"ts":"2026-03-02T09:12:33+01:00","m":1}', '2026-03-02T08:12Z'],
    ['Sent: Mon, 2 Mar 2026 09:12:00 -0500', '2026-03-02T14:12Z'],
    ['Date:   Mon Mar 2 09:12:00 2026 +0100', '2026-03-02T08:12Z'],
    ['[02/Mar/2026:09:12:33 +0000] "GET /"', '2026-03-02T09:12Z'],
    ['10.0.0.1 - - [02/Mar/2026:09:12:33 +0000] "GET /"', '2026-03-02T09:12Z'],
    ['[02.03.26, 09:12:01] Ann: hello', '2026-03-02T09:12'],
    ['02.03.2026, 09:12 - Ann: hello', '2026-03-02T09:12'],
    ['**Datum:** 2. März 2026', '2026-03-02'],
    ['Data: 2 marca 2026', '2026-03-02'],
    ['a1b2c3d4 2026-03-02 09:12:33 +0100 Fix', '2026-03-02T08:12Z'],
    ['02/03/2026 09:12 which is the month?', null],
    ['2026-02-30 09:12 no such day', null],
    ['Mar  2 09:12:33 host without a year', null],
    ['It was on 2026-03-02 09:12 that it stopped', null],
    ['version 2026-03-02-rc1', null],
  ])('%s', (line, time) => {
    expect(at(line)).toBe(time);
  });

  it('finds the date anywhere in a heading', () => {
    expect(at('# Minutes of 2 March 2026', true)).toBe('2026-03-02');
    expect(at('# Minutes of the year 2026', true)).toBeNull();
  });

  it('65.6 spans the days of entries and fields, not of other dates', () => {
    const text = 'born,name\n1975-03-02,Ann\n2026-03-04 10:00 end\nDate: 2026-03-01\n';
    expect(timeSpan([{ name: 'a.txt', text }])).toEqual({ first: '2026-03-01', last: '2026-03-04' });
    expect(timeSpan([{ name: 'a.md', text: '# Minutes of 2 March 2026\n' }])?.first).toBe('2026-03-02');
    expect(timeSpan([{ name: 'a.txt', text: 'Nothing is dated.\n' }])).toBeUndefined();
  });
});
