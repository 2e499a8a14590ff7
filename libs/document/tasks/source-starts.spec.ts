import type { Ledger } from '#verbatim/ledger.js';
import { sourceStarts } from './source-starts.js';

type Run = Ledger['runs'][number];
const runsOf = (rows: [source: number, line: number, count: number, manuscript: number][]) =>
  rows.map(
    ([source, line, count, manuscript_line]) =>
      ({ source, line, count, manuscript_line, how: 'exact' }) as Run,
  );
const filesOf = (...names: string[]) => names.map((name) => ({ name })) as Ledger['files'];

describe('65.6 the places of sources in a manuscript', () => {
  it('are the first line of each source, and the lines to which the text links', () => {
    const runs = runsOf([
      [1, 5, 3, 20],
      [1, 1, 2, 10],
      [0, 2, 9, 40],
      [1, 5, 1, 90],
    ]);
    const text = '[a](/b%20c.log#L6,7) [b](/b%20c.log#L1) [c](/a.md#L1) [d](/none#L1) [e](/b%20c.log#L3)';
    expect(sourceStarts({ files: filesOf('a.md', 'b c.log', 'empty.md'), runs }, text)).toEqual([
      { name: 'a.md', line: 40, places: {} },
      { name: 'b c.log', line: 10, places: { 1: 10, 6: 21 } },
    ]);
  });

  it('are found among many links and many runs', () => {
    const runs = runsOf(Array.from({ length: 40_000 }, (_, i) => [0, 2 * i + 1, 1, i + 1]));
    const text = Array.from({ length: 20_000 }, (_, i) => `](/a#L${i + 1})`).join('');
    const [start] = sourceStarts({ files: filesOf('a'), runs }, text);
    expect(Object.keys(start!.places!)).toHaveLength(10_000);
    expect(start!.places![19_999]).toBe(10_000);
  });
});
