import { describe, expect, it } from '@jest/globals';
import { checkOverlap, findOverlaps } from './overlap.js';

const RUN = 'the keeper carried the oil up ninety nine steps every night before the fog came in';

describe('B26 overlap with other chapters', () => {
  it('B26 finds words that are also in another chapter, regardless of case and punctuation', () => {
    const text = `Here **${RUN.replace('ninety nine', 'Ninety, nine')}**[^s1] and it is new.\n`;
    const [found] = checkOverlap(text, [{ id: 'cha_1', title: 'One', text: `Once ${RUN}. Then not.` }]);
    expect(found).toMatchObject({
      rule: 'overlap',
      severity: 'warning',
      evidence: [{ of: 'cha_1', text: RUN }],
    });
    expect(found?.span?.start).toBe(text.indexOf('the keeper'));
  });

  it('B26 ignores short matches, and reports the longest of overlapping ones', () => {
    expect(findOverlaps('The keeper carried the oil up.', [{ id: 'a', title: 'A', text: RUN }])).toEqual([]);
    const found = findOverlaps(`${RUN} again`, [
      { id: 'a', title: 'A', text: RUN.split(' ').slice(0, 13).join(' ') },
      { id: 'b', title: 'B', text: RUN },
    ]);
    expect(found.map(({ other }) => other.id)).toEqual(['b']);
  });

  it('B26 stays linear when one word is repeated a hundred thousand times', () => {
    const text = 'lamp '.repeat(100_000);
    expect(findOverlaps(text, [{ id: 'a', title: 'A', text }]).length).toBeGreaterThan(0);
  });
});
